"""What is refused of a target that is incompatible with the platform, release by release."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.api import Workspace
from bazelscope.base.label import Label
from tests.support.files import write_files
from tests.unit.analysis.refusals.closure_world import FAR, refused


def test_an_incompatible_target_names_the_one_that_says_so(tmp_path: Path) -> None:
    build = """
constraint_setting(name = "color")
constraint_value(name = "red", constraint_setting = ":color")
cc_library(name = "low", target_compatible_with = [":red"])
cc_library(name = "top", deps = [":low"])
"""
    (found,) = refused(tmp_path, build)
    assert (found.kind.value, str(found.target)) == ("incompatible-target", "//:top")
    assert found.causes[0].text == "//:top depends on //:low"


def test_incompatible_targets_of_a_pattern_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "WORKSPACE").write_text("")
    (tmp_path / "BUILD").write_text("""
constraint_setting(name = "s")
constraint_value(name = "v", constraint_setting = ":s")
genrule(name = "g", outs = ["o"], cmd = "", target_compatible_with = [":v"])
""")
    asked = Workspace.open(tmp_path, bazel_version="4.2.3", host="linux").configure([])
    labels = [Label("", "", "g")]
    assert asked.world.refusals_below(labels)
    assert not asked.world.refusals_below(labels, named=())


_INCOMPATIBLE = """
constraint_setting(name = "s")
constraint_value(name = "v", constraint_setting = ":s")
constraint_value(name = "other", constraint_setting = ":s")
sh_library(name = "inc", target_compatible_with = [":v"])
filegroup(name = "ok")
genrule(name = "of_inc", srcs = [":inc"], outs = ["o1"], cmd = "$(NONE)")
genrule(name = "own", outs = ["o2"], cmd = "$(NONE)", target_compatible_with = [":v"])
sh_library(name = "own_missing", deps = ["//lib:nothing"], target_compatible_with = [":v"])
sh_library(name = "inc_and_missing", deps = [":inc", "//lib:nothing"])
sh_library(name = "inc_and_private", deps = [":inc", "//lib:private"])
sh_library(name = "own_no_match", srcs = select({":a": []}), target_compatible_with = [":v"])
sh_library(
    name = "own_bad_key",
    srcs = select({":bad": [], "//conditions:default": []}),
    target_compatible_with = [":v"],
)
"""


@pytest.mark.parametrize(
    ("target", "before", "since"),
    [
        ("of_inc", set(), set()),
        ("own", set(), set()),
        ("own_missing", {"no-such-target"}, set()),
        ("inc_and_missing", {"no-such-target"}, {"no-such-target"}),
        ("inc_and_private", {"not-visible"}, set()),
        ("own_no_match", {"no-matching-branch"}, set()),
        ("own_bad_key", {"invalid-condition"}, {"invalid-condition"}),
    ],
)
def test_what_is_looked_at_of_an_incompatible_target(
    tmp_path: Path, target: str, before: set[str], since: set[str]
) -> None:
    """Bazel: `IncompatibleTargetChecker`, since 6.0.0; before measured with 4.2.3."""
    for version, expected in (("4.2.3", before), ("6.0.0", since), ("8.4.0", since)):
        found = refused(tmp_path, _INCOMPATIBLE, version=version, target=f"//:{target}")
        kinds = {one.kind.value for one in found if not one.also}
        assert kinds - {"incompatible-target"} == expected, version
        line = Workspace.open(tmp_path, bazel_version=version, host="linux").configure([])
        alone = line.world.refusals_of([line.world.configured.top(Label("", "", target))])
        # What is wrong with a key is told of the key.
        kinds = {one.kind.value for one in alone if not one.also}
        assert kinds == expected - {"invalid-condition"}, version


def test_no_platform_has_the_value_that_says_so(tmp_path: Path) -> None:
    """Seen on pigweed: the parent of the platform is not downloaded, which does not matter."""
    build = """
platform(name = "p", parents = ["@far//:p"])
constraint_setting(name = "s")
constraint_value(name = "v", constraint_setting = ":s")
filegroup(name = "top", srcs = select({":a": []}),
          target_compatible_with = ["@platforms//:incompatible"])
filegroup(name = "open", srcs = select({":a": []}), target_compatible_with = [":v"])
"""
    for target, kinds in (("top", {"incompatible-target"}), ("open", {"no-matching-branch"})):
        found = refused(
            tmp_path,
            build,
            "--platforms=//:p",
            version="6.5.0",
            target=f"//:{target}",
            workspace=FAR,
        )
        assert {one.kind.value for one in found} == kinds


@pytest.mark.parametrize(
    ("version", "kind"),
    [
        ("6.5.0", "no-matching-toolchain"),
        ("7.0.0", "incompatible-target"),
        ("9.0.0", "incompatible-target"),
    ],
)
def test_a_missing_toolchain_of_an_incompatible_target(
    tmp_path: Path, version: str, kind: str
) -> None:
    """Bazel 7 is the first that does not ask for it (bazel#17947)."""
    write_files(
        tmp_path,
        {
            "WORKSPACE": "",
            "d.bzl": 'r = rule(lambda ctx: [], toolchains = ["//:type"])',
            "BUILD": """
load(":d.bzl", "r")
toolchain_type(name = "type")
constraint_setting(name = "s")
constraint_value(name = "v", constraint_setting = ":s")
r(name = "top", target_compatible_with = [":v"])
""",
        },
    )
    asked = Workspace.open(tmp_path, bazel_version=version, host="linux").configure([])
    assert [one.kind.value for one in asked.refusals("//:top")] == [kind]
