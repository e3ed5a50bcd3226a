"""Model of @rules_cc//cc/toolchains:cc_toolchain_alias.bzl (0.0.1 to 0.2.22) for Bazel 8."""

cc_toolchain_alias = native.cc_toolchain_alias
