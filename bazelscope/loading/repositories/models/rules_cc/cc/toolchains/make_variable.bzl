"""Model of @rules_cc//cc/toolchains:make_variable.bzl (0.1 to 0.2)."""

def _nothing(ctx):
    return []

cc_make_variable = rule(
    _nothing,
    attrs = {
        "value": attr.string(mandatory = True),
        "variable_name": attr.string(mandatory = True),
    },
)
