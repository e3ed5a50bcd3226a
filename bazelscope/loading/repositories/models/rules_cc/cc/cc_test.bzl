"""Model of @rules_cc//cc:cc_test.bzl (0.0.1 to 0.2)."""

load(":defs.bzl", _cc_test = "cc_test")

cc_test = _cc_test
