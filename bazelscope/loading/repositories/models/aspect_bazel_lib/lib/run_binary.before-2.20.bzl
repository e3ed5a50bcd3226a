"""Model of //lib:run_binary.bzl of aspect_bazel_lib (1.30 to 2.19)."""

def _nothing(ctx):
    return []

_run_binary = rule(
    _nothing,
    attrs = {
        "args": attr.string_list(),
        "env": attr.string_dict(),
        "execution_requirements": attr.string_dict(),
        "mnemonic": attr.string(),
        "out_dirs": attr.string_list(),
        "outs": attr.output_list(),
        "progress_message": attr.string(),
        "resource_set": attr.string(default = "default"),
        "srcs": attr.label_list(allow_files = True),
        "stamp": attr.int(default = -1),
        "tool": attr.label(
            executable = True,
            allow_files = True,
            mandatory = True,
            cfg = "exec",
        ),
        "use_default_shell_env": attr.bool(),
        "_stamp_flag": attr.label(default = "//lib:stamp"),
    },
)

def run_binary(
        name,
        tool,
        srcs = [],
        args = [],
        env = {},
        outs = [],
        out_dirs = [],
        mnemonic = "RunBinary",
        progress_message = None,
        execution_requirements = None,
        stamp = 0,
        **attrs):
    _run_binary(
        name = name,
        tool = tool,
        srcs = srcs,
        args = args,
        env = env,
        outs = outs,
        out_dirs = out_dirs,
        mnemonic = mnemonic,
        progress_message = progress_message,
        execution_requirements = execution_requirements,
        stamp = stamp,
        **attrs
    )
