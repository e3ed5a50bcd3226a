"""Model of @aspect_bazel_lib//lib:transitions.bzl (1.40 to 2.22)."""

def _nothing(ctx):
    return []

def _to_platform(settings, attr):
    return {"//command_line_option:platforms": str(attr.target_platform)}

_platform_transition = transition(
    implementation = _to_platform,
    inputs = [],
    outputs = ["//command_line_option:platforms"],
)

_ALLOWED = {
    "_allowlist_function_transition": attr.label(
        default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
    ),
}

platform_transition_filegroup = rule(
    _nothing,
    attrs = {
        "srcs": attr.label_list(allow_empty = False, cfg = _platform_transition),
        "target_platform": attr.label(mandatory = True),
    } | _ALLOWED,
)

_BINARY = {
    "basename": attr.string(),
    "binary": attr.label(allow_files = True, cfg = "target"),
    "target_platform": attr.label(mandatory = True),
} | _ALLOWED

platform_transition_binary = rule(
    _nothing,
    attrs = _BINARY,
    cfg = _platform_transition,
    executable = True,
)

platform_transition_test = rule(
    _nothing,
    attrs = _BINARY,
    cfg = _platform_transition,
    test = True,
)
