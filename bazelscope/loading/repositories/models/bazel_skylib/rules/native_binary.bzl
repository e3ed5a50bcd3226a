"""Model of @bazel_skylib//rules:native_binary.bzl, since 1.7."""

def _nothing(ctx):
    return []

_ATTRIBUTES = {
    "data": attr.label_list(allow_files = True),
    "env": attr.string_dict(),
    "out": attr.string(),  # a string, so that a select() may stand there
    "src": attr.label(
        allow_files = True,
        cfg = "target",
        executable = True,
        mandatory = True,
    ),
}

native_binary = rule(_nothing, attrs = _ATTRIBUTES, executable = True)
native_test = rule(_nothing, attrs = _ATTRIBUTES, test = True)
