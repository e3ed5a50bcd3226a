"""Model of @bazel_skylib//rules:diff_test.bzl (1.0 to 1.7)."""

def _nothing(ctx):
    return []

_diff_test = rule(
    _nothing,
    attrs = {
        "failure_message": attr.string(),
        "file1": attr.label(allow_single_file = True, mandatory = True),
        "file2": attr.label(allow_single_file = True, mandatory = True),
        "is_windows": attr.bool(mandatory = True),
    },
    test = True,
)

def diff_test(name, file1, file2, failure_message = None, **kwargs):
    _diff_test(
        name = name,
        file1 = file1,
        file2 = file2,
        failure_message = failure_message,
        is_windows = select({
            "@bazel_tools//src/conditions:host_windows": True,
            "//conditions:default": False,
        }),
        **kwargs
    )
