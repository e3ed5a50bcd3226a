"""Model of @bazel_tools//tools/cpp:compiler_flag.bzl (Bazel 0.24 to 9): which compiler the toolchain has."""

def _compiler(ctx):
    return []

compiler_flag = rule(
    implementation = _compiler,
    attrs = {"_cc_toolchain": attr.label(default = Label("//tools/cpp:current_cc_toolchain"))},
)
