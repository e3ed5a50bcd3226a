"""Model of @bazel_skylib//rules:native_binary.bzl (1.0 to 1.6)."""

def _nothing(ctx):
    return []

_ATTRIBUTES = {
    "data": attr.label_list(allow_files = True),
    "out": attr.output(mandatory = True),
    "src": attr.label(
        allow_files = True,
        cfg = "host",
        executable = True,
        mandatory = True,
    ),
}

native_binary = rule(_nothing, attrs = _ATTRIBUTES, executable = True)
native_test = rule(_nothing, attrs = _ATTRIBUTES, test = True)
