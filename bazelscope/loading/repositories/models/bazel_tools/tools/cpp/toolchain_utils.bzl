"""Model of @bazel_tools//tools/cpp:toolchain_utils.bzl."""

CPP_TOOLCHAIN_TYPE = "@bazel_tools//tools/cpp:toolchain_type"

def find_cpp_toolchain(ctx, mandatory = True):
    fail("find_cpp_toolchain() is for rule implementations")

def use_cpp_toolchain(mandatory = True):
    return [CPP_TOOLCHAIN_TYPE]
