"""Model of @rules_python//python:py_test.bzl (0.1 to 2.2)."""

load(":defs.bzl", _py_test = "py_test")

py_test = _py_test
