"""Which rule a build with `--compile_one_dependency` builds, as a real Bazel was seen to choose."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from bazelscope.api.workspace import Workspace
from bazelscope.base.errors import UsageError
from bazelscope.cli.entry import cli
from tests.support.compiled_files import FILES, MEASURED
from tests.support.files import write_files

_OPTION = "--compile_one_dependency"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("compiled")
    write_files(root, FILES)
    return root


@pytest.fixture(scope="module")
def workspace(root: Path) -> Workspace:
    return Workspace.open(root, bazel_version="4.2.3", host="linux")


@pytest.mark.parametrize("file", MEASURED)
def test_as_measured(workspace: Workspace, file: str) -> None:
    answer = workspace.configure([_OPTION, file]).explain()
    told = [str(one.node.label) if one.node else one.problem for one in answer.targets]
    assert [*told, *(one.problem for one in answer.patterns)] == [MEASURED[file]]
    assert answer.is_negative or MEASURED[file].startswith("//")


@pytest.mark.parametrize(
    ("version", "file", "rule"),
    [
        # Of 2.1.0 measured; of 7 and later by the source of CompileOneDependencyTransformer.
        ("2.1.0", "a.cu", "//:g"),
        ("2.1.0", "a.cc", "//:cb"),
        ("7.0.0", "h.h", "//:headers"),
        ("7.0.0", "a.cu", "//:g"),
        ("6.0.0", "h.h", "//:user"),
    ],
)
def test_of_other_releases(root: Path, version: str, file: str, rule: str) -> None:
    workspace = Workspace.open(root, bazel_version=version, host="linux")
    (target,) = workspace.configure([_OPTION, file]).explain().targets
    assert target.node is not None
    assert str(target.node.label) == rule


def test_headers_that_are_not_compiled(tmp_path: Path) -> None:
    text = """
cc_library(name = "off", hdrs = ["a.h"], features = ["-parse_headers"])
cc_library(name = "on", hdrs = ["b.h"])
cc_library(name = "user", srcs = ["u.cc"], deps = [":off", ":on"])
"""
    write_files(tmp_path, {"WORKSPACE": "", "BUILD": text})
    workspace = Workspace.open(tmp_path, bazel_version="7.0.0", host="linux")
    answers = workspace.configure([_OPTION, "a.h", "b.h"]).explain().targets
    assert [str(one.node and one.node.label) for one in answers] == ["//:user", "//:on"]


def test_check_looks_at_what_is_built(tmp_path: Path) -> None:
    text = """
genrule(name = "bad", srcs = ["a.txt"], outs = ["x"], cmd = "$(NO)")
genrule(name = "good", srcs = ["b.txt"], outs = ["y"], cmd = "touch $@")
"""
    write_files(tmp_path, {"WORKSPACE": "", "BUILD": text, "a.txt": "", "b.txt": ""})
    workspace = Workspace.open(tmp_path, bazel_version="4.2.3", host="linux")
    assert workspace.configure([_OPTION, "a.txt"]).check().findings
    assert not workspace.configure(["a.txt"]).check().findings
    assert not workspace.configure([_OPTION, "b.txt"]).check().findings
    with pytest.raises(UsageError, match="must be a file"):
        workspace.configure([_OPTION, "good"]).check()


def test_it_is_said_for_which_file(root: Path) -> None:
    line = ["explain", "-w", str(root), "--bazel-version=4.2.3", "--no-cache", _OPTION, "h.h"]
    told = CliRunner().invoke(cli, line).stdout
    assert "built for //:h.h (--compile_one_dependency)" in told


def test_what_may_compile_it_cannot_be_told(tmp_path: Path) -> None:
    text = """
load("@gone//:a.bzl", "SOURCES")
cc_library(name = "first", srcs = SOURCES)
cc_library(name = "second", srcs = ["a.cc"])
"""
    workspace_file = 'load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")\n'
    workspace_file += 'http_archive(name = "gone", url = "https://example.com/a.zip")\n'
    write_files(tmp_path, {"WORKSPACE": workspace_file, "BUILD": text, "a.cc": ""})
    workspace = Workspace.open(tmp_path, bazel_version="4.2.3", host="linux")
    (target,) = workspace.configure([_OPTION, "a.cc"]).explain().targets
    assert target.node is None
    assert target.unknown is not None


def test_a_chain_of_filegroups_may_be_long(tmp_path: Path) -> None:
    chain = "".join(f'filegroup(name = "g{i}", srcs = ["g{i + 1}"])\n' for i in range(1500))
    build = (
        f'cc_library(name = "top", srcs = ["g0"])\n{chain}filegroup(name = "g1500", srcs = ["a.c"])'
    )
    write_files(tmp_path, {"WORKSPACE": "", "BUILD": build, "a.c": ""})
    asked = Workspace.open(tmp_path, bazel_version="4.2.3").configure([_OPTION, "//:a.c"])
    assert [str(one.node.label) for one in asked.explain().targets if one.node] == ["//:top"]
