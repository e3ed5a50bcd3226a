"""Model of @rules_cc//cc/toolchains:cc_toolchain_config_info.bzl (0.0.10 to 0.2)."""

load("//cc/private:natives.bzl", "native_cc_toolchain_config_info")

CcToolchainConfigInfo = native_cc_toolchain_config_info
