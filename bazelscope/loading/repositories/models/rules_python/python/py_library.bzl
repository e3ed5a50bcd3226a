"""Model of @rules_python//python:py_library.bzl."""

load(":defs.bzl", _py_library = "py_library")

py_library = _py_library
