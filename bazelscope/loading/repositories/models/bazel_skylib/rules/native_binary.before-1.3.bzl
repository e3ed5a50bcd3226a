"""Model of @bazel_skylib//rules:native_binary.bzl (1.0 to 1.2)."""

def _nothing(ctx):
    return []

_ATTRIBUTES = {
    "src": attr.label(
        executable = True,
        allow_single_file = True,
        mandatory = True,
        cfg = "host",
    ),
    "data": attr.label_list(allow_files = True),
    "out": attr.string(mandatory = True),  # a string, so that a select() may stand there
    "is_windows": attr.bool(mandatory = True),
}

_native_binary = rule(_nothing, attrs = _ATTRIBUTES, executable = True)
_native_test = rule(_nothing, attrs = _ATTRIBUTES, test = True)

_IS_WINDOWS = {
    "@bazel_tools//src/conditions:host_windows": True,
    "//conditions:default": False,
}

def native_binary(name, src, out, data = None, **attrs):
    _native_binary(
        name = name,
        src = src,
        out = out,
        data = data,
        is_windows = select(_IS_WINDOWS),
        **attrs
    )

def native_test(name, src, out, data = None, **attrs):
    _native_test(
        name = name,
        src = src,
        out = out,
        data = data,
        is_windows = select(_IS_WINDOWS),
        **attrs
    )
