"""Model of @bazel_skylib//rules:diff_test.bzl (1.0 to 1.9): a rule since 1.8, a macro before."""

load("//:bazelscope.bzl", "RELEASE")
load("//rules/private:diff_test.bzl", _macro = "diff_test")

def _nothing(ctx):
    return []

diff_test = _macro if RELEASE < (1, 8, 0) else rule(
    _nothing,
    attrs = {
        "file1": attr.label(allow_single_file = True, mandatory = True),
        "file2": attr.label(allow_single_file = True, mandatory = True),
        "failure_message": attr.string(),
    },
    test = True,
)
