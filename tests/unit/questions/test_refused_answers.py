"""Answers about a target that Bazel refuses begin with that, and end in its exit code."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.analysis.rules import calls
from bazelscope.cli import main
from bazelscope.starlark import Limits
from tests.support.files import write_files

_BUILD = """
config_setting(name = "a", values = {"define": "a=1"})
config_setting(name = "b", values = {"define": "b=1"})
filegroup(name = "clash", srcs = select({
    ":a": ["end"],
    ":b": [],
    "//conditions:default": [],
}))
filegroup(name = "top", srcs = [":clash"])
"""
_CLASHING = ("--define=a=1", "--define=b=1")


@pytest.fixture(autouse=True)
def _workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "WORKSPACE").touch()
    (tmp_path / ".bazelversion").write_text("4.2.3\n")
    (tmp_path / "BUILD").write_text(_BUILD)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))


@pytest.mark.parametrize(
    ("flags", "code"), [(_CLASHING, 3), (("--define=b=1",), 1), (("--define=a=1",), 0)]
)
def test_that_a_path_is_refused_comes_before_that_there_is_none(
    flags: tuple[str, ...], code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["path", "//:top", "//:end", *flags]) == code
    assert capsys.readouterr().out.startswith("Bazel refuses this") == (code == 3)


def test_nothing_beats_a_branch_of_an_ambiguous_select(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["explain", "//:clash", *_CLASHING]) == 3
    told = capsys.readouterr().out
    assert "is more specific" not in told
    assert told.count("holds as well") == 2


def test_the_causes_of_a_name_begin_with_what_is_refused(
    capsys: pytest.CaptureFixture[str],
) -> None:
    asked = ["explain", "--why", "a", "//:top", *_CLASHING]
    assert main(asked) == 3
    assert capsys.readouterr().out.startswith("Bazel refuses this: 1 error (see `explain`).")
    assert main([*asked, "--full"]) == 3
    assert "Illegal ambiguous match" in capsys.readouterr().out
    assert main(["explain", "--why", "a", "//:top", "--define=a=1"]) == 0


def test_the_errors_of_all_groups_are_those_of_the_head(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Several errors may be about one target: a group says how many where they are more."""
    (tmp_path / "BUILD").write_text("""
filegroup(name = "one", srcs = ["//gone:a", "//gone:b"])
filegroup(name = "two", srcs = ["//gone:a", "//gone:b", "//gone:c"])
filegroup(name = "lost", srcs = ["//away:a", "//away:b"])
filegroup(name = "top", srcs = [":one", ":two", ":lost"])
""")
    assert main(["deps", "//:top", "--compilation_mode=opt"]) == 3
    printed = capsys.readouterr().out
    assert printed.startswith("Bazel refuses this: 7 errors.")
    assert "2 targets (5 errors): //:one, //:two" in printed
    assert "//:lost (srcs) (2 errors)" in printed


def test_a_target_that_is_not_there_is_told_once_of_all_who_name_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(tmp_path, {"p/BUILD": "", "q/BUILD": 'filegroup(name = "b", srcs = ["//p:gone"])'})
    build = 'filegroup(name = "{}", srcs = ["//p:gone", "//p:lost"])\n'
    (tmp_path / "BUILD").write_text(build.format("a") + build.format("c"))
    assert main(["explain", "//..."]) == 3
    printed = capsys.readouterr().out
    assert printed.startswith("Bazel refuses this: 5 errors.")
    assert "3 targets: //:a, //:c, //q:b\n  no such target '//p:gone'" in printed
    assert "2 targets: //:a, //:c\n  no such target '//p:lost'" in printed


def test_what_bazel_would_come_to_next_is_told_of_a_target_of_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {
        "WORKSPACE": "",
        "d.bzl": 'def _i(ctx):\n    fail("add --config=x")\n'
        'r = rule(_i, attrs = {"d": attr.label()})\n',
        "BUILD": """
load(":d.bzl", "r")
config_setting(name = "opt", values = {"compilation_mode": "opt"})
filegroup(name = "bad", srcs = select({":opt": []}))
sh_binary(name = "worse", srcs = select({":opt": ["t.sh"]}))
r(name = "top", d = ":bad")
r(name = "next", d = ":worse")
""",
        "t.sh": "",
    }
    write_files(tmp_path, files)
    main(["explain", "//:top", "-w", str(tmp_path), "--no-cache", "--bazel-version=4.2.3"])
    told = " ".join(capsys.readouterr().out.split())
    assert "Once these are mended, Bazel would come to: //:top: add --config=x" in told
    main(["explain", "//:worse", "-w", str(tmp_path), "--no-cache", "--bazel-version=4.2.3"])
    told = capsys.readouterr().out
    assert "Once these" not in told
    assert "1 that Bazel would come to once these are mended (JSON has them)" in told


def test_what_the_error_of_a_package_says_is_said_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(tmp_path, {"x/BUILD": 'load("//tools:defs.bzl", "make")', "tools/defs.bzl": ""})
    assert main(["explain", "//x:y"]) == 3
    refused = capsys.readouterr().out.partition("What follows")[0]
    assert refused.count("'tools' is not a package") == 1
    assert "x/BUILD:1" in refused


def test_a_rule_that_fails_is_told_with_where_its_repository_is_defined(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    workspace = """
load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
http_archive(name = "zlib", urls = ["https://example.org/z.zip"], build_file = "//third:z.BUILD")
"""
    build = 'filegroup(name = "top", srcs = ["@zlib//:z"])'
    write_files(tmp_path, {"WORKSPACE": workspace, "BUILD": build, "third/z.BUILD": ""})
    assert main(["explain", "//:top"]) == 3
    refused = capsys.readouterr().out.partition("What follows")[0]
    defined, fails = refused.index("@zlib is defined here"), refused.index("@zlib has a rule")
    assert "WORKSPACE:3" in refused[defined:fails]
    assert "to mend it: let `third` be a package" in refused


def test_an_implementation_that_is_cut_short_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = "def _long(ctx):\n    for i in range(100000):\n        pass\n\nlong = rule(_long)\n"
    files = {"WORKSPACE": "", "d.bzl": rules, "BUILD": 'load(":d.bzl", "long")\nlong(name = "x")\n'}
    write_files(tmp_path, files)
    monkeypatch.setattr(calls, "LIMITS", Limits(steps=1000))
    assert main(["explain", "//:x"]) == 3
    assert "d.bzl was left: evaluation takes more than 1000 steps" in capsys.readouterr().out


@pytest.mark.parametrize("is_asked_for", [True, False])
def test_a_bazel_that_is_only_assumed_is_said_beside_what_it_refuses(
    is_asked_for: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Seen on trees of 2018 without `.bazelversion`."""
    files = {"WORKSPACE": "", "BUILD": 'filegroup(name = "x", srcs = ["//gone:y"])\n'}
    (tmp_path / ".bazelversion").write_text("7.7.1\n" if is_asked_for else "")
    write_files(tmp_path, files)
    assert main(["explain", "//:x", "-w", str(tmp_path), "--no-cache"]) == 3
    said = "Bazel 7.7.1 is only assumed: `--bazel-version` asks about another."
    assert (said in capsys.readouterr().out) != is_asked_for
