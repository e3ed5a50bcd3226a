"""A folder that is a workspace of its own: its labels are told for what they were meant to be."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.api import Workspace
from bazelscope.base.label import PackageId
from bazelscope.cli import main
from bazelscope.loading.packages.targets import NoSuchPackage
from tests.support.files import write_files

_INNER = {
    "inner/WORKSPACE": "",
    "inner/BUILD": 'filegroup(name = "own", visibility = ["//visibility:public"])\n',
    "inner/lib/BUILD": 'filegroup(name = "x")\n',
    "inner/lib/defs.bzl": "def m(): pass\n",
    "WORKSPACE": "",
    "BUILD": "",
}
_REMEDY = (
    "inner is a workspace of its own (inner/WORKSPACE) and has that package: run in it, or name"
    " `inner` in .bazelignore"
)


@pytest.mark.parametrize(
    ("build", "remedy"),
    [
        ('filegroup(name = "top", srcs = ["//lib:x"])\n', _REMEDY),
        ('filegroup(name = "top", srcs = ["//:own"])\n', _REMEDY),
        ('filegroup(name = "top", srcs = ["//nowhere:x"])\n', ""),
    ],
)
def test_what_a_nested_workspace_means(build: str, remedy: str, tmp_path: Path) -> None:
    write_files(tmp_path, {**_INNER, "inner/a/BUILD": build})
    # Seen on cilium's proxy: a package of a like name outside is not what was meant.
    write_files(tmp_path, {"libs/BUILD": ""})
    line = Workspace.open(tmp_path, bazel_version="4.2.3").configure([])
    assert [one.remedy for one in line.refusals("//inner/a:top")] == [remedy]


@pytest.mark.parametrize("version", ["2.1.0", "4.2.3", "9.1.0"])
def test_a_load_is_told_likewise(version: str, tmp_path: Path) -> None:
    write_files(tmp_path, {"libs/BUILD": "", "libs/defs.bzl": ""})
    write_files(tmp_path, {**_INNER, "inner/a/BUILD": 'load("//lib:defs.bzl", "m")\n'})
    line = Workspace.open(tmp_path, bazel_version=version).configure([])
    package = line.world.loader.package(PackageId("", "inner/a"))
    assert isinstance(package, NoSuchPackage)
    assert package.remedy == _REMEDY


def test_what_is_no_workspace_of_its_own_is_not_named(tmp_path: Path) -> None:
    build = 'filegroup(name = "top", srcs = ["//lib:x"])\n'
    files = {**_INNER, "inner/a/BUILD": build}
    del files["inner/WORKSPACE"]
    write_files(tmp_path, files)
    line = Workspace.open(tmp_path, bazel_version="4.2.3").configure([])
    assert [one.remedy for one in line.refusals("//inner/a:top")] == [""]


def test_what_mends_most_of_the_errors_that_are_only_counted_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = "".join(f'filegroup(name = "t{n}", srcs = ["//lib:x{n}"])\n' for n in range(9))
    write_files(tmp_path, {**_INNER, "inner/a/BUILD": names.replace("//lib:x", "//lib/x")})
    assert main(["explain", "-w", str(tmp_path), "--no-cache", "//inner/a/..."]) == 3
    assert "to mend" not in capsys.readouterr().out
    below = {f"inner/lib/x{n}/BUILD": "" for n in range(9)}
    write_files(tmp_path, below)
    assert main(["explain", "-w", str(tmp_path), "--no-cache", "//inner/a/..."]) == 3
    assert f"to mend 6 of them: {_REMEDY}" in capsys.readouterr().out.replace("\n    ", " ")
