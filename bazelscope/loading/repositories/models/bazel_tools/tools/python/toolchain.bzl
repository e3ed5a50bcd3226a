"""Model of @bazel_tools//tools/python:toolchain.bzl (Bazel 0.24 to 9)."""

def _nothing(ctx):
    return []

py_runtime_pair = rule(
    _nothing,
    attrs = {
        "py2_runtime": attr.label(providers = [PyRuntimeInfo]),
        "py3_runtime": attr.label(providers = [PyRuntimeInfo]),
    },
)
