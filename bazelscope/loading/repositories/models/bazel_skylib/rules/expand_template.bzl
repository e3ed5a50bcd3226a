"""Model of @bazel_skylib//rules:expand_template.bzl."""

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
