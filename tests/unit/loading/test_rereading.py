"""A loader after texts have changed: what rests on them is made anew, and nothing else."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from bazelscope.base.label import PackageId
from bazelscope.loading.loader import Loader
from bazelscope.loading.tree.loading_options import LoadingOptions
from bazelscope.loading.tree.overlaid_disk import EditedDisk
from bazelscope.loading.tree.workspace_files import Workspace
from tests.support.files import write_files

_FILES = {
    "WORKSPACE": (
        'load("//tools:repos.bzl", "repositories")\n'
        "repositories()\n"
        'local_repository(name = "inner", path = "third_party/inner")\n'
    ),
    "tools/BUILD": "",
    "tools/repos.bzl": "def repositories():\n    pass\n",
    "tools/outer.bzl": 'load(":inner.bzl", "make")\ndef outer(name):\n    make(name)\n',
    "tools/inner.bzl": "def make(name):\n    native.filegroup(name = name)\n",
    "a/BUILD": 'load("//tools:outer.bzl", "outer")\nouter("a")\n',
    "b/BUILD": 'filegroup(name = "b")\n',
    "third_party/inner/WORKSPACE": "",
    "third_party/inner/BUILD": 'filegroup(name = "inner")\n',
}


@pytest.fixture
def loader(tmp_path: Path) -> Loader:
    write_files(tmp_path, _FILES)
    files = Workspace(tmp_path, disk=EditedDisk())
    loader = Loader(files, LoadingOptions("4.2.3"))
    for package in ("a", "b", "tools"):
        loader.package(PackageId("", package))
    return loader


def _edit(loader: Loader, path: str, text: str | None) -> bool:
    disk = loader.workspace.disk
    assert isinstance(disk, EditedDisk)
    content = None if text is None else text.encode()
    return disk.put(f"{loader.workspace.root}/{path}", content)


def _names(loader: Loader, package: str) -> list[str]:
    return list(getattr(loader.package(PackageId("", package)), "targets", ()))


def test_a_build_file_makes_its_package_anew(loader: Loader) -> None:
    before = loader.package(PackageId("", "a"))
    assert not _edit(loader, "b/BUILD", 'filegroup(name = "c")\n')
    assert loader.reread(["b/BUILD"])
    assert "c" in _names(loader, "b")
    assert loader.package(PackageId("", "a")) is before
    _edit(loader, "b/BUILD", None)
    assert loader.reread(["b/BUILD"])
    assert "b" in _names(loader, "b")


def test_a_bzl_file_makes_all_packages_anew_that_load_it_however_far(loader: Loader) -> None:
    before = loader.package(PackageId("", "b"))
    text = "def make(name):\n    native.filegroup(name = name + '_made')\n"
    _edit(loader, "tools/inner.bzl", text)
    assert loader.reread(["tools/inner.bzl"])
    assert "a_made" in _names(loader, "a")
    assert loader.package(PackageId("", "b")) is before


def test_what_an_edit_has_left_in_the_cache_is_gone_after_the_next(tmp_path: Path) -> None:
    write_files(tmp_path / "w", _FILES)
    time.sleep(0.06)  # Nothing is kept of files that changed only just now.
    files = Workspace(tmp_path / "w", disk=EditedDisk())
    loader = Loader(files, LoadingOptions("4.2.3"), tmp_path / "cache")
    assert _names(loader, "a") == ["BUILD", "a"]
    for suffix in ("_made", "_again", None):
        text = f"def make(name):\n    native.filegroup(name = name + '{suffix}')\n"
        _edit(loader, "tools/inner.bzl", text if suffix else None)
        assert loader.reread(["tools/inner.bzl"])
        assert _names(loader, "a") == ["BUILD", f"a{suffix or ''}"]


@pytest.mark.parametrize(
    "path",
    ["WORKSPACE", "tools/repos.bzl", "third_party/inner/BUILD", ".bazelignore", "x.cc", "../BUILD"],
)
def test_what_may_decide_about_repositories_is_not_reread(loader: Loader, path: str) -> None:
    assert not loader.reread([path])


def test_a_new_text_where_no_file_is_brings_a_file(loader: Loader) -> None:
    assert _edit(loader, "new/BUILD", 'filegroup(name = "n")\n')
    assert not _edit(loader, "new/BUILD", 'filegroup(name = "m")\n')
    assert _edit(loader, "new/BUILD", None)
