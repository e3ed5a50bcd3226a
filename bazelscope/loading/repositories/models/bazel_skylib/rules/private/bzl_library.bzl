"""Model of @bazel_skylib//rules/private:bzl_library.bzl, where the rule is since 1.8."""

load("//:bazelscope.bzl", "RELEASE")

StarlarkLibraryInfo = provider(fields = ["srcs", "transitive_srcs"])

def _nothing(ctx):
    return []

_FILES = [".bzl"] if RELEASE < (1, 4, 2) else [".bzl", ".scl"]

bzl_library = rule(
    _nothing,
    attrs = {
        "srcs": attr.label_list(allow_files = _FILES),
        "deps": attr.label_list(allow_files = _FILES),
    },
)
