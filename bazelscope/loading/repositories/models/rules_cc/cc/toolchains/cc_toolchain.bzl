"""Model of @rules_cc//cc/toolchains:cc_toolchain.bzl (0.0.10 to 0.2)."""

load("//cc:defs.bzl", _cc_toolchain = "cc_toolchain")

cc_toolchain = _cc_toolchain
