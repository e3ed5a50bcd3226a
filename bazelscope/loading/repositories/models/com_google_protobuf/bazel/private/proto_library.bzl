"""The rule `proto_library` of protobuf (29 to 35)."""

def _nothing(ctx):
    return []

proto_library = rule(
    _nothing,
    attrs = {
        "srcs": attr.label_list(allow_files = [".proto", ".protodevel"]),
        "deps": attr.label_list(),
        "exports": attr.label_list(),
        "strip_import_prefix": attr.string(default = "/"),
        "import_prefix": attr.string(),
        "allow_exports": attr.label(cfg = "exec"),
        "data": attr.label_list(allow_files = True),
        "extension_declarations": attr.label_list(allow_files = [".txtpb"]),
        "option_deps": attr.label_list(),
        "licenses": attr.string_list(),
    },
)
