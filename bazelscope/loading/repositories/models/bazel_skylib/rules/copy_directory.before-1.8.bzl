"""Model of @bazel_skylib//rules:copy_directory.bzl (1.3 to 1.7)."""

def _nothing(ctx):
    return []

_copy_directory = rule(
    _nothing,
    attrs = {
        "src": attr.label(mandatory = True, allow_single_file = True),
        "is_windows": attr.bool(mandatory = True),
        "out": attr.string(mandatory = True),
    },
)

def copy_directory(name, src, out, **attrs):
    _copy_directory(
        name = name,
        src = src,
        is_windows = select({
            "@bazel_tools//src/conditions:host_windows": True,
            "//conditions:default": False,
        }),
        out = out,
        **attrs
    )
