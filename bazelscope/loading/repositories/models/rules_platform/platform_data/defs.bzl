"""Model of @rules_platform//platform_data:defs.bzl (0.1)."""

def _nothing(ctx):
    return []

def _to_platform(settings, attr):
    return {"//command_line_option:platforms": str(attr.platform)}

_platform_transition = transition(
    implementation = _to_platform,
    inputs = [],
    outputs = ["//command_line_option:platforms"],
)

platform_data = rule(
    _nothing,
    attrs = {
        "platform": attr.label(mandatory = True),
        "target": attr.label(
            allow_files = True,
            executable = True,
            mandatory = True,
            cfg = _platform_transition,
        ),
        "_allowlist_function_transition": attr.label(
            default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
        ),
    },
    executable = True,
)
