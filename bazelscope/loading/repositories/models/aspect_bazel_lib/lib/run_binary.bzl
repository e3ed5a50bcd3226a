"""Model of //lib:run_binary.bzl of aspect_bazel_lib (1.30 to 2.22) and bazel_lib (3.0 to 3.7).

3.3 and 3.4 hand less on than is said here of 3.5.
"""

load("@bazel_skylib//lib:dicts.bzl", "dicts")
load("//:bazelscope.bzl", "RELEASE")

# What it takes since 3.3, and since 2.20, with what is handed on where nothing is said.
_LATER = {
    "chdir": None,
    "exit_code_out": None,
    "fail_on": [],
    "silent_on_success": False,
    "stderr": None,
    "stdout": None,
    "tools": [],
} if RELEASE >= (3, 3, 0) else {}
_SHELL = {"use_default_shell_env": False} if RELEASE >= (2, 20, 0) else {}

def _nothing(ctx):
    return []

_run_binary = rule(
    _nothing,
    attrs = dicts.add({
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
    }, {
        "chdir": attr.string(),
        "exit_code_out": attr.output(),
        "fail_on": attr.int_list(),
        "silent_on_success": attr.bool(),
        "stderr": attr.output(),
        "stdout": attr.output(),
        "tools": attr.label_list(allow_files = True, cfg = "exec"),
    } if _LATER else {}),
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
        **dicts.add(_LATER, _SHELL, attrs)
    )
