"""Model of @rules_cc//cc:cc_test.bzl."""

load(":defs.bzl", _cc_test = "cc_test")

cc_test = _cc_test
