"""Model of @bazel_skylib//rules:diff_test.bzl (1.8 and later)."""

def _nothing(ctx):
    return []

diff_test = rule(
    _nothing,
    attrs = {
        "file1": attr.label(allow_single_file = True, mandatory = True),
        "file2": attr.label(allow_single_file = True, mandatory = True),
        "failure_message": attr.string(),
    },
    test = True,
)
