"""Model of @rules_python//python:py_binary.bzl."""

load(":defs.bzl", _py_binary = "py_binary")

py_binary = _py_binary
