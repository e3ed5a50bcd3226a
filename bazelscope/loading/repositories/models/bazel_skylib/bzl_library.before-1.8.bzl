"""Model of @bazel_skylib//:bzl_library.bzl (1.4.2 to 1.7)."""

StarlarkLibraryInfo = provider(fields = ["srcs", "transitive_srcs"])

def _nothing(ctx):
    return []

bzl_library = rule(
    _nothing,
    attrs = {
        "srcs": attr.label_list(allow_files = [".bzl", ".scl"]),
        "deps": attr.label_list(allow_files = [".bzl", ".scl"]),
    },
)
