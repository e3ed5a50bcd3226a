"""Model of @bazel_skylib//rules:expand_template.bzl (1.3 to 1.9)."""

def _nothing(ctx):
    return []

expand_template = rule(
    _nothing,
    attrs = {
        "template": attr.label(mandatory = True, allow_single_file = True),
        "substitutions": attr.string_dict(mandatory = True),
        "out": attr.output(mandatory = True),
    },
)
