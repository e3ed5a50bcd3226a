"""Model of @rules_python//python:py_runtime_pair.bzl (0.1 to 2.2)."""

load(":defs.bzl", _py_runtime_pair = "py_runtime_pair")

py_runtime_pair = _py_runtime_pair
