"""Model of //lib:run_binary.bzl of bazel_lib (3.5 to 3.7; before, since 3.3, it hands less on)."""

def _nothing(ctx):
    return []

_run_binary = rule(
    _nothing,
    attrs = {
        "args": attr.string_list(),
        "chdir": attr.string(),
        "env": attr.string_dict(),
        "execution_requirements": attr.string_dict(),
        "exit_code_out": attr.output(),
        "fail_on": attr.int_list(),
        "mnemonic": attr.string(),
        "out_dirs": attr.string_list(),
        "outs": attr.output_list(),
        "progress_message": attr.string(),
        "resource_set": attr.string(default = "default"),
        "silent_on_success": attr.bool(),
        "srcs": attr.label_list(allow_files = True),
        "stamp": attr.int(default = -1),
        "stderr": attr.output(),
        "stdout": attr.output(),
        "tool": attr.label(
            executable = True,
            allow_files = True,
            mandatory = True,
            cfg = "exec",
        ),
        "tools": attr.label_list(allow_files = True, cfg = "exec"),
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
        stdout = None,
        stderr = None,
        exit_code_out = None,
        chdir = None,
        silent_on_success = False,
        fail_on = [],
        mnemonic = "RunBinary",
        progress_message = None,
        execution_requirements = None,
        use_default_shell_env = False,
        stamp = 0,
        tools = [],
        **attrs):
    _run_binary(
        name = name,
        tool = tool,
        srcs = srcs,
        tools = tools,
        args = args,
        env = env,
        outs = outs,
        out_dirs = out_dirs,
        stdout = stdout,
        stderr = stderr,
        exit_code_out = exit_code_out,
        chdir = chdir,
        silent_on_success = silent_on_success,
        fail_on = fail_on,
        mnemonic = mnemonic,
        progress_message = progress_message,
        execution_requirements = execution_requirements,
        use_default_shell_env = use_default_shell_env,
        stamp = stamp,
        **attrs
    )
