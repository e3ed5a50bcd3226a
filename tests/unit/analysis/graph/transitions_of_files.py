"""A workspace where a transition that fails is asked for by a source file and by a rule."""

from __future__ import annotations

_WHO_MAY = "//tools/whitelists/function_transition_whitelist"
FILES = {
    "WORKSPACE": "",
    "defs.bzl": f"""
def _wrong(settings, attr):
    return {{"//command_line_option:cpu": "k8"}}

_fails = transition(
    implementation = _wrong,
    inputs = [],
    outputs = ["//command_line_option:compilation_mode"],
)

def _nothing(ctx):
    return []

holder = rule(_nothing, attrs = {{
    "srcs": attr.label_list(cfg = _fails, allow_files = True),
    "_whitelist_function_transition": attr.label(default = "{_WHO_MAY}"),
}})
""",
    "BUILD": """
load(":defs.bzl", "holder")
holder(name = "of_file", srcs = ["a.txt"])
holder(name = "of_rule", srcs = [":rule"])
filegroup(name = "rule")
""",
    "a.txt": "",
    "tools/whitelists/function_transition_whitelist/BUILD": """
package_group(name = "function_transition_whitelist", packages = ["//..."])
""",
}
REFUSED = {"2.1.0": {"of_rule"}, "4.2.3": {"of_file", "of_rule"}}
