"""What `//external:all` and `//external:*` stand for, beside what Bazel's query lists."""

from __future__ import annotations

import pytest

from bazelscope.base.label import Label, PackageId, parse_pattern
from bazelscope.loading.packages.targets import NoSuchPackage, Rule
from tests.unit.loading.loading_world import Load

FILES = {
    "WORKSPACE": """workspace(name = "own")
local_repository(name = "zeta", path = "z")
bind(name = "thing", actual = "@zeta//:x")
local_repository(name = "alpha", path = "a")
""",
    "MODULE.bazel": """
local = use_repo_rule("@bazel_tools//tools/build_defs/repo:local.bzl", "local_repository")
local(name = "of_modules", path = "m")
""",
    "a/WORKSPACE": "",
    "z/WORKSPACE": "",
}

OWN = ["alpha", "own", "thing", "zeta"]
"""The names that are not Bazel's own; asked of Bazel 0.24.1, 2.1.0 and 4.2.3."""


def names(load: Load, text: str, version: str, **options: object) -> list[str]:
    loader = load(FILES, version, **options).loader
    expansion = loader.expand(parse_pattern(text, PackageId("", "")))
    return [label.name for label in expansion.labels]


@pytest.mark.parametrize(
    "version, count",
    [
        pytest.param("0.24.1", 44, id="0.24.1"),
        pytest.param("2.1.0", 55, id="2.1.0"),
        # A Debian's has 34 of them: it leaves Android out.
        pytest.param("4.2.3", 43, id="4.2.3"),
    ],
)
def test_everything_in_it(load: Load, version: str, count: int) -> None:
    found = names(load, "//external:all", version)
    assert [name for name in found if name in OWN] == OWN
    assert len(found) == count
    assert sorted([*found, "WORKSPACE"]) == sorted(names(load, "//external:*", version))


def test_the_workspace_is_a_repository_of_its_own_name(load: Load) -> None:
    rule = load(FILES, "4.2.3").loader.target(Label("", "external", "own"))
    assert isinstance(rule, Rule)
    assert (rule.kind, str(rule.location)) == ("local_repository rule", "WORKSPACE:1:10")
    assert rule.attributes["path"].value == "."


def test_modules_make_no_target_of_it(load: Load) -> None:
    found = names(load, "//external:all", "7.7.1")
    assert [name for name in found if name in (*OWN, "of_modules")] == OWN


KEYS = """
def keys():
    fail(",".join(native.existing_rules().keys()) + "," + str(native.existing_rule("of_modules")))
"""


def test_workspace_sees_nothing_of_modules_and_may_define_their_names(load: Load) -> None:
    loaded = 'load("//:keys.bzl", "keys")\n'
    again = loaded + 'local_repository(name = "of_modules", path = "a")\n'
    asks = FILES["WORKSPACE"] + loaded + "keys()\n"
    for text, said in ((again, []), (asks, ["None"])):
        files = {**FILES, "WORKSPACE": text, "keys.bzl": KEYS, "BUILD": ""}
        table = load(files, "7.7.1").loader.table
        assert [problem.message.rpartition(",")[2] for problem in table.diagnostics] == said
        assert not any("of_modules" in problem.message for problem in table.diagnostics)
        assert table.definitions["of_modules"].attributes["path"] == "m"


def test_without_a_workspace_there_is_none(load: Load) -> None:
    loader = load(FILES, "8.7.0").loader
    found = loader.package(PackageId("", "external"))
    assert isinstance(found, NoSuchPackage)
    assert found.message.startswith("no such package 'external': ")
    assert load(FILES, "8.7.0", enable_workspace=True).loader.target(
        Label("", "external", "zeta")
    ).label == Label("", "external", "zeta")
