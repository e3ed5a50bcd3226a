"""Model of @rules_python//python:proto.bzl (0.17 to 1.9)."""

def _nothing(ctx):
    return []

py_proto_library = rule(
    _nothing,
    attrs = {"deps": attr.label_list()},
)
