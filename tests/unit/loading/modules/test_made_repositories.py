"""Repositories that extensions make, and patterns of all that is in them (`bazel_module_test`)."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.cli import main

MODULE = """\
module(name = "top", version = "0.1")
bazel_dep(name = "host")
local_path_override(module_name = "host", path = "host")
ext = use_extension("@host//:ext.bzl", "ext")
use_repo(ext, "made")
"""
EXTENSION = """\
def _repo(ctx):
    ctx.file("BUILD", "load('@host//:tell.bzl', 'tell')\\ntell()")

repo = repository_rule(_repo)
ext = module_extension(lambda ctx: repo(name = "made"))
"""
TELL = """\
def tell():
    native.filegroup(name = "f", tags = [str(native.module_name()), str(native.module_version())])
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    files = {
        "MODULE.bazel": MODULE,
        "BUILD": "",
        "host/MODULE.bazel": 'module(name = "host", version = "1.2")\n',
        "host/BUILD": 'load(":tell.bzl", "tell")\ntell()\n',
        "host/ext.bzl": EXTENSION,
        "host/tell.bzl": TELL,
    }
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    return tmp_path


def ask(root: Path, *words: str) -> int:
    return main(["query", *words, "-w", str(root), "--no-cache", "--bazel-version=8.1.0"])


@pytest.mark.parametrize("repository", ["host", "made"])
def test_its_module_is_the_one_that_has_the_extension(
    root: Path, repository: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert ask(root, f"@{repository}//:f", "--output=build") == 0
    assert 'tags = ["1.2", "host"],' in capfd.readouterr().out


@pytest.mark.parametrize("pattern", ["@made//...", "@made//:all", "@made//:f"])
def test_a_pattern_of_what_an_extension_does_not_make_says_why(
    root: Path, pattern: str, capfd: pytest.CaptureFixture[str]
) -> None:
    broken = EXTENSION.replace('name = "made"', 'name = "made", nothing = 1')
    (root / "host/ext.bzl").write_text(broken)
    assert ask(root, pattern) == 7
    assert "no such attribute 'nothing' in 'repo' rule" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("release", "title"),
    [("7.7.1", '"ext" from "@@host~//:ext.bzl"'), ("8.1.0", "@@host+//:ext.bzl%ext")],
)
def test_errors_name_an_extension_by_the_canonical_name_of_its_module(
    root: Path, release: str, title: str, capfd: pytest.CaptureFixture[str]
) -> None:
    (root / "host/ext.bzl").write_text(EXTENSION.replace('name = "made"', 'name = "other"'))
    words = ["query", "@made//:f", "-w", str(root), "--no-cache", f"--bazel-version={release}"]
    assert main(words) == 7
    assert f'module extension {title} does not generate repository "made"' in " ".join(
        capfd.readouterr().err.split()
    )
