"""Model of @bazel_skylib//:workspace.bzl (1.0 to 1.9)."""

def bazel_skylib_workspace():
    native.register_toolchains(
        "@bazel_skylib//toolchains/unittest:cmd_toolchain",
        "@bazel_skylib//toolchains/unittest:bash_toolchain",
    )
