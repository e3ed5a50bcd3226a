"""The rule of //lib:expand_template.bzl (1.30 to 2.22), under its own name."""

def _nothing(ctx):
    return []

expand_template = rule(
    _nothing,
    attrs = {
        "data": attr.label_list(allow_files = True),
        "is_executable": attr.bool(),
        "out": attr.output(),
        "stamp": attr.int(default = -1),
        "stamp_substitutions": attr.string_dict(),
        "substitutions": attr.string_dict(),
        "template": attr.label(mandatory = True, allow_single_file = True),
        "_stamp_flag": attr.label(default = "//lib:stamp"),
    },
)
