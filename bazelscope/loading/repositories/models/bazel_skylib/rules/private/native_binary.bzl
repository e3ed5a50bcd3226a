"""Model of what @bazel_skylib//rules:native_binary.bzl has up to 1.2."""

load("//lib:dicts.bzl", "dicts")
load("//rules/private:windows.bzl", "WINDOWS", "is_windows")

def _nothing(ctx):
    return []

_ATTRIBUTES = dicts.add(
    {
        "src": attr.label(
            executable = True,
            allow_single_file = True,
            mandatory = True,
            cfg = "host",
        ),
        "data": attr.label_list(allow_files = True),
        "out": attr.string(mandatory = True),
    },
    WINDOWS,
)

_native_binary = rule(_nothing, attrs = _ATTRIBUTES, executable = True)
_native_test = rule(_nothing, attrs = _ATTRIBUTES, test = True)

def native_binary(name, src, out, data = None, **attrs):
    attrs.update(is_windows())
    _native_binary(name = name, src = src, out = out, data = data, **attrs)

def native_test(name, src, out, data = None, **attrs):
    attrs.update(is_windows())
    _native_test(name = name, src = src, out = out, data = data, **attrs)
