"""Model of @bazel_skylib//rules:analysis_test.bzl."""

def _nothing(ctx):
    return []

analysis_test = rule(
    _nothing,
    attrs = {"targets": attr.label_list(mandatory = True)},
    test = True,
)
