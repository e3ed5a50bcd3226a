"""Model of @rules_python//python:defs.bzl (1.9 to 2.3): native rules as macros."""

load("@bazel_tools//tools/python:toolchain.bzl", _py_runtime_pair = "py_runtime_pair")

def _with_runfiles(attrs):
    """On Windows, programs are built with their tree of runfiles, if their settings say nothing else."""
    attrs["config_settings"] = select({
        Label("@platforms//os:windows"): {Label("//command_line_option:enable_runfiles"): "true"},
        "//conditions:default": {},
    }) | (attrs.get("config_settings") or {})
    return attrs

def py_binary(**attrs):
    native.py_binary(**_with_runfiles(attrs))

def py_library(**attrs):
    native.py_library(**attrs)

def py_runtime(**attrs):
    native.py_runtime(**attrs)

def py_test(**attrs):
    native.py_test(**_with_runfiles(attrs))

def py_runtime_pair(name, py2_runtime = None, py3_runtime = None, **attrs):
    _py_runtime_pair(name = name, py2_runtime = py2_runtime, py3_runtime = py3_runtime, **attrs)
