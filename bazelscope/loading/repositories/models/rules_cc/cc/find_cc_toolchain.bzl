"""Model of @rules_cc//cc:find_cc_toolchain.bzl (0.0.1 to 0.2; CC_TOOLCHAIN_ATTRS since 0.1.1): attributes only."""

CC_TOOLCHAIN_TYPE = "@bazel_tools//tools/cpp:toolchain_type"

CC_TOOLCHAIN_ATTRS = {
    "_cc_toolchain": attr.label(default = "@bazel_tools//tools/cpp:current_cc_toolchain"),
}

def find_cc_toolchain(ctx, *, mandatory = True):
    return not_modelled if ctx else None

find_cpp_toolchain = find_cc_toolchain

def use_cc_toolchain(mandatory = True):
    return [CC_TOOLCHAIN_TYPE]
