"""Model of @bazel_skylib//rules/private:bzl_library.bzl (1.8 and later)."""

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
