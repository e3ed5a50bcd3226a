"""Texts that nobody saved yet, laid over the machine's disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.api import Workspace
from bazelscope.api.questions import ConfiguredWorkspace
from bazelscope.loading.tree.disk import MACHINE, EntryKind
from bazelscope.loading.tree.overlaid_disk import OverlaidDisk
from tests.support.files import write_files

FILES = {
    "WORKSPACE": "",
    ".bazelrc": "build --define=a=1\n",
    "BUILD": "",
    "d.bzl": 'NAMES = ["x"]\n',
    "p/BUILD": """
load("//:d.bzl", "NAMES")
[filegroup(name = name, srcs = glob(["*.txt"])) for name in NAMES]
""",
    "p/old.txt": "",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write_files(tmp_path / "w", FILES)
    return tmp_path / "w"


def labels(workspace: Workspace, text: str = "//...") -> list[str]:
    configured = workspace.configure()
    found = sorted(str(target.label) for target in configured.query(text).targets)
    configured.save()
    return found


def overlaid(workspace: Workspace, texts: dict[str, str]) -> Workspace:
    below = {f"{workspace.root}/{name}": text.encode() for name, text in texts.items()}
    return workspace.on(OverlaidDisk(below))


def test_texts_stand_for_files_and_bring_new_ones(root: Path, tmp_path: Path) -> None:
    opened = Workspace.open(root, cache_dir=tmp_path / "cache")
    assert labels(opened) == ["//p:x"]
    changed = overlaid(opened, {"d.bzl": 'NAMES = ["y"]\n', "q/r/BUILD": "filegroup(name='z')\n"})
    # Twice each: what one has kept is not taken for the other's.
    for _ in range(2):
        assert labels(changed) == ["//p:y", "//q/r:z"]
        assert labels(Workspace.open(root, cache_dir=tmp_path / "cache")) == ["//p:x"]


def test_a_new_text_is_matched_by_globs(root: Path, tmp_path: Path) -> None:
    opened = Workspace.open(root, cache_dir=tmp_path / "cache")
    assert labels(opened, "deps(//p:x)") == ["//p:old.txt", "//p:x"]
    changed = overlaid(opened, {"p/new.txt": "", "p/old.txt": "edited"})
    assert labels(changed, "deps(//p:x)") == ["//p:new.txt", "//p:old.txt", "//p:x"]


def test_rc_files_are_read_from_the_overlay(root: Path) -> None:
    def define(workspace: ConfiguredWorkspace) -> tuple[str, ...]:
        return workspace.flags.values["define"].values

    opened = Workspace.open(root)
    assert define(opened.configure()) == ("a=1",)
    changed = overlaid(
        opened, {".bazelrc": "import %workspace%/other\n", "other": "build --define=b=2"}
    )
    assert define(changed.configure()) == ("b=2",)


def test_what_an_overlay_says_of_paths(root: Path) -> None:
    disk = OverlaidDisk({f"{root}/p/old.txt": b"new", f"{root}/n/m.txt": b"m"})
    assert disk.read(f"{root}/p/old.txt", "old") == b"new"
    assert disk.kind(f"{root}/n") is EntryKind.DIRECTORY
    assert [entry.name for entry in disk.entries(f"{root}/n")] == ["m.txt"]
    assert disk.stamp(f"{root}/p") == MACHINE.stamp(f"{root}/p")
    assert disk.stamp(f"{root}/p/old.txt") != MACHINE.stamp(f"{root}/p/old.txt")
    assert disk.stamp(str(root)) != MACHINE.stamp(str(root))
    assert disk.stamp(f"{root}/none") == ()


def test_a_link_to_a_text_reads_the_text(root: Path) -> None:
    (root / "link.bzl").symlink_to("d.bzl")
    changed = overlaid(Workspace.open(root), {"d.bzl": 'NAMES = ["y"]\n'})
    assert changed.files.read("link.bzl").text == 'NAMES = ["y"]\n'
