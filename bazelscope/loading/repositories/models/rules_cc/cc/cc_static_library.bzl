"""Model of @rules_cc//cc:cc_static_library.bzl (0.1.2 to 0.2)."""

def _nothing(ctx):
    return []

cc_static_library = rule(
    _nothing,
    attrs = {
        "deps": attr.label_list(),
        "_cc_toolchain": attr.label(default = "@bazel_tools//tools/cpp:current_cc_toolchain"),
    },
)
