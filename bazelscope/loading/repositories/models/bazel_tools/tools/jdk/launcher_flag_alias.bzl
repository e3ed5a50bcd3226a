"""Model of @bazel_tools//tools/jdk:launcher_flag_alias.bzl (Bazel 7 to 9): what `--java_launcher` names."""

def _nothing(ctx):
    return []

launcher_flag_alias = rule(
    _nothing,
    attrs = {"_launcher": attr.label(default = configuration_field(fragment = "java", name = "launcher"))},
    fragments = ["java"],
)
