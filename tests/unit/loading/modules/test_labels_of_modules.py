"""What labels mean, and how they are written, in files of modules."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.api import Workspace
from bazelscope.base.label import PackageId
from bazelscope.loading.packages.package import Package
from tests.support.files import write_files

_WRITES = """
def write():
    native.filegroup(name = str(Label("//:x")).replace("/", "_").replace(":", ""))
"""
_MODULES = """
bazel_dep(name = "m", version = "1.0")
local_path_override(module_name = "m", path = "m")
"""


@pytest.mark.parametrize(
    ("version", "flags", "written"),
    [
        ("5.4.0", ["--experimental_enable_bzlmod"], "__x"),
        ("6.4.0", [], "@__x"),
        ("6.4.0", ["--enable_bzlmod"], "@@__x"),
        ("7.4.1", [], "@@__x"),
        ("7.4.1", ["--noenable_bzlmod"], "@__x"),
        ("9.1.0", ["--noenable_bzlmod"], "@@__x"),
    ],
)
def test_a_label_as_text(tmp_path: Path, version: str, flags: list[str], written: str) -> None:
    call = 'load(":w.bzl", "write")\nwrite()\n'
    write_files(tmp_path, {"MODULE.bazel": "", "WORKSPACE": "", "w.bzl": _WRITES, "BUILD": call})
    workspace = Workspace.open(tmp_path, bazel_version=version, host="linux")
    package = workspace.configure(flags).loader.package(PackageId("", ""))
    assert isinstance(package, Package)
    assert set(package.targets) - {"BUILD"} == {written}


@pytest.mark.parametrize(
    ("label", "refused"),
    [
        ("@//:x", "No repository visible as '@' from repository '@@m+'"),
        ("@@//:x", ""),
    ],
)
def test_only_the_root_sees_itself_by_no_name(tmp_path: Path, label: str, refused: str) -> None:
    there = f'alias(name = "a", actual = "{label}", visibility = ["//visibility:public"])'
    files = {
        "MODULE.bazel": _MODULES,
        "BUILD": 'filegroup(name = "x", visibility = ["//visibility:public"])\n'
        'filegroup(name = "r", srcs = ["@m//:a", "@//:x"])',
        "m/MODULE.bazel": 'module(name = "m", version = "1.0")',
        "m/BUILD": there,
    }
    write_files(tmp_path, files)
    workspace = Workspace.open(tmp_path, bazel_version="9.1.0", host="linux")
    told = [one.message for one in workspace.configure([]).refusals("//:r")]
    assert len(told) == bool(refused)
    assert all(refused in one for one in told)
