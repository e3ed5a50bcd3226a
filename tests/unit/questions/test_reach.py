"""What targets reach under the flags is kept for the next run, with all that answers tell of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.api import Workspace
from bazelscope.base import budget
from bazelscope.base.budget import BudgetLimits
from bazelscope.base.label import Label
from bazelscope.bazel.encoded_values import decode_label
from bazelscope.questions.shared import reach
from tests.support.files import write_files
from tests.support.kept_runs import calls_of, write_settled

FILES = {
    "WORKSPACE": """
load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
http_archive(name = "gone", urls = ["https://example.org/gone.zip"])
""",
    "BUILD": """
cc_library(
    name = "top",
    deps = [":not_there", "@gone//:lib"] + select({
        ":a": ["//low"],
        "//conditions:default": [":plain"],
    }),
)
cc_library(name = "plain", srcs = ["plain.cc"])
config_setting(name = "a", define_values = {"a": "1"})
""",
    "low/BUILD": 'cc_library(name = "low", deps = ["//:plain"])\n',
}
TOP = decode_label("//:top")


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return write_settled(tmp_path / "w", FILES, monkeypatch)


@pytest.fixture
def walks(monkeypatch: pytest.MonkeyPatch) -> list[tuple[object, ...]]:
    """The walks that were made."""
    return calls_of(monkeypatch, reach, "walk")


def said(root: Path, *words: str, kept: bool = True) -> tuple[object, ...]:
    """What is reached, in its order, and what a run knows besides after it; it keeps that."""
    cache = root.parent / "cache" if kept else None
    workspace = Workspace.open(root, bazel_version="4.2.3", host="linux", cache_dir=cache)
    world = workspace.configure([*words]).world
    # An account of its own: what a test before has cut short in this process is none of it.
    with budget.spending(BudgetLimits()):
        found = reach.what_is_reached(world, [TOP])
        world.loader.save()
    return (
        [*found.first_named_by.items()],
        [*found.asked_by.items()],
        [*world.graph.absent],
        [*world.loader.account.untold],
        sorted(world.loader.loaded_packages()),
    )


def test_what_is_reached_is_walked_once(root: Path, walks: list[tuple[object, ...]]) -> None:
    wanted = said(root, kept=False)
    assert (Label("", "", "plain"), TOP) in wanted[0]  # type: ignore[operator]
    assert all(wanted)
    walks.clear()
    for _ in range(3):
        assert said(root) == wanted
    assert len(walks) == 1
    assert said(root, "--define=a=1") == said(root, "--define=a=1", kept=False) != wanted


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("BUILD", FILES["BUILD"].replace('"//low"', '":plain"')),
        ("BUILD", FILES["BUILD"] + 'filegroup(name = "not_there")\n'),
        ("low/BUILD", FILES["low/BUILD"].replace("deps", "srcs = ['x.cc'], deps")),
        ("low/BUILD", ""),
        ("WORKSPACE", ""),
    ],
)
def test_an_edit_is_seen(root: Path, path: str, text: str) -> None:
    before = said(root, "--define=a=1")
    assert said(root, "--define=a=1") == before
    write_files(root, {path: text})
    wanted = said(root, "--define=a=1", kept=False)
    for _ in range(2):
        assert said(root, "--define=a=1") == wanted
    write_files(root, {path: FILES[path]})
    assert said(root, "--define=a=1") == before
