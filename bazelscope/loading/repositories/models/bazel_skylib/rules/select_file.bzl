"""Model of @bazel_skylib//rules:select_file.bzl (1.0 to 1.9)."""

def _nothing(ctx):
    return []

select_file = rule(
    _nothing,
    attrs = {
        "srcs": attr.label(allow_files = True, mandatory = True),
        "subpath": attr.string(mandatory = True),
    },
)
