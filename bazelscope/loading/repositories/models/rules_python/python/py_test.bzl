"""Model of @rules_python//python:py_test.bzl."""

load(":defs.bzl", _py_test = "py_test")

py_test = _py_test
