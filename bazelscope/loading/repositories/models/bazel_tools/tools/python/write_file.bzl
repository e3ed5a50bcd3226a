"""Model of @bazel_tools//tools/python:write_file.bzl (Bazel 0.26 to 6): what writes `2to3`, whose
content is left out."""

def _impl(ctx):
    out = ctx.actions.declare_file(ctx.attr.out)
    ctx.actions.write(out, "\n".join(ctx.attr.content), is_executable = True)
    return [DefaultInfo(
        files = depset([out]),
        executable = out,
        runfiles = ctx.runfiles([out]),
    )]

_write_xfile = rule(
    _impl,
    executable = True,
    attrs = {
        "content": attr.string_list(),
        "out": attr.string(mandatory = True),
    },
)

def write_file(name, out, is_executable, **kwargs):
    _write_xfile(
        name = name,
        out = out,
        **kwargs
    )
