"""Model of @bazel_skylib//:workspace.bzl."""

def bazel_skylib_workspace():
    native.register_toolchains(
        "@bazel_skylib//toolchains/unittest:cmd_toolchain",
        "@bazel_skylib//toolchains/unittest:bash_toolchain",
    )
