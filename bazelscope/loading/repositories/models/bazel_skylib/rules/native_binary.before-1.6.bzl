"""Model of @bazel_skylib//rules:native_binary.bzl (1.3 to 1.5)."""

def _nothing(ctx):
    return []

_ATTRIBUTES = {
    "src": attr.label(
        executable = True,
        allow_files = True,
        mandatory = True,
        cfg = "target",
    ),
    "data": attr.label_list(allow_files = True),
    "out": attr.string(mandatory = True),  # a string, so that a select() may stand there
}

native_binary = rule(_nothing, attrs = _ATTRIBUTES, executable = True)
native_test = rule(_nothing, attrs = _ATTRIBUTES, test = True)
