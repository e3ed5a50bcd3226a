"""Model of @rules_cc//cc:objc_library.bzl (0.0.1 to 0.2)."""

load(":defs.bzl", _objc_library = "objc_library")

objc_library = _objc_library
