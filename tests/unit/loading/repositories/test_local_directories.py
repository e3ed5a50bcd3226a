"""Directories that stand for whole repositories: those that are not there, and those in which
nothing says that a repository begins. The words up to 4.2.3 are compared with real Bazels
(`tests/oracle/test_local_directories.py`), later ones are those that people quote of Bazel 6 and 7.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from bazelscope.api import Workspace
from bazelscope.cli.entry import cli
from tests.support.files import write_files
from tests.support.local_directories import LAID_OVER, files_of, laid_over, nested_load, overrides

_NONE = "No WORKSPACE file found in external/"
_NONE_OF_THREE = "No MODULE.bazel, REPO.bazel, or WORKSPACE file found in "


def _refused(root: Path, version: str, *words: str) -> str:
    line = ["explain", "-w", str(root), f"--bazel-version={version}", "--full", *words]
    line += ["--no-cache", "//..."]
    return " ".join(CliRunner().invoke(cli, line).stdout.replace(str(root.parent), "").split())


@pytest.mark.parametrize("by_option", [False, True])
def test_markers(tmp_path: Path, by_option: bool) -> None:
    root = tmp_path / "w"
    write_files(tmp_path, files_of(by_option))
    words = overrides(tmp_path) if by_option else []
    said = _refused(root, "0.24.1", *words)
    assert f"{_NONE}bare" in said and f"{_NONE}later" in said
    assert "external/file must be an existing directory" in said
    said = _refused(root, "6.4.0", *words)
    assert f"{_NONE}bare" in said and f"{_NONE}module" in said and f"{_NONE}repo" in said
    assert f"{_NONE}later" not in said and f"{_NONE}marked" not in said
    assert '(absolute: "/file") but this directory does not exist.' in said
    said = _refused(root, "7.4.1", "--noenable_bzlmod", *words)
    assert f"{_NONE_OF_THREE}/bare" in said and f"{_NONE_OF_THREE}/module" not in said
    assert '(absolute: "/file") but it does not exist or is not a directory.' in said
    assert "add an empty file `REPO.bazel` to /bare" in said


def test_overridden_module_without_workspace_file(tmp_path: Path) -> None:
    files = {
        "MODULE.bazel": 'bazel_dep(name = "m")\nlocal_path_override(module_name = "m", path = "m")',
        "BUILD": 'filegroup(name = "x", srcs = ["@m//:x"])',
        "m/MODULE.bazel": 'module(name = "m")',
        "m/BUILD": 'filegroup(name = "x", visibility = ["//visibility:public"])',
    }
    write_files(tmp_path, files)
    assert f"{_NONE}m" in _refused(tmp_path, "6.4.0", "--enable_bzlmod")
    assert "refuses" not in _refused(tmp_path, "7.4.1")


def test_a_load_from_a_nested_workspace(tmp_path: Path) -> None:
    write_files(tmp_path, nested_load("nested/below"))
    said = _refused(tmp_path, "6.4.0")
    assert "Failed to load Starlark extension '//nested/below:f.bzl'." in said
    assert "nested/WORKSPACE makes `nested` a workspace of its own" in said
    (tmp_path / "nested/WORKSPACE").unlink()
    assert "Failed to load" not in _refused(tmp_path, "6.4.0")


@pytest.mark.parametrize("arguments", LAID_OVER)
def test_files_laid_over_a_directory_are_there_and_given_once(
    arguments: str, tmp_path: Path
) -> None:
    write_files(tmp_path, laid_over(arguments))
    configured = Workspace.open(tmp_path, bazel_version="4.2.3").configure([])
    messages = [one.message for one in configured.refusals("//:t")]
    words = LAID_OVER[arguments]
    expected = f"no such package '@r//': {words}".replace("ROOT", str(tmp_path))
    assert [expected in one for one in messages] == ([] if words is None else [True])


def test_what_is_bound_has_no_relative_label(tmp_path: Path) -> None:
    """Measured: 2.1.0, 4.2.3."""
    bound = 'bind(name = "b", actual = "x")\n'
    write_files(tmp_path, {"WORKSPACE": bound, "BUILD": 'filegroup(name = "t", srcs = ["@r//:x"])'})
    configured = Workspace.open(tmp_path, bazel_version="4.2.3").configure([])
    assert "invalid label: x" in [one.message for one in configured.refusals("//:t")]
