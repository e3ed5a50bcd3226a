"""Toolchains and execution platforms that flags choose: by a select() in `toolchain(toolchain)`,
and by `--experimental_add_exec_constraints_to_targets`.

As Bazel's `toolchain_test` has it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.api import Workspace
from tests.support.files import write_files

_FILES = {
    "MODULE.bazel": 'register_toolchains("//tc:registered")',
    "d.bzl": """
def _made(ctx):
    return [platform_common.ToolchainInfo(kind = ctx.attr.kind)]

made = rule(_made, attrs = {"kind": attr.string()})

def _uses(ctx):
    fail(ctx.toolchains["//tc:type"].kind)

uses = rule(_uses, toolchains = ["//tc:type"])
plain = rule(
    lambda ctx: [],
    attrs = {"deps": attr.label_list(), "tool": attr.label(cfg = "exec")},
)
""",
    "tc/BUILD": """
load("//:d.bzl", "made")
package(default_visibility = ["//visibility:public"])
toolchain_type(name = "type")
config_setting(name = "opt", values = {"compilation_mode": "opt"})
[made(name = kind, kind = kind) for kind in ("fast", "slow")]
toolchain(
    name = "registered",
    toolchain_type = ":type",
    toolchain = select({":opt": ":fast", "//conditions:default": ":slow"}),
)
""",
    "BUILD": """
load("//:d.bzl", "plain", "uses")
uses(name = "uses")
constraint_setting(name = "where")
[constraint_value(name = "at_" + name, constraint_setting = ":where") for name in ("a", "b")]
[platform(name = name, constraint_values = [":at_" + name]) for name in ("a", "b")]
plain(name = "of_a", deps = [])
plain(name = "of_b", deps = [])
plain(name = "tool", deps = select({":at_a": [":of_a"], ":at_b": [":of_b"]}))
plain(name = "top", tool = ":tool")
""",
}


@pytest.mark.parametrize(("words", "kind"), [([], "slow"), (["-c", "opt"], "fast")])
def test_a_select_says_what_implements_a_type(tmp_path: Path, words: list[str], kind: str) -> None:
    write_files(tmp_path, _FILES)
    asked = Workspace.open(tmp_path, bazel_version="8.4.2", host="linux").configure(words)
    assert [one.message for one in asked.refusals("//:uses")] == [kind]


@pytest.mark.parametrize(
    ("added", "leaf"),
    [
        ("", "of_a"),
        ("//:to.*=//:at_b", "of_b"),
        ("//:x,top=//:at_b", "of_b"),
        ("//:to,-p$=//:at_b", "of_a"),
    ],
)
def test_an_option_adds_what_a_target_asks_of_its_platform(
    tmp_path: Path, added: str, leaf: str
) -> None:
    write_files(tmp_path, _FILES)
    words = ["--extra_execution_platforms=//:a,//:b"]
    if added:
        words.append(f"--experimental_add_exec_constraints_to_targets={added}")
    asked = Workspace.open(tmp_path, bazel_version="8.4.2", host="linux").configure(words)
    below = {str(one.node.label) for one in asked.deps("//:top", configured=True).dependencies}
    assert below & {"//:of_a", "//:of_b"} == {f"//:{leaf}"}
