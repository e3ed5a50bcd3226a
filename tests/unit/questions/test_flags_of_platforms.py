"""`flag` under a platform that sets flags itself: they take the place of what the line says."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.api import Workspace

BUILD = """\
platform(name = "base", flags = ["--copt=-DBASE", "--define=z=1"])
platform(name = "p", parents = [":base"], flags = ["--define=x=1", "--copt=-DP"])
"""


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    (tmp_path / "MODULE.bazel").touch()
    (tmp_path / "BUILD").write_text(BUILD)
    return Workspace.open(tmp_path, bazel_version="8.1.0")


def test_flags_of_a_platform_and_its_parents(workspace: Workspace) -> None:
    answer = workspace.configure(["--platforms=//:p", "--copt=-O3"]).flag("copt")
    assert answer.values == ("-DBASE", "-DP")
    told = [(one.setting.value, one.counts) for one in answer.settings]
    assert told == [("-O3", False), ("-DBASE", True), ("-DP", True)]
    places = [one.setting.location for one in answer.settings if one.counts]
    assert [place.line for place in places if place is not None] == [1, 2]
    assert [effect.setting.value for effect in answer.compiler] == ["-DBASE", "-DP"]


def test_of_two_defines_with_one_name_the_platforms_counts(workspace: Workspace) -> None:
    build = workspace.configure(["--platforms=//:p", "--define=x=2", "--define=y=2"])
    assert build.flag("define=x").values == ("1",)
    assert [one.counts for one in build.flag("define=x").settings] == [False, True]
    assert not build.flag("define=y").is_set
    assert workspace.configure(["--define=y=2"]).flag("define=y").values == ("2",)


def test_a_transition_of_its_own_for_tools_is_told_to_be_left_out(workspace: Workspace) -> None:
    (workspace.root / "tool").mkdir()
    (workspace.root / "tool/BUILD").write_text(
        "genrule(name = 'g', outs = ['o'], cmd = 'x', tools = [':t'])\n"
        "filegroup(name = 't', srcs = [':o2'])\n"
        "genrule(name = 'g2', outs = ['o2'], cmd = 'x')\n"
    )
    option = "--experimental_exec_config=//:x.bzl%t"
    (assumed,) = workspace.configure([option]).deps("//tool:g").envelope.completeness.assumptions
    assert option in str(assumed)
    assert not workspace.configure([option]).deps("//tool:g2").envelope.completeness.assumptions


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ("cc_libary", "Undefined symbol in --incompatible_autoload_externally: 'cc_libary'"),
        ("cc_test,@rules_cc", "Duplicated symbol 'cc_test' in --incompatible_autoload_externally"),
        ("+@rules_python,-cc_common", ""),
    ],
)
def test_names_that_autoloads_do_not_know(workspace: Workspace, value: str, problem: str) -> None:
    build = workspace.configure([f"--incompatible_autoload_externally={value}"])
    assert [one.message for one in build.flags.diagnostics] == [problem] * bool(problem)
