"""Model of @rules_cc//cc/toolchains:nested_args.bzl (0.1 to 0.2)."""

def _nothing(ctx):
    return []

_cc_nested_args = rule(
    _nothing,
    attrs = {
        "args": attr.string_list(),
        "data": attr.label_list(allow_files = True),
        "format": attr.label_keyed_string_dict(),
        "iterate_over": attr.label(),
        "nested": attr.label_list(),
        "requires_equal": attr.label(),
        "requires_equal_value": attr.string(),
        "requires_false": attr.label(),
        "requires_none": attr.label(),
        "requires_not_none": attr.label(),
        "requires_true": attr.label(),
    },
)

def cc_nested_args(name, format = {}, **attrs):
    _cc_nested_args(name = name, format = {value: key for key, value in format.items()}, **attrs)
