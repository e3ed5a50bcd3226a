"""Model of @rules_cc//cc:objc_import.bzl (0.0.1 to 0.2)."""

load(":defs.bzl", _objc_import = "objc_import")

objc_import = _objc_import
