"""Where no path is known, what cannot be told below the start is said, and nothing denied."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bazelscope.api import Workspace
from bazelscope.cli import main
from tests.support.files import write_files

_FILES = {
    "WORKSPACE": """
load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
http_archive(name = "far", urls = ["https://example.com/far.zip"])
http_archive(
    name = "overlaid",
    build_file_content = 'filegroup(name = "files", srcs = glob(["*.cc"]))',
    urls = ["https://example.com/overlaid.zip"],
)
""",
    ".bazelversion": "4.2.3\n",
    "end/BUILD": 'filegroup(name = "end", visibility = ["//visibility:public"])\n',
    "known/BUILD": """
package(default_visibility = ["//visibility:public"])
filegroup(name = "all_known", srcs = ["file.txt"])
filegroup(name = "globbing", srcs = ["@overlaid//:files"])
""",
    "app/BUILD": """
load("@far//:defs.bzl", "listed")
config_setting(name = "is_far", define_values = {"far": "true"})
filegroup(name = "app", srcs = [":mid", ":other"])
filegroup(name = "mid", srcs = select({
    ":is_far": ["@far//b:near"],
    "//conditions:default": ["//known:all_known"],
}))
filegroup(name = "other", srcs = ["//known:all_known"])
filegroup(name = "attribute", srcs = listed())
filegroup(name = "cut", srcs = ["@far//c:deep"] + select({
    ":is_far": ["//end"],
    "//conditions:default": [],
}))
filegroup(name = "one_way", srcs = ["//end", "@far//c:deep"])
""",
    "known/file.txt": "",
}


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write_files(tmp_path, _FILES)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return tmp_path


# Start, end, flags: exit code, and what cannot be told.
_CASES = {
    "all is known": ("//known:all_known", "//end", [], 1, []),
    "an external target in some branch": ("//app:app", "//end", [], 3, ["@far//b:near"]),
    "in a branch that these flags do not take": ("//app:app", "//end", ["--copt=-g"], 1, []),
    "in a branch that these flags take": (
        "//app:app", "//end", ["--define=far=true"], 3, ["@far//b:near"],
    ),
    "an attribute": ("//app:attribute", "//end", [], 3, ["//app:attribute"]),
    "beside a branch that is cut": ("//app:cut", "//end", ["--copt=-g"], 3, ["@far//c:deep"]),
    "behind what is avoided": ("//app:app", "//end", ["--avoid", "//app:mid"], 1, []),
    "a glob leads to no rule": ("//known:globbing", "//end", [], 1, []),
    "a glob of another package": ("//known:globbing", "//known:file.txt", [], 1, []),
}  # fmt: skip


@pytest.mark.parametrize("every", [[], ["--all-paths"]], ids=["path", "all paths"])
@pytest.mark.parametrize(
    ("start", "end", "flags", "code", "unknown_below"), _CASES.values(), ids=_CASES.keys()
)
def test_no_path_is_known(
    root: Path,
    capsys: pytest.CaptureFixture[str],
    every: list[str],
    start: str,
    end: str,
    flags: list[str],
    code: int,
    unknown_below: list[str],
) -> None:
    words = ["path", start, end, *flags, *every, "--no-cache"]
    assert main([*words, "--format", "json"]) == code
    found = json.loads(capsys.readouterr().out)["unknown_below"] or {"first": []}
    assert [item["label"] for item in found["first"]] == unknown_below
    assert main(words) == code
    out = capsys.readouterr().out
    assert (f"No path is known from {start} to {end}:end" in out) == bool(unknown_below)
    assert (
        f"1 target below {start} is not wholly known; a path might go through it:" in out
    ) == bool(unknown_below)


@pytest.mark.parametrize(
    ("start", "end", "flags", "code", "unknown_below"),
    [case for case in _CASES.values() if "--avoid" not in case[2]],
    ids=[name for name, case in _CASES.items() if "--avoid" not in case[2]],
)
def test_graph_agrees_with_path(
    root: Path,
    capsys: pytest.CaptureFixture[str],
    start: str,
    end: str,
    flags: list[str],
    code: int,
    unknown_below: list[str],
) -> None:
    words = ["graph", start, end, *flags, "--no-cache"]
    assert main([*words, "--format", "json"]) == code
    found = json.loads(capsys.readouterr().out)["unknown_below"] or {"first": []}
    assert [item["label"] for item in found["first"]] == unknown_below
    assert main(words) == code
    captured = capsys.readouterr()
    told = f"No path {'is known ' if unknown_below else ''}from {start} to {end}"
    assert told in captured.out + captured.err
    may_lead = f"1 target below {start} is not wholly known; a path might go through it:"
    assert (may_lead in captured.out + captured.err) == bool(unknown_below)


def test_graph_to_a_repository_that_is_not_known_to_be_reached(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for command in ("path", "graph"):
        assert main([command, "//app:cut", "@overlaid", "--no-cache"]) == 3
        out = capsys.readouterr()
        text = out.out + out.err
        assert "no target of `@overlaid` is known to be below //app:cut" in text
        assert "1 target below //app:cut is not wholly known" in text


def test_what_is_not_known_has_reason_and_place(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["path", "//app:app", "//end", "--no-cache"]) == 3
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    at = lines.index("1 target below //app:app is not wholly known; a path might go through it:")
    assert lines[at + 1 : at + 3] == [
        "@far//b:near of //app:mid app/BUILD:5",
        "unknown: @far//b:BUILD.bazel: not downloaded",
    ]


def test_that_there_are_no_others_is_not_said(root: Path) -> None:
    listed = Workspace.open(root).configure([]).paths("//app:one_way", "//end")
    assert len(listed.paths) == 1
    assert listed.unknown_below is not None and listed.unknown_below.total == 1


def test_the_list_of_paths_says_so(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["path", "//app:one_way", "//end", "--all-paths", "--no-cache"]) == 0
    assert "1 path, shortest first; no other is known." in capsys.readouterr().out


@pytest.mark.parametrize(("start", "hides"), [("//app:cut", True), ("//app:one_way", False)])
def test_that_only_some_flags_make_a_path_is_as_far_as_is_known(
    start: str, hides: bool, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for command in ("path", "when"):
        assert main([command, start, "//end"]) == 0
        told = capsys.readouterr().out
        assert (
            f"1 target below {start} is not wholly known; another path might go through it" in told
        ) == hides


@pytest.mark.parametrize("question", (["path", "@gone//x:y", "top"], ["deps", "@gone//x:y"]))
def test_what_is_unknown_is_told_once(
    question: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    workspace = 'load("@rules//:defs.bzl", "rules")\nrules()\n'
    write_files(tmp_path, {"WORKSPACE": workspace, "BUILD": 'filegroup(name = "top")'})
    main([*question, f"--workspace={tmp_path}", "--bazel-version=4.2.3", "--no-cache"])
    assert capsys.readouterr().out.count("perhaps defined by something unknown") == 1


def test_two_names_that_mean_nothing_alike_are_told_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(tmp_path, {"WORKSPACE": "", "BUILD": ""})
    main(["explain", "gone", "gone", f"--workspace={tmp_path}", "--no-cache"])
    assert capsys.readouterr().out.count("no such target '//:gone'") == 1
