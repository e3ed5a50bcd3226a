"""Model of @bazel_skylib//rules:expand_template.bzl (1.5 to 1.9)."""

def _nothing(ctx):
    return []

expand_template = rule(
    _nothing,
    attrs = {
        "out": attr.output(mandatory = True),
        "substitutions": attr.string_dict(mandatory = True),
        "template": attr.label(mandatory = True, allow_single_file = True),
    },
)
