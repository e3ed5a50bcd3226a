"""Model of @rules_python//python:py_runtime.bzl (0.1 to 2.2)."""

load(":defs.bzl", _py_runtime = "py_runtime")

py_runtime = _py_runtime
