"""Model of @rules_java//toolchains:java_toolchain_alias.bzl (5.5 to 9.8): what is chosen for Java."""

def _nothing(ctx):
    return []

java_runtime_alias = rule(
    _nothing,
    toolchains = ["@bazel_tools//tools/jdk:runtime_toolchain_type"],
)

java_host_runtime_alias = rule(
    _nothing,
    attrs = {
        "_runtime": attr.label(default = Label("//toolchains:current_java_runtime"), cfg = "exec"),
    },
)

java_toolchain_alias = rule(
    _nothing,
    toolchains = ["@bazel_tools//tools/jdk:toolchain_type"],
)
