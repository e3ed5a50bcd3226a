"""The rule `java_lite_proto_library` of protobuf (29 to 35)."""

def _nothing(ctx):
    return []

java_lite_proto_library = rule(
    _nothing,
    attrs = {"deps": attr.label_list(), "licenses": attr.string_list()},
)
