"""Model of @bazel_tools//tools:build_defs.bzl (Bazel 8.3 to 9): the rule of the launcher."""

def _nothing(ctx):
    return []

current_launcher_binary = rule(
    _nothing,
    toolchains = ["//tools/launcher:launcher_toolchain_type"],
    executable = True,
)
