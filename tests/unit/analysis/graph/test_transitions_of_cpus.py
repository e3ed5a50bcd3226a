"""A transition that sets `--cpu` alone: since Bazel 5 it leaves no `--platforms`, which would set
`--cpu` back; since 6.1 only if it changes `--cpu`."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.api import Workspace
from tests.support.files import write_files

_FILES = {
    "WORKSPACE": "",
    "d.bzl": """
def _arm(settings, attr):
    return {"//command_line_option:cpu": "arm"}

def _same(settings, attr):
    return {"//command_line_option:cpu": "k8"}

def _both(settings, attr):
    return {"//command_line_option:cpu": "arm", "//command_line_option:platforms": ["//:far"]}

def _impl(ctx):
    return []

def made(function, *more):
    names = ["//command_line_option:" + name for name in ("cpu",) + more]
    return rule(_impl, attrs = {
        "dep": attr.label(
            cfg = transition(implementation = function, inputs = [], outputs = names),
        ),
        "_allowlist_function_transition": attr.label(
            default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
        ),
    })

arm = made(_arm)
same = made(_same)
both = made(_both, "platforms")
""",
    "BUILD": """
load(":d.bzl", "arm", "both", "same")
constraint_setting(name = "where")
[constraint_value(name = "is_" + name, constraint_setting = ":where") for name in ("near", "far")]
[platform(name = name, constraint_values = [":is_" + name]) for name in ("near", "far")]
filegroup(
    name = "below",
    srcs = select({":is_near": [":n"], ":is_far": [":f"], "//conditions:default": [":host"]}),
)
[filegroup(name = name) for name in ("n", "f", "host")]
arm(name = "arm", dep = ":below")
same(name = "same", dep = ":below")
both(name = "both", dep = ":below")
""",
}


@pytest.mark.parametrize(
    ("version", "target", "leaf"),
    [
        ("4.2.3", "arm", "n"),  # measured
        ("5.0.0", "arm", "host"),
        ("6.0.0", "arm", "host"),
        ("9.0.0", "arm", "host"),
        ("4.2.3", "same", "n"),  # measured
        ("6.0.0", "same", "host"),
        ("6.1.0", "same", "n"),
        ("9.0.0", "same", "n"),
        ("9.0.0", "both", "f"),
    ],
)
def test_a_cpu_that_changes_leaves_no_platforms(
    tmp_path: Path, version: str, target: str, leaf: str
) -> None:
    write_files(tmp_path, _FILES)
    workspace = Workspace.open(tmp_path, bazel_version=version, host="linux")
    asked = workspace.configure(["--platforms=//:near"])
    below = {
        str(one.node.label) for one in asked.deps(f"//:{target}", configured=True).dependencies
    }
    assert below & {"//:n", "//:f", "//:host"} == {f"//:{leaf}"}
