"""Files of a workspace that may be hostile."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bazelscope.base.errors import LoadingError, UsageError
from bazelscope.loading.tree.workspace_files import EntryKind, Workspace


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "w"
    (root / "a").mkdir(parents=True)
    (root / "WORKSPACE").touch()
    (root / "a/f").write_text("inside")
    (tmp_path / "secret").write_text("outside")
    (tmp_path / "other").mkdir()
    (tmp_path / "other/g").write_text("outside")
    return root


def test_found_upwards(root: Path) -> None:
    assert Workspace.open(root / "a").root == root


def test_no_workspace(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="not within a Bazel workspace"):
        Workspace.open(tmp_path)


@pytest.mark.parametrize("path", ["../secret", "a/../../secret", "/etc/passwd", "a\0b", "a//f"])
def test_paths_stay_inside(root: Path, path: str) -> None:
    workspace = Workspace.open(root)
    assert not workspace.exists(path)
    with pytest.raises(LoadingError):
        workspace.read(path)


def test_links_stay_inside(root: Path, tmp_path: Path) -> None:
    (root / "file").symlink_to(tmp_path / "secret")
    (root / "folder").symlink_to(tmp_path / "other")
    (root / "good").symlink_to("a/f")
    workspace = Workspace.open(root)
    assert workspace.kind("file") is EntryKind.OUTSIDE_FILE
    assert workspace.kind("folder") is None
    assert workspace.read("good").text == "inside"
    for path in ("file", "folder/g"):
        with pytest.raises(LoadingError, match="leads out"):
            workspace.read(path)


def test_a_pipe_is_not_read(root: Path) -> None:
    os.mkfifo(root / "BUILD")
    workspace = Workspace.open(root)
    assert workspace.kind("BUILD") is None
    with pytest.raises(LoadingError, match="not a regular file"):
        workspace.read("BUILD")


def test_build_bazel_comes_first(root: Path) -> None:
    (root / "a/BUILD").touch()
    (root / "b/BUILD").mkdir(parents=True)
    workspace = Workspace.open(root)
    assert workspace.listing("a").build_file == "BUILD"
    assert workspace.listing("b").build_file is None
    (root / "a/BUILD.bazel").touch()
    assert Workspace.open(root).listing("a").build_file == "BUILD.bazel"


def test_bytes_that_are_no_utf8(root: Path) -> None:
    (root / "a/f").write_bytes(b"caf\xe9")
    assert Workspace.open(root).read("a/f").text == "café"


def test_version_and_ignored(root: Path) -> None:
    (root / ".bazelversion").write_text("\n3.1.0\n")
    (root / ".bazelignore").write_text("# why\nx/\n\n./y/z\n/abs\n")
    workspace = Workspace.open(root)
    assert workspace.bazel_version() == "3.1.0"
    assert workspace.ignored_directories() == ("x", "y/z", "/abs")
