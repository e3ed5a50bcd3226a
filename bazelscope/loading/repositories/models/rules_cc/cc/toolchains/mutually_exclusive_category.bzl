"""Model of @rules_cc//cc/toolchains:mutually_exclusive_category.bzl (0.1 to 0.2)."""

def _nothing(ctx):
    return []

cc_mutually_exclusive_category = rule(_nothing, attrs = {})
