"""Model of //lib:copy_directory.bzl of aspect_bazel_lib (1.30 to 2.22) and bazel_lib 3."""

def _nothing(ctx):
    return []

_copy_directory = rule(
    _nothing,
    attrs = {
        "hardlink": attr.string(default = "auto", values = ["auto", "off", "on"]),
        "out": attr.string(mandatory = True),
        "preserve_mtime": attr.bool(),
        "src": attr.label(mandatory = True, allow_files = True),
        "verbose": attr.bool(),
    },
    provides = [DefaultInfo],
)

def copy_directory(name, src, out, **attrs):
    _copy_directory(name = name, src = src, out = out, **attrs)
