"""Model of @rules_python//python:defs.bzl with a Bazel before 7, where its releases end at 1.6: native rules with a tag."""

load("@bazel_tools//tools/python:toolchain.bzl", _py_runtime_pair = "py_runtime_pair")

_TAG = "__PYTHON_RULES_MIGRATION_DO_NOT_USE_WILL_BREAK__"

def _marked(attrs):
    if "tags" in attrs and attrs["tags"] != None:
        attrs["tags"] = attrs["tags"] + [_TAG]
    else:
        attrs["tags"] = [_TAG]
    return attrs

def py_binary(**attrs):
    native.py_binary(**_marked(attrs))

def py_library(**attrs):
    native.py_library(**_marked(attrs))

def py_runtime(**attrs):
    native.py_runtime(**_marked(attrs))

def py_test(**attrs):
    native.py_test(**_marked(attrs))

def py_runtime_pair(name, py2_runtime = None, py3_runtime = None, **attrs):
    _py_runtime_pair(name = name, py2_runtime = py2_runtime, py3_runtime = py3_runtime, **attrs)
