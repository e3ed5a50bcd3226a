"""Model of @rules_cc//cc:cc_library.bzl."""

load(":defs.bzl", _cc_library = "cc_library")

cc_library = _cc_library
