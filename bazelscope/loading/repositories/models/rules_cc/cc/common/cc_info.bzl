"""Model of @rules_cc//cc/common:cc_info.bzl (0.1 to 0.2)."""

load("//cc/private:natives.bzl", "native_cc_info")

CcInfo = native_cc_info
