"""Model of @rules_cc//cc:objc_library.bzl."""

load(":defs.bzl", _objc_library = "objc_library")

objc_library = _objc_library
