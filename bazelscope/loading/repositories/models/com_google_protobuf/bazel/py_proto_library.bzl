"""Model of @protobuf//bazel:py_proto_library.bzl (27 to 34)."""

def _nothing(ctx):
    return []

py_proto_library = rule(
    _nothing,
    attrs = {"deps": attr.label_list()},
)
