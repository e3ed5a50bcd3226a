"""Model of @rules_cc//cc/toolchains:cc_toolchain_suite.bzl (0.0.10 to 0.2)."""

load("//cc:defs.bzl", _cc_toolchain_suite = "cc_toolchain_suite")

cc_toolchain_suite = _cc_toolchain_suite
