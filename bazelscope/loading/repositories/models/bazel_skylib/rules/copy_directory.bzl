"""Model of @bazel_skylib//rules:copy_directory.bzl (1.3 to 1.9)."""

load("//lib:dicts.bzl", "dicts")
load("//rules/private:windows.bzl", "WINDOWS", "is_windows")

def _nothing(ctx):
    return []

_copy_directory = rule(
    _nothing,
    attrs = dicts.add(
        {"src": attr.label(mandatory = True, allow_single_file = True)},
        WINDOWS,
        {"out": attr.string(mandatory = True)},
    ),
)

def copy_directory(name, src, out, **attrs):
    attrs.update(is_windows())
    _copy_directory(name = name, src = src, out = out, **attrs)
