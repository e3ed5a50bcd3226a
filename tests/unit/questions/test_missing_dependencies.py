"""`deps`, `path` and `explain` tell of dependencies that are not there, each in one warning."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bazelscope.api import Workspace
from bazelscope.base.errors import Diagnostic
from bazelscope.cli import main
from tests.support.files import write_files

_FILES = {
    "WORKSPACE": "",
    ".bazelversion": "4.2.3\n",
    "app/BUILD": """
config_setting(name = "is_far", define_values = {"far": "true"})
filegroup(name = "app", srcs = [":one", ":two"])
filegroup(name = "one", srcs = ["//end", "//end:gone"])
filegroup(name = "two", srcs = ["//end:gone"] + select({
    ":is_far": ["//nowhere:x"],
    "//conditions:default": [],
}))
filegroup(name = "well", srcs = ["//end"])
""",
    "end/BUILD": 'filegroup(name = "end")\n',
}
GONE = "no such target '//end:gone': target 'gone' not declared in package 'end' defined by"
_GONE = [f"{GONE} end/BUILD and referenced by '//app:one'", "and referenced by '//app:two'"]
_NOWHERE = "no such package 'nowhere': "


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    write_files(tmp_path, _FILES)
    return Workspace.open(tmp_path)


def told(diagnostics: tuple[Diagnostic, ...]) -> list[list[str]]:
    """The messages of each report, its notes behind it."""
    return [[found.message, *(note.message for note in found.notes)] for found in diagnostics]


@pytest.mark.parametrize("question", ["deps", "path", "paths", "no path", "explain"])
def test_missing_under_flags(workspace: Workspace, question: str) -> None:
    build = workspace.configure(["--define=far=false", "//app"])
    answers = {
        "deps": lambda: build.deps("//app"),
        "path": lambda: build.path("//app", "//end"),
        "paths": lambda: build.paths("//app", "//end"),
        "no path": lambda: build.path("//app", "//app:well"),
        "explain": build.explain,
    }
    assert told(answers[question]().envelope.diagnostics) == [_GONE]


@pytest.mark.parametrize("question", ["deps", "path", "paths"])
def test_missing_in_any_branch(workspace: Workspace, question: str) -> None:
    build = workspace.configure([])
    answers = {
        "deps": lambda: build.deps("//app"),
        "path": lambda: build.path("//app", "//end"),
        "paths": lambda: build.paths("//app", "//end"),
    }
    gone, nowhere = told(answers[question]().envelope.diagnostics)
    assert gone == _GONE
    assert nowhere[0].startswith(_NOWHERE) and nowhere[0].endswith("referenced by '//app:two'")


def test_what_is_missing_elsewhere_is_not_told(workspace: Workspace) -> None:
    build = workspace.configure(["--define=far=true", "//app:well"])
    assert build.deps("//app").envelope.diagnostics
    assert build.path("//app:well", "//end").envelope.diagnostics == ()
    assert build.explain().envelope.diagnostics == ()


@pytest.mark.parametrize(("options", "notes", "last"), [
    ([], 0, "referenced by '//:asks0' (7 more notes: --full)  BUILD:1"),
    (["--full"], 7, "note: and referenced by '//:asks7'"),
], ids=["the first few", "all"])  # fmt: skip
def test_who_else_asks_for_one_that_is_missing_is_listed_in_part(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    options: list[str],
    notes: int,
    last: str,
) -> None:
    asking = [f'filegroup(name = "asks{n}", srcs = ["//gone"])\n' for n in range(8)]
    top = 'filegroup(name = "top", srcs = [' + ", ".join(f'":asks{n}"' for n in range(8)) + "])\n"
    write_files(
        tmp_path, {"WORKSPACE": "", ".bazelversion": "4.2.3\n", "BUILD": "".join(asking) + top}
    )
    assert main(["deps", "//:top", "-w", str(tmp_path), *options]) == 3
    err = capsys.readouterr().err
    assert err.count("note: and referenced by") == notes
    assert last in err


def test_a_package_that_is_not_there_is_refused_once_for_all_that_need_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    build = "".join(f'filegroup(name = "{n}", srcs = ["//gone:{n}"])\n' for n in "ab")
    build += 'filegroup(name = "top", srcs = [":a", ":b"])\n'
    write_files(tmp_path, {"WORKSPACE": "", ".bazelversion": "4.2.3\n", "BUILD": build})
    assert main(["explain", "--workspace", str(tmp_path), "//:top"]) == 3
    out, err = capsys.readouterr()
    assert not err  # The answer has told it.
    refused = out.split("What follows")[0].split("\n\n")
    assert refused[0] == "Bazel refuses this: 2 errors."
    (told, *_) = refused[1:]
    assert told.startswith("2 targets: //:a, //:b\n  no such package 'gone': BUILD file not found")
    assert "referenced by" not in told


def test_a_toolchain_that_is_not_there_is_refused_once_for_all_rules_of_a_class(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    build = "".join(f'cc_library(name = "{n}")\n' for n in "ab")
    build += 'filegroup(name = "top", srcs = [":a", ":b"])\n'
    rc = "build --crosstool_top=//nowhere:x\n"
    files = {"WORKSPACE": "", ".bazelversion": "0.24.1\n", ".bazelrc": rc, "BUILD": build}
    write_files(tmp_path, {**files, "nowhere/BUILD": ""})
    assert main(["explain", "--workspace", str(tmp_path), "//:top"]) == 3
    refused = capsys.readouterr().out.split("What follows")[0].split("\n\n")
    assert refused[0] == "Bazel refuses this: 2 errors."
    (told,) = filter(None, refused[1:])
    assert told.startswith("2 targets: //:a, //:b\n")
    assert "--crosstool_top=//nowhere:x  .bazelrc:1" in told


def test_a_pattern_over_packages_in_error_is_refused_for_each(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Measured with 4.2.3: those that another pattern excludes count, too."""
    bad = {f"p{number}/BUILD": 'fail("stop")' for number in range(2)}
    bad |= {f"q{number}/BUILD": 'load("@gone//:x.bzl", "y")' for number in range(4)}
    write_files(tmp_path, {"WORKSPACE": "", ".bazelversion": "4.2.3", "BUILD": "", **bad})
    words = ["-w", str(tmp_path), "--no-cache", "--full"]
    assert main(["explain", *words, "--", "//...", "-//p0/..."]) == 3
    out = capsys.readouterr().out
    assert out.startswith("Bazel refuses this: 6 errors.")
    assert "package contains errors: p0" in out
    (line,) = (one for one in out.splitlines() if one.startswith("error:"))
    assert "'q0'" in line and line.endswith("(and 3 more)")
    assert main(["explain", "//:all", *words]) == 0


