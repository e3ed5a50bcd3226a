"""Directories that stand for repositories and cannot: what real Bazels say of each."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from bazelscope.cli.entry import cli
from tests.support.bazel import Bazel
from tests.support.files import write_files
from tests.support.local_directories import (
    LAID_OVER,
    NAMES,
    files_of,
    laid_over,
    nested_load,
    overrides,
)

pytestmark = pytest.mark.oracle

_SAID = re.compile(r"no such package '@(?P<name>\w+)//': (?P<why>.*?)(?: and referenced by .*)?$")


@pytest.mark.parametrize("by_option", [False, True])
@pytest.mark.parametrize("version", ["0.24.1", "2.1.0", "4.2.3"])
def test_same_words(
    version: str, by_option: bool, warm_path: Path, bazel: Callable[[str], Bazel]
) -> None:
    write_files(warm_path, files_of(by_option))
    words = overrides(warm_path) if by_option else []
    root = warm_path / "w"
    theirs = bazel(version).run(root, "build", "--nobuild", "-k", *words, "//...")
    own = ["-w", str(root), f"--bazel-version={version}", "--format=json", "--no-cache"]
    mine = CliRunner().invoke(cli, ["explain", *own, *words, "//..."])
    messages = [one["message"] for one in json.loads(mine.stdout)["refusals"]]
    told = _told(messages)
    assert told == _told(theirs.stderr.splitlines())
    assert set(NAMES) - set(told) in ({"marked"}, {"marked", "later"})


def _told(lines: list[str]) -> dict[str, str]:
    """What was said of each repository; where Bazel keeps them is left out."""
    said = filter(None, map(_SAID.search, lines))
    return {
        match["name"]: re.sub(r"/\S*/(?=external/)", "", match["why"]).rstrip() for match in said
    }


@pytest.mark.parametrize("package", ["nested", "nested/below"])
@pytest.mark.parametrize("version", ["0.24.1", "2.1.0", "4.2.3"])
def test_a_load_from_a_nested_workspace(
    version: str, package: str, warm_root: Path, bazel: Callable[[str], Bazel]
) -> None:
    write_files(warm_root, nested_load(package))
    said = f"Failed to load Starlark extension '//{package}:f.bzl'."
    assert said in bazel(version).query(warm_root, "//:x").stderr
    own = ["query", "//:x", "-w", str(warm_root), f"--bazel-version={version}", "--no-cache"]
    mine = CliRunner().invoke(cli, own)
    assert said in mine.stderr and not mine.stdout


@pytest.mark.parametrize("version", ["0.24.1", "2.1.0", "4.2.3"])
def test_files_laid_over_a_directory(
    version: str, warm_root: Path, bazel: Callable[[str], Bazel]
) -> None:
    for arguments, words in LAID_OVER.items():
        write_files(warm_root, laid_over(arguments))
        own = ["query", "@r//:x", "-w", str(warm_root), f"--bazel-version={version}", "--no-cache"]
        mine = CliRunner().invoke(cli, own)
        theirs = bazel(version).query(warm_root, "@r//:x")
        for printed in (mine.stderr, theirs.stderr):
            said = " ".join(printed.split())
            expected = f"no such package '@r//': {words}".replace("ROOT", str(warm_root))
            assert words is None or expected in said, arguments
        assert (words is None) is bool(mine.stdout) is bool(theirs.stdout.strip()), arguments
