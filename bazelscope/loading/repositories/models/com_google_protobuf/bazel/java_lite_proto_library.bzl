"""Model of @protobuf//bazel:java_lite_proto_library.bzl (27 to 34)."""

def _nothing(ctx):
    return []

java_lite_proto_library = rule(
    _nothing,
    attrs = {"deps": attr.label_list(), "licenses": attr.string_list()},
)
