"""Model of @rules_cc//cc:cc_import.bzl (0.0.1 to 0.2)."""

load(":defs.bzl", _cc_import = "cc_import")

cc_import = _cc_import
