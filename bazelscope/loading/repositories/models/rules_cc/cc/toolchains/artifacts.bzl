"""Model of @rules_cc//cc/toolchains:artifacts.bzl (0.1 to 0.2)."""

def _nothing(ctx):
    return []

cc_artifact_name_pattern = rule(
    _nothing,
    attrs = {
        "category": attr.label(mandatory = True),
        "extension": attr.string(mandatory = True),
        "prefix": attr.string(mandatory = True),
    },
)
