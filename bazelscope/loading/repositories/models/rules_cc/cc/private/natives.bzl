"""What Bazel itself has under these names, for the files that export them (0.0.1 to 0.2)."""

native_cc_info = CcInfo
native_cc_common = cc_common
native_debug_package_info = DebugPackageInfo
native_cc_toolchain_config_info = CcToolchainConfigInfo
