"""Paths under flags of which an earlier search for another end has come by the end."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.cli import main
from tests.support.files import write_files
from tests.support.kept_runs import calls_of, write_settled

ROWS = range(12)
FILES = {
    "WORKSPACE": "",
    "BUILD": """
config_setting(name = "on", define_values = {"on": "1"})
filegroup(name = "top", srcs = ["//p0:t", "//gone:t"] + select({
    ":on": ["//chosen:t"], "//conditions:default": ["//other:t"],
}))
""",
    **{
        f"p{n}/BUILD": f'filegroup(name = "t", srcs = ["//p{n + 1}:t", "u", "//gone:{n}"],'
        ' visibility = ["//visibility:public"])\nfilegroup(name = "u")'
        for n in ROWS
    },
    f"p{len(ROWS)}/BUILD": 'filegroup(name = "t", visibility = ["//visibility:public"])',
    **{
        f"{name}/BUILD": 'filegroup(name = "t", srcs = ["//p11:t"],'
        ' visibility = ["//visibility:public"])'
        for name in ("chosen", "other")
    },
}
ENDS = ["//p9:u", "//chosen:t", "//other:t", "//p3:t", "//p12:t", "//:top", "//gone:3", "//p11:u"]


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return write_settled(tmp_path / "w", FILES, monkeypatch)


def asked(
    capfd: pytest.CaptureFixture[str], root: Path, end: str, *words: str
) -> tuple[int, str, str]:
    """Exit code and output: answers are not printed again, but what they are made from is kept."""
    line = ["path", "--workspace", str(root), "--bazel-version=4.2.3", "--host=linux"]
    return (main([*line, "//:top", end, *words, "--define=on=1"]), *capfd.readouterr())


@pytest.mark.parametrize("form", ["--full", "--format=json"])
def test_every_end_is_answered_as_without_a_cache(
    root: Path, capfd: pytest.CaptureFixture[str], form: str
) -> None:
    cache = f"--cache-dir={root.parent / 'cache'}"
    for end in [*ENDS, *reversed(ENDS)]:
        assert asked(capfd, root, end, form, cache) == asked(capfd, root, end, form, "--no-cache")


def test_a_nearer_end_takes_no_search(
    root: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # To tell what is missing below the start takes a walk of its own.
    for name, text in FILES.items():
        write_files(root, {name: re.sub(r', "//gone:\w+"', "", text)})
    cache = f"--cache-dir={root.parent / 'cache'}"
    asked(capfd, root, "//p9:u", cache)
    expanded = calls_of(monkeypatch, ConfiguredGraph, "_expand")
    asked(capfd, root, "//p1:t", cache)
    walked = {str(node.label) for _, node in expanded}  # type: ignore[attr-defined]
    assert "//p0:t" in walked
    assert "//p5:t" not in walked


def test_an_edit_is_seen(root: Path, capfd: pytest.CaptureFixture[str]) -> None:
    cache = f"--cache-dir={root.parent / 'cache'}"
    before = asked(capfd, root, "//p9:u", cache)
    assert "//p5:t" in before[1]
    write_files(root, {"p4/BUILD": FILES["p4/BUILD"].replace("//p5:t", "//p6:t")})
    wanted = asked(capfd, root, "//p9:u", "--no-cache")
    assert wanted != before
    for _ in range(2):
        assert asked(capfd, root, "//p9:u", cache) == wanted
