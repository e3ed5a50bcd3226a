"""Model of @bazel_skylib//rules:copy_file.bzl (1.8)."""

def _nothing(ctx):
    return []

_ATTRIBUTES = {
    "src": attr.label(mandatory = True, allow_single_file = True),
    "out": attr.output(mandatory = True),
    "is_executable": attr.bool(mandatory = True),
    "allow_symlink": attr.bool(mandatory = True),
}

_copy_file = rule(_nothing, attrs = _ATTRIBUTES)
_copy_xfile = rule(_nothing, attrs = _ATTRIBUTES, executable = True)

def copy_file(name, src, out, is_executable = False, allow_symlink = False, **kwargs):
    target = _copy_xfile if is_executable else _copy_file
    target(
        name = name,
        src = src,
        out = out,
        is_executable = is_executable,
        allow_symlink = allow_symlink,
        **kwargs
    )
