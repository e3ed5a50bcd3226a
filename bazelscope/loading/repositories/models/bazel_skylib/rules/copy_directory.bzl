"""Model of @bazel_skylib//rules:copy_directory.bzl (1.8 to 1.9)."""

def _nothing(ctx):
    return []

_copy_directory = rule(
    _nothing,
    attrs = {
        "src": attr.label(mandatory = True, allow_single_file = True),
        "out": attr.string(mandatory = True),
    },
)

def copy_directory(name, src, out, **attrs):
    _copy_directory(name = name, src = src, out = out, **attrs)
