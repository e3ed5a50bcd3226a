"""Model of @rules_cc//cc/common:debug_package_info.bzl (0.1 to 0.2)."""

load("//cc/private:natives.bzl", "native_debug_package_info")

DebugPackageInfo = native_debug_package_info
