"""Model of @rules_cc//cc:objc_import.bzl."""

load(":defs.bzl", _objc_import = "objc_import")

objc_import = _objc_import
