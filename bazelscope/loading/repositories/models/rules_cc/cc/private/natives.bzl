"""What Bazel itself has under these names, for the files that export them."""

native_cc_info = CcInfo
native_cc_common = cc_common
native_debug_package_info = DebugPackageInfo
