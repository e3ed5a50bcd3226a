"""Model of @bazel_skylib//rules:analysis_test.bzl (1.0 to 1.9)."""

def _nothing(ctx):
    return []

analysis_test = rule(
    _nothing,
    attrs = {"targets": attr.label_list(mandatory = True)},
    test = True,
    analysis_test = True,
)
