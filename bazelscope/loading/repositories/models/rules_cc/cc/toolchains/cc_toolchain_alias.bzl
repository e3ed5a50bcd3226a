"""Model of @rules_cc//cc/toolchains:cc_toolchain_alias.bzl (0.2.8 to 0.2.22) for Bazel 9."""

def _nothing(ctx):
    return []

cc_toolchain_alias = rule(
    _nothing,
    attrs = {"mandatory": attr.bool(default = True)},
    fragments = ["cpp", "platform"],
    toolchains = [config_common.toolchain_type(
        "@bazel_tools//tools/cpp:toolchain_type",
        mandatory = False,
    )],
)
