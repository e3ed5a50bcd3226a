"""Model of @rules_cc//cc:cc_library.bzl (0.0.1 to 0.2)."""

load(":defs.bzl", _cc_library = "cc_library")

cc_library = _cc_library
