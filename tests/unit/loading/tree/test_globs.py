"""Globs, with answers measured on Bazel 0.24.1, 2.1.0 and 4.2.3, which agree here."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from bazelscope.cli import main
from bazelscope.loading.tree import workspace_files
from bazelscope.loading.tree.globs import (
    GlobError,
    PackageFiles,
    matches_any,
    path_matcher,
    segments_of,
    without_excluded,
)
from bazelscope.loading.tree.workspace_files import Workspace
from tests.support.files import write_files

FILES = (
    "BUILD",
    "a.txt",
    "sp ace.txt",
    ".dot.txt",
    ".hid/h.txt",
    "d/.x.txt",
    "d/b.txt",
    "d/e/c.txt",
    "sub/BUILD",
    "sub/z.txt",
)
LINKED = ["linkd/.x.txt", "linkd/b.txt", "linkd/e/c.txt"]
ALL = [".dot.txt", ".hid/h.txt", "BUILD", "a.txt", "d/.x.txt", "d/b.txt", "d/e/c.txt"]


@pytest.fixture
def files(tmp_path: Path) -> PackageFiles:
    (tmp_path / "WORKSPACE").touch()
    for name in FILES:
        path = tmp_path / "g" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    (tmp_path / "g/dangling.txt").symlink_to("nowhere")
    (tmp_path / "g/linkd").symlink_to("d")
    workspace = Workspace.open(tmp_path)
    return PackageFiles(workspace, "g", lambda path: workspace.listing(path).build_file is not None)


@pytest.mark.parametrize(
    ("include", "exclude", "expected"),
    [
        (["*"], [], [".dot.txt", "BUILD", "a.txt", "sp ace.txt"]),
        (["*.txt"], [], ["a.txt", "sp ace.txt"]),
        (["**"], [], [*ALL, *LINKED, "sp ace.txt"]),
        (
            ["**/*.txt"],
            [],
            [".hid/h.txt", "a.txt", "d/b.txt", "d/e/c.txt", *LINKED[1:], "sp ace.txt"],
        ),
        (["**"], ["d"], [*ALL, *LINKED, "sp ace.txt"]),
        (["**"], ["d/**"], [*ALL[:4], *LINKED, "sp ace.txt"]),
        (["**"], ["?.txt"], [*ALL[:3], *ALL[4:], *LINKED, "sp ace.txt"]),
        (["a.txt", "nope.txt", "d", "sub/z.txt", "sub"], [], ["a.txt"]),
        (["**/e/**"], [], ["d/e/c.txt", "linkd/e/c.txt"]),
        ([".*"], [], [".dot.txt"]),
        (["**/h.txt"], [], [".hid/h.txt"]),
        (["d/**", "*.txt"], [], ["a.txt", "d/.x.txt", "d/b.txt", "d/e/c.txt", "sp ace.txt"]),
        (
            ["*/b.txt", "*/*/c.txt"],
            [],
            ["d/b.txt", "d/e/c.txt", "linkd/b.txt", "linkd/e/c.txt"],
        ),
        (["*a*.txt"], [], ["a.txt", "sp ace.txt"]),
    ],
)
def test_files(
    files: PackageFiles, include: list[str], exclude: list[str], expected: list[str]
) -> None:
    matching = files.glob(include, exclude_directories=True)
    assert without_excluded(matching, exclude, by_ends=True) == expected


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("d/**", ["d", "d/.x.txt", "d/b.txt", "d/e", "d/e/c.txt"]),
        ("*", [".dot.txt", ".hid", "BUILD", "a.txt", "d", "linkd", "sp ace.txt"]),
    ],
)
def test_directories_count_if_asked_for(
    files: PackageFiles, pattern: str, expected: list[str]
) -> None:
    assert files.glob([pattern], exclude_directories=False) == expected


def test_subpackages_are_borders(files: PackageFiles) -> None:
    assert files.subpackages(["*"]) == ["sub"]
    assert files.border_above("sub/z.txt") == "sub"
    assert files.border_above("d/b.txt") is None


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("", "cannot be empty"),
        ("/a", "cannot be absolute"),
        ("a/../b", r"segment '\.\.' not permitted"),
        ("a//b", "empty segment not permitted"),
        ("a**/b", "recursive wildcard must be its own segment"),
    ],
)
def test_bad_patterns(pattern: str, message: str) -> None:
    with pytest.raises(GlobError, match=message):
        segments_of(pattern)


def test_question_mark_is_refused_in_include(files: PackageFiles) -> None:
    with pytest.raises(GlobError, match="forbidden"):
        files.glob(["?.txt"], exclude_directories=True)


def test_a_plain_list_of_files() -> None:
    paths = ["a.h", "b/c.h", "b/.d.h", "e.cc"]
    assert matches_any(paths, ["**/*.h"]) == ["a.h", "b/c.h"]


def test_parentheses_are_left_out_of_what_is_no_beginning_and_no_end() -> None:
    files = ["a1.txt", "a(1).txt", "(b)c.txt", "bc.txt", "b).txt"]
    assert matches_any(files, ["a(1).txt"]) == ["a(1).txt"]
    assert matches_any(files, ["(b)*.txt"]) == ["b).txt", "bc.txt"]
    assert matches_any(files, ["(b)*"]) == ["(b)c.txt"]
    assert matches_any(files, ["*(1).txt"]) == ["a(1).txt"]
    assert without_excluded(files, ["a(*).t*t"], by_ends=True) == ["(b)c.txt", "bc.txt", "b).txt"]


def test_parentheses_in_a_directory(files: PackageFiles, tmp_path: Path) -> None:
    for name in ("(b)c.cc", "bc.cc"):
        (tmp_path / "g" / name).touch()
    assert files.glob(["(b)*.cc"], True) == ["bc.cc"]


PATHS = ["a/.x", "a/b/.y", "a/b/x", "a/x", "ab/x", "ax"]


@pytest.mark.parametrize(
    ("pattern", "left", "left_by_segments"),
    [
        ("a/**/*/x", ["a/.x", "a/b/.y", "ab/x", "ax"], ["a/.x", "a/b/.y", "a/x", "ab/x", "ax"]),
        ("a/b/**/*b/x", ["a/.x", "a/b/.y", "a/x", "ab/x", "ax"], PATHS),
        ("a/**/*x", ["a/b/.y", "ab/x", "ax"], ["a/.x", "a/b/.y", "ab/x", "ax"]),
        ("a/*/**/*x", ["a/.x", "a/b/.y", "a/x", "ab/x", "ax"], PATHS[:2] + PATHS[3:]),
        ("/**/*", PATHS, "pattern cannot be absolute (in glob pattern '/**/*')"),
        ("a**/*", [], "recursive wildcard must be its own segment (in glob pattern 'a**/*')"),
    ],
)
def test_recursive_excludes_go_by_their_ends(
    pattern: str, left: list[str], left_by_segments: list[str] | str
) -> None:
    # Measured: the first by 0.26.1, 2.1.0 and 4.2.3.
    assert without_excluded(PATHS, [pattern], by_ends=True) == left
    if isinstance(left_by_segments, str):
        with pytest.raises(GlobError) as error:
            without_excluded(PATHS, [pattern], by_ends=False)
        assert str(error.value) == left_by_segments
    else:
        assert without_excluded(PATHS, [pattern], by_ends=False) == left_by_segments


def test_a_question_mark_is_one_byte() -> None:
    files = ["a.txt", "\xe9.txt", "\udce9.txt"]
    assert without_excluded(files, ["?.txt"], by_ends=True) == ["\xe9.txt"]
    assert without_excluded(files, ["??.txt"], by_ends=True) == ["a.txt", "\udce9.txt"]
    assert without_excluded(files, ["\xe9.t?t"], by_ends=True) == ["a.txt", "\udce9.txt"]


def test_hostile_patterns_take_no_time() -> None:
    start = time.monotonic()
    assert not path_matcher(("*a*a*a*a*a*a*a*b",))("a" * 250)
    assert not path_matcher(("**", "a") * 20 + ("b",))("/".join("a" * 60))
    assert time.monotonic() - start < 2


def test_link_loops_end(tmp_path: Path) -> None:
    (tmp_path / "WORKSPACE").touch()
    (tmp_path / "p/x").mkdir(parents=True)
    (tmp_path / "p/x/f").touch()
    (tmp_path / "p/x/up").symlink_to("..")
    (tmp_path / "p/y").symlink_to("x")
    workspace = Workspace.open(tmp_path)
    files = PackageFiles(workspace, "p", lambda path: False)
    assert files.glob(["**"], exclude_directories=True) == ["x/f", "y/f"]


def nested_directories(root: Path, name: str, depth: int) -> None:
    """`name/name/.../f`, made step by step: a path may be too short to say it."""
    here = os.open(root, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir(name, dir_fd=here)
        inner = os.open(name, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inner
    os.close(os.open("f", os.O_CREAT | os.O_WRONLY, dir_fd=here))
    os.close(here)


@pytest.mark.parametrize("pattern", ["**", "**/f", "**/d/f"])
def test_however_deep_a_file_lies(tmp_path: Path, pattern: str) -> None:
    (tmp_path / "WORKSPACE").touch()
    nested_directories(tmp_path, "d", 300)
    workspace = Workspace.open(tmp_path)
    files = PackageFiles(workspace, "", lambda path: False)
    assert files.glob([pattern], exclude_directories=True)[-1] == "d/" * 300 + "f"
    assert not files.hidden
    found = Workspace.open(tmp_path).listing("/".join(["d"] * 300))
    assert list(found.entries) == ["f"]


def test_what_is_too_deep_for_the_system_is_told(tmp_path: Path) -> None:
    (tmp_path / "WORKSPACE").touch()
    long = "d" * 250
    nested_directories(tmp_path, long, 17)
    files = PackageFiles(Workspace.open(tmp_path), "", lambda path: False)
    assert files.glob(["**"], exclude_directories=True) == ["WORKSPACE"]
    ((path, why),) = files.hidden.items()
    assert (set(path.split("/")), why) == ({long}, "File name too long")


# Pattern: what a symbolic link out of the workspace hides from it.
HIDDEN = {
    "**": ["away"],
    "*/x.txt": ["away"],
    "away/x.txt": ["away"],
    "g/**": [],
    "*": [],
    "*.txt": [],
}


@pytest.mark.parametrize(("pattern", "hidden"), HIDDEN.items(), ids=HIDDEN)
def test_links_out_of_the_workspace_are_told(
    tmp_path: Path, pattern: str, hidden: list[str]
) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/x.txt").touch()
    (tmp_path / "inside/g").mkdir(parents=True)
    (tmp_path / "inside/WORKSPACE").touch()
    (tmp_path / "inside/away").symlink_to("../outside")
    files = PackageFiles(Workspace.open(tmp_path / "inside"), "", lambda path: False)
    files.glob([pattern], exclude_directories=True)
    assert files.hidden == dict.fromkeys(hidden, "a symbolic link leads out of the workspace")


def test_what_lies_behind_a_link_out_of_the_workspace_is_unknown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(
        tmp_path,
        {
            "outside/p/BUILD": 'filegroup(name = "p")\n',
            "inside/WORKSPACE": "",
            "inside/.bazelversion": "4.2.3\n",
            "inside/a/BUILD": 'filegroup(name = "a", srcs = glob(["**"]) + ["//away/p"])\n',
        },
    )
    (tmp_path / "inside/away").symlink_to("../outside")
    (tmp_path / "inside/a/away").symlink_to("../../outside")
    assert main(["deps", "//a", "-w", str(tmp_path / "inside"), "--no-cache"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "//away/p:p srcs of //a:a" in out or "//away/p:p srcs a/BUILD" in out
    link = "`away` is a symbolic link out of the workspace (--links-to DIR follows)"
    assert f"unknown: //away/p: {link}" in out
    assert "1 of 3 loaded targets could not be read: behind links out of the workspace" in out


@pytest.mark.parametrize("allowed", ["outside", "", "/"])
def test_links_lead_where_the_user_lets_them(
    allowed: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {"inside/WORKSPACE": "", "outside/p/BUILD": "filegroup(name = 'p', srcs = ['f'])\n"}
    write_files(tmp_path, files)
    (tmp_path / "inside/away").symlink_to("../outside")
    cache, flag = str(tmp_path / "cache"), ["--links-to", str(tmp_path / allowed)]
    line = ["query", "deps(//away/p)", "-w", str(tmp_path / "inside"), "--cache-dir", cache]
    known, unknown = ["//away/p:f", "//away/p:p"], ["//away/p:p"]
    for more, expected in ((), unknown), (flag, known), ((), unknown), (flag, known):
        main([*line, *more])
        assert capsys.readouterr().out.split() == expected


def test_folders_that_link_to_one_another_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workspace_files, "MAXIMUM_BEHIND_LINKS", 50)
    (tmp_path / "WORKSPACE").touch()
    for one in range(7):
        (tmp_path / f"d{one}").mkdir()
        (tmp_path / f"d{one}/f").touch()
        for other in set(range(7)) - {one}:
            (tmp_path / f"d{one}/to{other}").symlink_to(f"../d{other}")
    files = PackageFiles(Workspace.open(tmp_path), "", lambda path: False)
    found = files.glob(["**/f"], exclude_directories=True)
    assert {f"d{number}/f" for number in range(7)} <= set(found)
    assert len(found) == 7 + 50
    assert set(files.hidden.values()) == {"too many folders behind symbolic links"}
