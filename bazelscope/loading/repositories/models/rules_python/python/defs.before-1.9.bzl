"""Model of @rules_python//python:defs.bzl (1.7 and 1.8): native rules as macros."""

load("@bazel_tools//tools/python:toolchain.bzl", _py_runtime_pair = "py_runtime_pair")

def py_binary(**attrs):
    native.py_binary(**attrs)

def py_library(**attrs):
    native.py_library(**attrs)

def py_runtime(**attrs):
    native.py_runtime(**attrs)

def py_test(**attrs):
    native.py_test(**attrs)

def py_runtime_pair(name, py2_runtime = None, py3_runtime = None, **attrs):
    _py_runtime_pair(name = name, py2_runtime = py2_runtime, py3_runtime = py3_runtime, **attrs)