@pytest.mark.parametrize("pattern", ["//nowhere:all", "//nowhere/..."])
def test_a_pattern_that_names_nothing_is_a_no(tmp_path: Path, pattern: str) -> None:
    write_files(tmp_path, {"WORKSPACE": "", "BUILD": ""})
    assert main(["explain", pattern, "-w", str(tmp_path), "--no-cache"]) == 1


_UNKNOWN = """
load("@far//:defs.bzl", "tested")
tested(name = "t", env = {"EXPECT": "//:gone"}, deps = ["//:lost"])
"""
_FAR = """
load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
http_archive(name = "far", urls = ["https://e.org/far.zip"])
"""


def test_texts_of_unknown_rules_may_be_no_labels(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing tells what the rule is, nor that `env` is a label of it; `deps` would be."""
    write_files(tmp_path, {"WORKSPACE": _FAR, "app/BUILD": _UNKNOWN, "BUILD": ""})
    workspace = Workspace.open(tmp_path, bazel_version="4.2.3")
    build = workspace.configure(["//app:t"])
    for found in (build.explain(), build.deps("//app:t"), workspace.configure([]).deps("//app:t")):
        shown = "\n".join(one.message for one in found.envelope.diagnostics)
        assert "//:gone" not in shown and "//:lost" in shown
    for found in (build.deps("//app:t"), workspace.configure([]).deps("//app:t")):
        listed = {str(one.node.label) for one in found.dependencies}
        assert "//:gone" not in listed and "//:lost" in listed
    main(["cquery", "deps(//app:t)", "-w", str(tmp_path), "--bazel-version", "4.2.3"])
    assert "//:gone" not in capsys.readouterr().err


def test_source_files_that_are_not_there_are_told_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    sources = [f"{letter}.cc" for letter in "abcdefghijklmnopqrst"]
    files = {
        "WORKSPACE": "",
        ".bazelversion": "4.2.3",
        "p/BUILD": f'cc_library(name = "x", srcs = {json.dumps([*sources, "z.cc"])})\n',
        **dict.fromkeys((f"p/{name}" for name in sources), ""),
    }
    write_files(tmp_path, files)
    monkeypatch.chdir(tmp_path)
    command = ["explain", "//p:x", "--cache-dir", str(tmp_path / "cache")]
    assert main(command) == 0
    lines = capsys.readouterr().out.splitlines()
    told = "    1 source file of these is not there: an action that reads one fails"
    place = lines.index(told)
    assert lines[place + 2] == "      //p:z.cc  source file, not there"
    (tmp_path / "p/z.cc").touch()  # What was kept of the answer does not hold any more.
    assert main(command) == 0
    assert "not there" not in capsys.readouterr().out


_FAR_BELOW = {
    "WORKSPACE": "",
    "p/BUILD": """
cc_library(name = "low", srcs = ["low.cc", "gone.cc"], hdrs = ["gone.h"])
cc_library(name = "mid", srcs = ["mid.cc"], deps = [":low"])
cc_binary(name = "top", srcs = ["top.cc"], deps = [":mid"])
""",
    **{f"p/{name}.cc": "" for name in ("low", "mid", "top")},
}
_BOTH = "2 source files are not there, `//p:gone.cc` among them: an action that reads one fails"
_NAMED = [
    "`//p:gone.cc`, which //p:low names in `srcs`",
    "`//p:gone.h`, which //p:low names in `hdrs`",
]


@pytest.mark.parametrize("words", [["//p:top"], []], ids=["flags", "any branch"])
def test_source_files_that_are_not_there_are_told_of_all_below(
    tmp_path: Path, words: list[str]
) -> None:
    write_files(tmp_path, _FAR_BELOW)
    build = Workspace.open(tmp_path, bazel_version="4.2.3").configure(words)
    answers = [build.deps("//p:top"), *([build.explain()] if words else [])]
    assert [told(one.envelope.diagnostics) for one in answers] == [[[_BOTH, *_NAMED]]] * len(
        answers
    )
    path = build.path("//p:top", "//p:gone.cc")
    assert [step.node.is_absent for step in path.steps] == [False, False, False, True]


@pytest.mark.parametrize(
    "asked", [["compile", "//p:low"], ["deps", "//p:top"], ["explain", "//p:top"]], ids=" ".join
)
def test_a_source_file_that_comes_later_is_seen(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], asked: list[str]
) -> None:
    """Also by an answer that an earlier run has kept."""
    write_files(tmp_path, {**_FAR_BELOW, "p/gone.h": ""})
    words = [*asked, "-w", str(tmp_path), "--cache-dir", str(tmp_path / "cache")]
    one = "there is no source file `//p:gone.cc`, which //p:low names in `srcs`"
    for _ in range(2):
        assert main(words) == 0
        assert one in capsys.readouterr().err
    write_files(tmp_path, {"p/gone.cc": ""})
    assert main(words) == 0
    assert "source file" not in capsys.readouterr().err


def test_what_an_error_may_keep_from_being_declared_is_not_said_to_be_no_file(
    tmp_path: Path,
) -> None:
    build = 'cc_library(name = "x", deps = [":y"])\n{}cc_library(name = "y")\n'
    for error in ("", 'fail("stop")\n'):
        write_files(tmp_path, {"WORKSPACE": "", "p/BUILD": build.format(error)})
        workspace = Workspace.open(tmp_path, bazel_version="4.2.3")
        found = workspace.configure([]).deps("//p:x").envelope.diagnostics
        assert not [one for one in found if one.code == "no-such-file"]


def test_what_documentation_is_extracted_into_is_a_generated_file(tmp_path: Path) -> None:
    build = """
starlark_doc_extract(name = "sub/doc", src = "a.bzl")
filegroup(name = "both", srcs = ["sub/doc.binaryproto", "sub/doc.textproto"])
"""
    write_files(tmp_path, {"MODULE.bazel": "", "BUILD": build, "a.bzl": ""})
    answer = Workspace.open(tmp_path, bazel_version="8.5.0").configure([]).deps("//:both")
    kinds = {str(one.node.label): one.node.kind for one in answer.dependencies}
    assert kinds["//:sub/doc.binaryproto"] == kinds["//:sub/doc.textproto"] == "generated file"
    assert not answer.envelope.diagnostics
