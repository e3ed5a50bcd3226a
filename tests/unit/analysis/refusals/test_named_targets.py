"""Targets that others name as a platform, a constraint value, a toolchain or a key of a select(),
and whose own analysis fails, in the words of each release. What releases up to 4.2.3 say is
measured (`tests/oracle/data/refused_platforms.txt` has the cases, `stands_*`)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bazelscope.analysis.refusals.refusal import Refusal
from bazelscope.api import Workspace
from bazelscope.bazel.release import Release
from bazelscope.bazel.removed_functions import removed_between
from tests.support.files import write_files

GONE = "@bazel_tools//platforms:linux"
FLAG = "--incompatible_use_platforms_repo_for_constraints"
KEYS = "errors encountered resolving select() keys for "
TOOLCHAINS = "While resolving toolchains for target "
NO_VALUE = (
    f"Target {GONE} was referenced as a constraint_value, but does not provide ConstraintValueInfo"
)
NO_PLATFORM = "Target //:child was referenced as a platform, but does not provide PlatformInfo"
FILES = {
    "WORKSPACE": "",
    "d.bzl": """\
def _toolchain(ctx):
    return [platform_common.ToolchainInfo()]

def _none(ctx):
    return []

implementation = rule(_toolchain)
plain = rule(_none)
with_toolchain = rule(_none, toolchains = ["//:type"])
""",
    "BUILD": f"""\
load(":d.bzl", "implementation", "plain", "with_toolchain")

config_setting(name = "linux", constraint_values = ["{GONE}"])
filegroup(name = "key", srcs = select({{"{GONE}": [], "//conditions:default": []}}))
filegroup(name = "setting", srcs = select({{":linux": [], "//conditions:default": []}}))
cc_library(name = "no_branch", copts = select({{":linux": []}}))
toolchain_type(name = "type")
toolchain(
    name = "toolchain",
    exec_compatible_with = ["{GONE}"],
    toolchain = ":implementation",
    toolchain_type = ":type",
)
implementation(name = "implementation")
with_toolchain(name = "resolves", tags = ["manual"])
plain(name = "asks", exec_compatible_with = ["{GONE}"])
plain(name = "incompatible", target_compatible_with = ["@bazel_tools//platforms:windows"])
plain(name = "plain")
platform(name = "child", parents = [":parent"])
platform(name = "parent", constraint_values = ["{GONE}"])
filegroup(name = "user", srcs = [":setting"])
""",
}


def _told(root: Path, version: str, target: str, *words: str) -> dict[str, str]:
    """What is refused, by target."""
    return {str(one.target): one.message for one in _refused(root, version, target, *words)}


def _refused(root: Path, version: str, target: str, *words: str) -> list[Refusal]:
    write_files(root, FILES)
    workspace = Workspace.open(root, bazel_version=version, host="linux")
    return [one for one in workspace.configure([*words]).refusals(target) if not one.also]


@pytest.mark.parametrize(
    ("target", "words", "message"),
    [
        ("key", (), f"{KEYS}//:key"),
        ("setting", (), f"{KEYS}//:setting"),
        ("no_branch", (), f"{KEYS}//:no_branch"),
        (
            "resolves",
            ("--extra_toolchains=//:toolchain",),
            f"{TOOLCHAINS}//:resolves: invalid registered toolchain '//:toolchain': ",
        ),
        (
            "asks",
            (),
            f"{TOOLCHAINS}//:asks: {NO_VALUE}",
        ),
        (
            "plain",
            ("--platforms=//:child",),
            f"{TOOLCHAINS}//:plain: {NO_PLATFORM}",
        ),
    ],
)
def test_bazel_6_refuses_who_names_a_constraint_that_is_gone(
    tmp_path: Path, target: str, words: tuple[str, ...], message: str
) -> None:
    told = _told(tmp_path, "6.4.0", f"//:{target}", *words)
    assert told.pop(GONE).startswith(f"in alias rule {GONE}: Constraints from @bazel_tools//")
    assert told == {f"//:{target}": message}


def test_what_depends_on_such_a_target_is_not_built_either(tmp_path: Path) -> None:
    assert _told(tmp_path, "6.4.0", "//:user").keys() == {GONE, "//:setting"}
    gone = "@bazel_tools//platforms:windows"
    assert _told(tmp_path, "6.4.0", "//:incompatible").keys() == {gone}


@pytest.mark.parametrize(("version", "words"), [("5.4.0", ()), ("6.4.0", (f"{FLAG}=false",))])
def test_other_releases_take_these_constraints(
    tmp_path: Path, version: str, words: tuple[str, ...]
) -> None:
    for target in ("key", "setting", "asks", "plain"):
        assert not _refused(tmp_path, version, f"//:{target}", *words)


def test_bazel_7_has_no_such_package(tmp_path: Path) -> None:
    """In the words that users of 7.2.1 and 7.4.0 quote (bazel-common#189)."""
    (refused,) = _refused(tmp_path, "7.4.0", "//:key")
    assert refused.message == (
        "no such package '@@bazel_tools//platforms': BUILD file not found in directory 'platforms'"
        " of external repository @@bazel_tools. Add a BUILD file to a directory to mark it as a"
        " package."
    )
    assert refused.remedy == "take @platforms//cpu and @platforms//os"


def test_an_earlier_release_refuses_them_by_the_flag(tmp_path: Path) -> None:
    told = _told(tmp_path, "4.2.3", "//:setting", FLAG)
    failed = f"Analysis of target '{GONE}' failed"
    assert told["//:setting"] == f"While resolving configuration keys for //:setting: {failed}"


def test_both_have_the_remedy_of_the_check_and_the_way_is_told(tmp_path: Path) -> None:
    removed = removed_between(Release.of("5.4.0"), Release.of("6.4.0"))
    said = next(one for one in removed if re.search(one.pattern, f'"{GONE}"'))
    found = {str(one.target): one for one in _refused(tmp_path, "6.4.0", "//:setting")}
    assert {one.remedy for one in found.values()} == {f"{said.remedy}: here, @platforms//os:linux"}
    assert [one.text for one in found["//:setting"].causes] == [
        f"//:linux depends on {GONE}",
        f"{GONE} is refused itself",
    ]
