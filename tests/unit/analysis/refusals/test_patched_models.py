"""Models of repositories of which the workspace patches files: what rests on one is in doubt."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.api import Workspace
from bazelscope.base.label import PackageId
from bazelscope.loading.packages.package import Package
from tests.support.files import write_files

_ARCHIVE = """
load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
http_archive(name = "bazel_skylib", urls = ["https://localhost/1.4.1.zip"], {patched})
http_archive(name = "pybind11_bazel", urls = ["https://localhost/2.12.zip"], {patched})
"""
_HUNK = "@@ -1,2 +1,3 @@\n a\n+b\n c\n"
_PATCHED = 'patches = ["//:p.patch"], patch_args = ["-p1"]'
_BUILD = """
load("@bazel_skylib//lib:selects.bzl", "selects")
load("@pybind11_bazel//:build_defs.bzl", "PYBIND_COPTS", "pybind_extension")
pybind_extension(name = "e", srcs = ["e.cc"])
cc_library(name = "c", copts = PYBIND_COPTS)
cc_library(name = "u", srcs = [":e_more"])
"""
_UNEXPECTED = "_config_setting_group() got unexpected keyword argument: more"
_CALL = """
load("@bazel_skylib//lib:selects.bzl", "selects")
selects.config_setting_group(name = "g", more = 1)
"""


def _patch(*paths: str) -> str:
    return "".join(f"--- a/{path}\n+++ b/{path}\n{_HUNK}" for path in paths)


def _opened(root: Path, patch: str, patched: str = _PATCHED) -> Workspace:
    files = {
        "WORKSPACE": _ARCHIVE.format(patched=patched),
        "BUILD": _BUILD,
        "call/BUILD": _CALL,
        "p.patch": patch,
    }
    write_files(root, {path: text for path, text in files.items() if path != "p.patch" or patch})
    return Workspace.open(root, bazel_version="6.5.0", host="linux")


def _refused(workspace: Workspace, label: str) -> list[str]:
    return [one.message for one in workspace.configure([]).refusals(label)]


@pytest.mark.parametrize(
    ("path", "is_refused"), [("build_defs.bzl", False), ("other.bzl", True), ("x/BUILD", True)]
)
def test_what_a_macro_of_a_patched_file_makes(tmp_path: Path, path: str, is_refused: bool) -> None:
    # Nothing defines @pybind11, which the model of the macro names, and a list of the file.
    workspace = _opened(tmp_path, _patch(path))
    for label in ("//:e", "//:c"):
        assert any("@pybind11" in text for text in _refused(workspace, label)) == is_refused
    # Nothing that the model declares is called so.
    assert bool(_refused(workspace, "//:u")) == is_refused


@pytest.mark.parametrize(
    ("path", "is_refused"), [("selects.bzl", True), ("lib/selects.bzl", False)]
)
def test_what_a_patched_function_takes(tmp_path: Path, path: str, is_refused: bool) -> None:
    world = _opened(tmp_path, _patch(path)).configure([]).world
    package = world.loader.package(PackageId("", "call"))
    assert isinstance(package, Package)
    assert [one.message for one in package.diagnostics] == is_refused * [_UNEXPECTED]


@pytest.mark.parametrize(
    ("patched", "is_refused"),
    [
        ('patches = ["//:p.patch"]', True),  # Of `a/build_defs.bzl`, nothing is stripped.
        ('patches = ["//:p.patch"], patch_args = ["-p1"]', False),
        ('patches = ["@rules_cc//:p.patch"]', False),
        ('patch_cmds = ["sed -i s/a/b/ build_defs.bzl"]', False),
        ('patch_cmds = ["touch BUILD"]', True),
        ('remote_patches = {"https://localhost/a.patch": "sha256-x"}', False),
        ("", True),
    ],
)
def test_ways_to_patch(tmp_path: Path, patched: str, is_refused: bool) -> None:
    workspace = _opened(tmp_path, _patch("build_defs.bzl"), patched)
    assert bool(_refused(workspace, "//:e")) == is_refused


def test_an_edge_from_a_patched_file_says_by_what(tmp_path: Path) -> None:
    workspace = _opened(tmp_path, _patch("build_defs.bzl"))
    edges = [step.edge for step in workspace.configure([]).deps("//:e").dependencies]
    assert edges
    told = {edge.uncertain.detail for edge in edges if edge.uncertain is not None}
    assert told == {"patched by p.patch"}


def test_an_edit_of_the_patch_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    root = tmp_path / "w"
    assert _refused(_opened(root, _patch("other.bzl")), "//:e")
    assert not _refused(_opened(root, _patch("build_defs.bzl")), "//:e")
    assert _refused(_opened(root, _patch("other.bzl")), "//:e")
