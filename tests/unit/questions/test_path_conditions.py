"""`path` says what its branches ask for, and what is true of the dependency over all paths."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.cli import main
from tests.support.files import write_files
from tests.unit.questions.when_world import (
    BOTH,
    DRIVER,
    GCS,
    GROUP,
    GROUPS,
    PUBLIC,
    TWO,
    workspace,
)


@pytest.mark.parametrize(
    ("build", "names", "words", "said_so"),
    [
        # FINDINGS P1 to P3 and P5: what is said of a path is true of the dependency.
        (DRIVER, ("top", "lib"), [], "Only with --define=cuda=true, unless --define=shared=true."),
        (DRIVER, ("top", "lib"), [], "Not so now: --define=shared=true (.bazelrc:1)"),
        (TWO, ("two", "g"), [], "Only with one of these:"),
        (GCS, ("top", "lib"), ["--define=nogcp=true"], "Always, unless --define=nogcp=true:"),
        (
            GCS,
            ("top", "lib"),
            ["--define=nogcp=true"],
            "Not so now: --define=nogcp=true (command line)",
        ),
        (BOTH, ("x", "g"), [], "Always, whatever the flags, this way or another."),
        (GROUP, ("z", "g"), [], "Only with one of these:"),
    ],
)
def test_path_says_what_is_true_of_all_paths(
    tmp_path: Path,
    build: str,
    names: tuple[str, str],
    words: list[str],
    said_so: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    workspace(tmp_path, build, "build --define=shared=true --define=cuda=true\n")
    main(["path", *names, *words, "-w", str(tmp_path), "--no-cache"])
    assert said_so in [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize(
    ("source", "branch"),
    [
        # FINDINGS P4: groups of both kinds say what they ask for, in one form.
        ("with_any", "if //:any --define=a=1 or --define=b=1 select() at BUILD:17"),
        ("with_all", "if //:all --define=a=1 --define=b=1 select() at BUILD:18"),
        ("only_default", "always: the select() has no other branch select() at BUILD:21"),
    ],
)
def test_a_branch_says_what_it_asks_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], source: str, branch: str
) -> None:
    workspace(tmp_path, GROUPS)
    write_files(tmp_path, {"p/BUILD": PUBLIC})
    assert main(["path", source, "g", "-w", str(tmp_path), "--no-cache", "--full"]) == 0
    out = capsys.readouterr().out
    assert branch in [" ".join(line.split()) for line in out.splitlines()]
    assert "unless :" not in out


def test_a_condition_behind_an_alias_has_its_own_place(tmp_path: Path) -> None:
    asked = workspace(tmp_path, GROUPS)
    write_files(tmp_path, {"p/BUILD": PUBLIC})
    configured = asked.configure([])
    (need,) = configured.path("first", "lib").needs
    assert need.location is not None
    assert (need.location.path, need.location.line) == ("BUILD", 2)
    answer = configured.path("aliased", "g")
    assert answer.steps[0].edge is not None
    assert answer.steps[0].edge.branch is not None
    (need,) = answer.steps[0].edge.branch.needs
    assert need.location is not None
    assert (need.location.path, need.location.line) == ("p/BUILD", 4)


def test_edges_of_two_branches_that_are_always_taken_are_no_dashes(tmp_path: Path) -> None:
    configured = workspace(tmp_path, BOTH + TWO).configure([])
    both = configured.graph_between("x", "g", configured=False)
    assert [edge.is_always for edge in both.edges] == [True, True]
    two = configured.graph_between("two", "g", configured=False)
    assert [edge.is_always for edge in two.edges] == [False, False]
    needed = [edge.branch.needs[0].text for edge in two.edges if edge.branch is not None]
    assert needed == ["--define=a=1", "--define=b=1"]


def test_the_flags_of_a_path_make_the_steps_that_are_shown(tmp_path: Path) -> None:
    """Two branches of one select() lead on, and a later one is told apart by both."""
    settings = {"clang": "clang", "nvcc": "nvcc"}
    build = "".join(
        f'config_setting(name = "{name}", define_values = {{"{name}": "1"}})\n'
        f'config_setting(name = "{name}_dyn", define_values = {{"{name}": "1", "shared": "1"}})\n'
        for name in settings
    )
    build += """
filegroup(
    name = "mid",
    srcs = select({":nvcc_dyn": [], ":clang_dyn": [], "//conditions:default": [":lib"]}),
)
"""
    for first, second in (("clang", "nvcc"), ("nvcc", "clang")):
        branches = f'":{first}": [":mid"], ":{second}": [":mid"], "//conditions:default": []'
        top = f'filegroup(name = "top", srcs = select({{{branches}}}))\n'
        root = tmp_path / first
        asked = workspace(root, build + top, "build --define=shared=1\n").configure([])
        answer = asked.path("top", "lib")
        edge = answer.steps[0].edge
        assert edge is not None and edge.branch is not None
        shown = edge.branch.condition.name
        assert [need.text for need in answer.needs] == [f"--define={shown}=1"]
        assert answer.flags is not None
        assert f"--define={shown}=1" in answer.flags.options


@pytest.mark.parametrize(
    ("build", "line"),
    [(DRIVER, ["-c", "opt"]), (GCS, ["--define=nogcp=true"]), (TWO, ["-c", "opt"])],
)
def test_a_cut_path_says_what_makes_it_so_on_top_of_the_line(
    tmp_path: Path, build: str, line: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    workspace(tmp_path, build, "build --define=shared=true --define=cuda=true\n")
    names = ["two", "g"] if build is TWO else ["top", "lib"]
    words = ["path", *names, *line, "-w", str(tmp_path), "--no-cache", "--host=linux"]
    assert main(words) == 1
    rows = capsys.readouterr().out.splitlines()
    (added,) = [row for row in rows if row.startswith("To make it so, add ")]
    assert main([*words, *added.removeprefix("To make it so, add ").split()]) == 0
