"""Model of @aspect_rules_js//js/private:js_library.bzl (2.0 to 3.4)."""

def _nothing(ctx):
    return []

js_library = rule(
    _nothing,
    attrs = {
        "srcs": attr.label_list(allow_files = True),
        "types": attr.label_list(allow_files = True),
        "deps": attr.label_list(),
        "data": attr.label_list(allow_files = True),
        "no_copy_to_bin": attr.label_list(allow_files = True),
        "copy_data_to_bin": attr.bool(default = True),
    },
)
