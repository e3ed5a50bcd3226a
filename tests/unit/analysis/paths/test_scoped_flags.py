"""Build settings that tools do not have: the `scope` of flags, and the options that keep flags
from the execution configuration.

Bazel: `FunctionTransitionUtil`, `getExecPropagatingStarlarkFlags` (9), `maybeGetExecDefaults`
(8); `flags_scoping_integration_tests.sh`; bazel#26909, #29232.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from bazelscope.api import Workspace
from bazelscope.base.label import Label, PackageId, parse_label
from tests.unit.analysis.paths.found_paths import Found

DEFS = """\
def _nothing(ctx):
    pass

flag = rule(
    implementation = _nothing,
    build_setting = config.string(flag = True),
    attrs = {"scope": attr.string(default = "target")},
)

def _set(settings, attr):
    return {"//p:target": "b"}

again = transition(implementation = _set, inputs = [], outputs = ["//p:target"])
thing = rule(
    implementation = _nothing,
    attrs = {
        "srcs": attr.label_list(allow_files = True),
        "tools": attr.label_list(cfg = "exec"),
        "again": attr.label_list(cfg = again),
        "_allowlist_function_transition": attr.label(
            default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
        ),
    },
)
"""
BUILD = """\
load(":defs.bzl", "flag", "thing")
NAMES = ["none", "project", "target", "universal"]
flag(name = "none", build_setting_default = "a")
[flag(name = n, build_setting_default = "a", scope = n) for n in NAMES[1:]]
[config_setting(name = n + "_b", flag_values = {":" + n: "b"}) for n in NAMES]
[
    thing(
        name = n + "_leaf",
        srcs = select({":" + n + "_b": [n + ".txt"], "//conditions:default": []}),
    )
    for n in NAMES
]
thing(name = "leaf", srcs = [n + "_leaf" for n in NAMES])
thing(name = "tool", tools = [":leaf"])
thing(name = "transitioned", again = [":leaf"])
thing(name = "tool_transitioned", tools = [":transitioned"])
"""
FILES = ("none", "project", "target", "universal")


def label(name: str) -> Label:
    return parse_label(f"//p:{name}", PackageId("", ""))


def open_workspace(root: Path, version: str) -> Workspace:
    files = {"MODULE.bazel": "", "p/BUILD": BUILD, "p/defs.bzl": DEFS}
    files.update({f"p/{name}.txt": "" for name in FILES})
    for name, text in files.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return Workspace.open(root, bazel_version=version)


def kept(root: Path, version: str, flags: Sequence[str], top: str) -> str:
    """The scopes whose flags `top` has its dependencies see, by their first letters."""
    words = [f"--//p:{name}=b" for name in FILES] if top != "tool_transitioned" else []
    graph = open_workspace(root, version).configure([*words, *flags]).world.configured
    seen = {node.label.name for node in graph.deps([label(top)])}
    return "".join(name[0] for name in FILES if f"{name}.txt" in seen)


ONLY_UNIVERSAL_8 = "--experimental_exclude_starlark_flags_from_exec_config"
ONLY_UNIVERSAL = "--incompatible_exclude_starlark_flags_from_exec_config"
PROPAGATE = "--experimental_propagate_custom_flag"
CASES = [
    ("7.7.1", (), "tool", "nptu"),
    ("8.7.0", (), "tool", "nptu"),
    ("8.7.0", (ONLY_UNIVERSAL_8,), "tool", ""),
    ("8.7.0", (ONLY_UNIVERSAL_8, f"{PROPAGATE}=//p:target"), "tool", "t"),
    ("9.1.0", (), "leaf", "nptu"),
    ("9.1.0", (), "tool", "nu"),
    ("9.2.0", (), "tool", "npu"),
    ("9.1.0", (ONLY_UNIVERSAL,), "tool", "u"),
    ("9.1.0", (ONLY_UNIVERSAL, f"{PROPAGATE}=//p:none"), "tool", "nu"),
    ("9.1.0", (ONLY_UNIVERSAL, f"{PROPAGATE}=//p/..."), "tool", "npu"),
    # What a transition below the tool sets stays.
    ("9.1.0", (ONLY_UNIVERSAL,), "tool_transitioned", "t"),
]


@pytest.mark.parametrize(("version", "flags", "top", "expected"), CASES)
def test_what_reaches_tools(
    tmp_path: Path, version: str, flags: tuple[str, ...], top: str, expected: str
) -> None:
    assert kept(tmp_path, version, flags, top) == expected


def test_no_flag_leads_through_a_tool_that_has_the_default(tmp_path: Path) -> None:
    graph = open_workspace(tmp_path, "9.1.0").configure([]).world.configured
    found = {
        name: Found(graph.graph, label("tool"), label(f"{name}.txt"), graph.configuration).best()
        for name in FILES
    }
    clashes = {name for name, path in found.items() if path is not None and path.clash}
    assert clashes == {"project", "target"}
