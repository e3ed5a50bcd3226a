"""Model of @bazel_skylib//rules/directory:subdirectory.bzl (1.7)."""

def _nothing(ctx):
    return []

subdirectory = rule(
    _nothing,
    attrs = {"parent": attr.label(mandatory = True), "path": attr.string(mandatory = True)},
)
