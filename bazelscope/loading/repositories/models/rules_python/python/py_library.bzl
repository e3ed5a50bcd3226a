"""Model of @rules_python//python:py_library.bzl (0.1 to 2.2)."""

load(":defs.bzl", _py_library = "py_library")

py_library = _py_library
