"""Model of @rules_cc//cc/common:cc_common.bzl (0.1 to 0.2)."""

load("//cc/private:natives.bzl", "native_cc_common")

cc_common = native_cc_common
