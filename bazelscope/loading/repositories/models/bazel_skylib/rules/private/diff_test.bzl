"""Model of what @bazel_skylib//rules:diff_test.bzl has up to 1.7."""

load("//:bazelscope.bzl", "RELEASE")
load("//lib:dicts.bzl", "dicts")
load("//rules/private:windows.bzl", "WINDOWS", "is_windows")

def _nothing(ctx):
    return []

_diff_test = rule(
    _nothing,
    attrs = dicts.add(
        {} if RELEASE < (1, 1, 0) else {"failure_message": attr.string()},
        {
            "file1": attr.label(allow_single_file = True, mandatory = True),
            "file2": attr.label(allow_single_file = True, mandatory = True),
        },
        WINDOWS,
    ),
    test = True,
)

def diff_test(name, file1, file2, **kwargs):
    kwargs.update(is_windows())
    _diff_test(name = name, file1 = file1, file2 = file2, **kwargs)
