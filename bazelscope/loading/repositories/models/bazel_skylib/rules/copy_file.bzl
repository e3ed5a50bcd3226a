"""Model of @bazel_skylib//rules:copy_file.bzl (0.8 to 1.9)."""

load("//:bazelscope.bzl", "RELEASE")
load("//lib:dicts.bzl", "dicts")
load("//rules/private:windows.bzl", "WINDOWS", "is_windows")

def _nothing(ctx):
    return []

_ATTRIBUTES = dicts.add(
    {
        "src": attr.label(mandatory = True, allow_single_file = True),
        "out": attr.output(mandatory = True),
    },
    WINDOWS,
    {
        "is_executable": attr.bool(mandatory = True),
        "allow_symlink": attr.bool(mandatory = True),
    },
)

_copy_file = rule(_nothing, attrs = _ATTRIBUTES)
_copy_xfile = rule(_nothing, attrs = _ATTRIBUTES, executable = True)

# 1.9.0 alone makes symlinks of what cannot be run.
_LINKS = RELEASE >= (1, 9, 0) and RELEASE < (1, 9, 1)

def copy_file(name, src, out, is_executable = False, allow_symlink = None, **kwargs):
    if allow_symlink == None:
        allow_symlink = _LINKS and not is_executable
    kwargs.update(is_windows())
    target = _copy_xfile if is_executable else _copy_file
    target(
        name = name,
        src = src,
        out = out,
        is_executable = is_executable,
        allow_symlink = allow_symlink,
        **kwargs
    )
