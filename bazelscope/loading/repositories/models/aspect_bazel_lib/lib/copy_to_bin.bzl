"""Model of @aspect_bazel_lib//lib:copy_to_bin.bzl (1.30 to 2.22)."""

def _nothing(ctx):
    return []

_copy_to_bin = rule(
    _nothing,
    attrs = {"srcs": attr.label_list(mandatory = True, allow_files = True)},
    provides = [DefaultInfo],
)

def copy_to_bin(name, srcs, **attrs):
    _copy_to_bin(name = name, srcs = srcs, **attrs)
