"""Model of @bazel_skylib//:bzl_library.bzl (1.0 to 1.9)."""

StarlarkLibraryInfo = provider(fields = ["srcs", "transitive_srcs"])

def _nothing(ctx):
    return []

bzl_library = rule(
    _nothing,
    attrs = {
        "deps": attr.label_list(allow_files = [".bzl", ".scl"]),
        "srcs": attr.label_list(allow_files = [".bzl", ".scl"]),
    },
)
