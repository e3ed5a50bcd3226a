"""Model of @bazel_skylib//:bzl_library.bzl (1.0 to 1.4.1)."""

StarlarkLibraryInfo = provider(fields = ["srcs", "transitive_srcs"])

def _nothing(ctx):
    return []

bzl_library = rule(
    _nothing,
    attrs = {
        "srcs": attr.label_list(allow_files = [".bzl"]),
        "deps": attr.label_list(allow_files = [".bzl"]),
    },
)
