"""Model of @rules_cc//cc:cc_binary.bzl (0.0.1 to 0.2)."""

load(":defs.bzl", _cc_binary = "cc_binary")

cc_binary = _cc_binary
