"""Model of @rules_cc//cc/toolchains:cc_toolchain_alias.bzl (0.2.8 to 0.2.22; before, its BUILD files
ask Bazel itself) for Bazel 8."""

cc_toolchain_alias = native.cc_toolchain_alias
