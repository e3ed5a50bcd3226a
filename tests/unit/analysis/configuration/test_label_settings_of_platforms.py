"""Label settings where a platform or its constraint values are named: 4.2.3, measured."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.api import Workspace
from tests.support.files import write_files
from tests.support.ours import label

_BUILD = """
constraint_setting(name = "cs")
constraint_value(name = "a", constraint_setting = ":cs")
constraint_value(name = "b", constraint_setting = ":cs")
label_flag(name = "flag", build_setting_default = ":a")
platform(name = "flagged", constraint_values = [":flag"])
platform(name = "of_b", constraint_values = [":b"])
label_setting(name = "pointer", build_setting_default = ":flagged")
label_flag(name = "parent", build_setting_default = ":flagged")
platform(name = "child", parents = [":parent"])
platform(name = "grandchild", parents = [":child"])
config_setting(name = "as_flag", constraint_values = [":flag"])
filegroup(name = "of_a")
filegroup(name = "other")
filegroup(name = "key", srcs = select({":a": [":of_a"], "//conditions:default": [":other"]}))
filegroup(name = "by", srcs = select({":as_flag": [":of_a"], "//conditions:default": [":other"]}))
sh_library(name = "only", srcs = [":of_a"], target_compatible_with = [":flag"])
"""
_TO_B = "--//:flag=//:b"


@pytest.mark.parametrize(
    ("target", "flags", "chosen"),
    [
        ("//:key", ("--platforms=//:flagged",), "//:of_a"),
        ("//:key", ("--platforms=//:flagged", _TO_B), "//:other"),
        ("//:key", ("--platforms=//:pointer",), "//:of_a"),
        ("//:key", ("--platforms=//:child",), "//:of_a"),
        ("//:key", ("--platforms=//:grandchild",), "//:of_a"),
        ("//:key", ("--platforms=//:child", "--//:parent=//:of_b"), "//:other"),
        ("//:by", ("--platforms=//:flagged",), "//:of_a"),
        ("//:by", ("--platforms=//:of_b",), "//:other"),
        ("//:by", ("--platforms=//:of_b", _TO_B), "//:of_a"),
    ],
)
def test_conditions(tmp_path: Path, target: str, flags: tuple[str, ...], chosen: str) -> None:
    write_files(tmp_path, {"WORKSPACE": "", "BUILD": _BUILD})
    asked = Workspace.open(tmp_path, bazel_version="4.2.3").configure(flags)
    assert asked.refusals(target) == ()
    closure = asked.world.configured.deps([label(target)])
    leaves = {str(node.label) for node in closure} & {"//:of_a", "//:other"}
    assert leaves == {chosen}


@pytest.mark.parametrize(("platform", "is_refused"), [("flagged", False), ("of_b", True)])
def test_incompatible_targets(tmp_path: Path, platform: str, is_refused: bool) -> None:
    write_files(tmp_path, {"WORKSPACE": "", "BUILD": _BUILD})
    line = [f"--platforms=//:{platform}"]
    asked = Workspace.open(tmp_path, bazel_version="4.2.3").configure(line)
    assert bool(asked.refusals("//:only")) == is_refused
