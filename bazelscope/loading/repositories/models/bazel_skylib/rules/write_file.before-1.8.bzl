"""Model of @bazel_skylib//rules:write_file.bzl (0.8 to 1.7)."""

def _nothing(ctx):
    return []

_ATTRIBUTES = {
    "out": attr.output(mandatory = True),
    "content": attr.string_list(),
    "newline": attr.string(values = ["unix", "windows", "auto"], default = "auto"),
    "is_windows": attr.bool(mandatory = True),
}

_write_file = rule(_nothing, attrs = _ATTRIBUTES)
_write_xfile = rule(_nothing, attrs = _ATTRIBUTES, executable = True)

def write_file(name, out, content = [], is_executable = False, newline = "auto", **kwargs):
    target = _write_xfile if is_executable else _write_file
    target(
        name = name,
        content = content,
        out = out,
        newline = newline or "auto",
        is_windows = select({
            "@bazel_tools//src/conditions:host_windows": True,
            "//conditions:default": False,
        }),
        **kwargs
    )
