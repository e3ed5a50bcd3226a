"""Model of //lib:diff_test.bzl of aspect_bazel_lib (1.30 to 2.22) and bazel_lib 3."""

load("@bazel_skylib//rules:write_file.bzl", "write_file")

def _nothing(ctx):
    return []

_diff_test = rule(
    _nothing,
    attrs = {
        "diff_args": attr.string_list(),
        "failure_message": attr.string(),
        "file1": attr.label(allow_files = True, mandatory = True),
        "file2": attr.label(allow_files = True, mandatory = True),
        "_windows_constraint": attr.label(default = "@platforms//os:windows"),
    },
    test = True,
)

def diff_test(name, file1, file2, diff_args = [], size = "small", **attrs):
    if type(file2) == "list":
        write_file(name = name + ".file2", out = name + ".file2.txt", content = file2)
        file2 = name + ".file2"
    _diff_test(
        name = name,
        file1 = file1,
        file2 = file2,
        size = size,
        diff_args = diff_args,
        **attrs
    )
