"""Model of @rules_cc//cc/toolchains:tool_capability.bzl (0.1 to 0.2)."""

def _nothing(ctx):
    return []

cc_tool_capability = rule(_nothing, attrs = {"feature_name": attr.string()})
