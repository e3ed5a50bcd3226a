"""What was decided by something unknown before a rule was made leaves the rule in doubt: with the
other branch it may lead elsewhere, so that nothing is denied and nothing counts as whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.cli import main
from tests.support.files import write_files

_FILES = {
    "WORKSPACE": """
load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
http_archive(name = "far", urls = ["https://example.com/far.zip"])
""",
    "d.bzl": """
load("@far//:x.bzl", "use_it")
def chosen(deps):
    if use_it():
        return deps + [":other"]
    return deps
""",
    "BUILD": """
load(":d.bzl", "chosen")
filegroup(name = "before", srcs = [":known"])
filegroup(name = "in_doubt", srcs = chosen([":known"]))
filegroup(name = "known")
filegroup(name = "other")
""",
}
_BRANCH = "use_it(): taken as false (@far//:x.bzl: not downloaded)"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write_files(tmp_path, _FILES)
    return tmp_path


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("path", "//:in_doubt", "//:other"), 3, _BRANCH),
        (("path", "//:before", "//:other"), 1, "No path"),
        (("when", "//:in_doubt", "//:other"), 3, _BRANCH),
        (("when", "//:before", "//:other"), 1, "never needs"),
        (("deps", "//:in_doubt"), 0, f"a branch of //:in_doubt: {_BRANCH}"),
        (("query", "somepath(//:in_doubt, //:other)"), 3, "@far would tell"),
        (("query", "deps(//:in_doubt)"), 3, "may lack something"),
        (("query", "deps(//:before)"), 0, "//:known"),
        (("cquery", "deps(//:in_doubt)"), 3, "may lack something"),
        (("query", "//:in_doubt", "--output=xml"), 0, f'attribute="a branch" reason="{_BRANCH}"'),
    ],
)
def test_the_other_branch_is_not_denied(
    words: tuple[str, ...],
    code: int,
    told: str,
    root: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    line = ["-w", str(root), "--bazel-version", "4.2.3", "--no-cache"]
    assert main([words[0], *line, *words[1:]]) == code
    output = capsys.readouterr()
    assert told in " ".join((output.out + output.err).split())


_GRANTED = "if what was taken for granted on the way is so."


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("path", "//:in_doubt", "//:known"), f"Always, whatever the flags, {_GRANTED}"),
        (("path", "//:in_doubt", "//:known"), f"(cannot be told: {_BRANCH})"),
        (("path", "//:in_doubt", "//:known", "--all-paths"), f"whatever the flags, {_GRANTED}"),
        (("when", "//:in_doubt", "//:known"), f"always, whatever the flags, {_GRANTED}"),
        (("when", "//:in_doubt", "//:known"), "srcs (taken for granted)"),
        (("path", "//:before", "//:known"), "Always, whatever the flags."),
        (("path", "//:before", "//:known", "--all-paths"), "whatever the flags."),
        (("when", "//:before", "//:known"), "always, whatever the flags."),
    ],
)
def test_a_way_through_what_was_taken_for_granted_is_none_for_sure(
    words: tuple[str, ...], told: str, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = ["-w", str(root), "--bazel-version", "4.2.3", "--no-cache"]
    assert main([words[0], *line, *words[1:]]) == 0
    assert told in " ".join(capsys.readouterr().out.split())


def test_what_is_kept_is_in_doubt_as_well(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = ["path", "-w", str(root), "--cache-dir", str(root / "kept"), "//:in_doubt", "//:other"]
    for more in ([], ["--full"], ["--define=a=1"]):
        assert main([*line, *more]) == 3
        assert _BRANCH in " ".join(capsys.readouterr().out.split())
