"""Model of @rules_cc//cc:cc_binary.bzl."""

load(":defs.bzl", _cc_binary = "cc_binary")

cc_binary = _cc_binary
