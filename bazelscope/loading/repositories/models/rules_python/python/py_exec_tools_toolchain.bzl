"""Model of @rules_python//python:py_exec_tools_toolchain.bzl (rules_python 0.32 and later)."""

def _nothing(ctx):
    return []

py_exec_tools_toolchain = rule(
    implementation = _nothing,
    attrs = {
        "exec_interpreter": attr.label(cfg = "exec"),
        "precompiler": attr.label(allow_files = True, cfg = "exec"),
    },
)
