"""Model of //lib:copy_file.bzl of aspect_bazel_lib (1.30 to 2.22) and bazel_lib 3."""

def _nothing(ctx):
    return []

_ATTRIBUTES = {
    "allow_symlink": attr.bool(mandatory = True),
    "is_executable": attr.bool(mandatory = True),
    "out": attr.output(mandatory = True),
    "src": attr.label(mandatory = True, allow_files = True),
}

_copy_file = rule(_nothing, attrs = _ATTRIBUTES, provides = [DefaultInfo])
_copy_xfile = rule(_nothing, attrs = _ATTRIBUTES, executable = True, provides = [DefaultInfo])

def copy_file(name, src, out, is_executable = False, allow_symlink = False, **attrs):
    target = _copy_xfile if is_executable else _copy_file
    target(
        name = name,
        src = src,
        out = out,
        is_executable = is_executable,
        allow_symlink = allow_symlink,
        **attrs
    )
