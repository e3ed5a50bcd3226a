"""Model of @rules_python//python:defs.bzl (0.37 to 1.6): native rules with a tag, or rules of its own."""

load("@bazel_tools//tools/python:toolchain.bzl", _py_runtime_pair = "py_runtime_pair")
load("//python/private:migration.bzl", "marked")

def py_binary(**attrs):
    native.py_binary(**marked(attrs))

def py_library(**attrs):
    native.py_library(**marked(attrs))

def py_runtime(**attrs):
    native.py_runtime(**marked(attrs))

def py_test(**attrs):
    native.py_test(**marked(attrs))

def py_runtime_pair(name, py2_runtime = None, py3_runtime = None, **attrs):
    _py_runtime_pair(name = name, py2_runtime = py2_runtime, py3_runtime = py3_runtime, **attrs)
