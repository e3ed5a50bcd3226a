"""Model of @rules_python//python:py_binary.bzl (0.1 to 2.2)."""

load(":defs.bzl", _py_binary = "py_binary")

py_binary = _py_binary
