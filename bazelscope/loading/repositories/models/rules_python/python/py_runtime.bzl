"""Model of @rules_python//python:py_runtime.bzl."""

load(":defs.bzl", _py_runtime = "py_runtime")

py_runtime = _py_runtime
