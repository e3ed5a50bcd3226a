"""Model of //lib:copy_to_directory.bzl of aspect_bazel_lib (1.30 to 2.22) and bazel_lib 3."""

def _nothing(ctx):
    return []

copy_to_directory = rule(
    _nothing,
    attrs = {
        "add_directory_to_runfiles": attr.bool(default = True),
        "allow_overwrites": attr.bool(),
        "exclude_srcs_packages": attr.string_list(),
        "exclude_srcs_patterns": attr.string_list(),
        "hardlink": attr.string(default = "auto", values = ["auto", "off", "on"]),
        "include_external_repositories": attr.string_list(),
        "include_srcs_packages": attr.string_list(default = ["**"]),
        "include_srcs_patterns": attr.string_list(default = ["**"]),
        "out": attr.string(),
        "preserve_mtime": attr.bool(),
        "replace_prefixes": attr.string_dict(),
        "root_paths": attr.string_list(default = ["."]),
        "srcs": attr.label_list(allow_files = True),
        "verbose": attr.bool(),
    },
    provides = [DefaultInfo],
)
