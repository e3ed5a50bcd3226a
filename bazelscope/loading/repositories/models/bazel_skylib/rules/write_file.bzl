"""Model of @bazel_skylib//rules:write_file.bzl (1.0 to 1.9)."""

load("//lib:dicts.bzl", "dicts")
load("//rules/private:windows.bzl", "WINDOWS", "is_windows")

def _nothing(ctx):
    return []

_ATTRIBUTES = dicts.add(
    {
        "out": attr.output(mandatory = True),
        "content": attr.string_list(),
        "newline": attr.string(values = ["unix", "windows", "auto"], default = "auto"),
    },
    WINDOWS,
)

_write_file = rule(_nothing, attrs = _ATTRIBUTES)
_write_xfile = rule(_nothing, attrs = _ATTRIBUTES, executable = True)

def write_file(name, out, content = [], is_executable = False, newline = "auto", **kwargs):
    kwargs.update(is_windows())
    target = _write_xfile if is_executable else _write_file
    target(
        name = name,
        content = content,
        out = out,
        newline = newline or "auto",
        **kwargs
    )
