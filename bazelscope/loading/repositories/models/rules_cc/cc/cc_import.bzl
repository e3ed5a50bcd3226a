"""Model of @rules_cc//cc:cc_import.bzl."""

load(":defs.bzl", _cc_import = "cc_import")

cc_import = _cc_import
