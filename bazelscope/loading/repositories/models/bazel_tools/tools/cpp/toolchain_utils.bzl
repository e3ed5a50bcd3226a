"""Model of @bazel_tools//tools/cpp:toolchain_utils.bzl (Bazel 0.24 to 9)."""

CPP_TOOLCHAIN_TYPE = "@bazel_tools//tools/cpp:toolchain_type"

def find_cpp_toolchain(ctx, mandatory = True):
    return not_modelled if ctx else None

def use_cpp_toolchain(mandatory = True):
    return [CPP_TOOLCHAIN_TYPE]
