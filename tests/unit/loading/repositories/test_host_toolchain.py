"""`@local_config_cc` as bazelscope knows it without Bazel's having written it."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.analysis.graph.target_graph import TargetGraph
from bazelscope.base.label import PackageId, parse_label
from bazelscope.loading.loader import Loader
from bazelscope.loading.packages.targets import UnknownPackage
from bazelscope.loading.tree.loading_options import LoadingOptions
from bazelscope.loading.tree.workspace_files import Workspace

NAME = "@local_config_cc//"


def graph_of(
    root: Path, version: str, host: str = "linux", host_cpu: str = "x86_64"
) -> TargetGraph:
    (root / "WORKSPACE").write_text("")
    options = LoadingOptions(bazel_version=version, host=host, host_cpu=host_cpu)
    return TargetGraph(Loader(Workspace.open(root), options), version)


def below(graph: TargetGraph, name: str) -> set[str]:
    found = graph.deps([parse_label(f"{NAME}:{name}", PackageId("", ""))])
    return {str(label).removeprefix(NAME) for label in found}


@pytest.mark.parametrize(
    ("version", "compiler"),
    [("0.24.1", {":empty"}), ("4.2.3", {":builtin_include_directory_paths"})],
)
def test_what_the_toolchain_depends_on(version: str, compiler: set[str], tmp_path: Path) -> None:
    graph = graph_of(tmp_path, version)
    assert below(graph, "compiler_deps") == {":compiler_deps", *compiler}
    k8 = {":cc-compiler-k8", ":local", ":compiler_deps", ":empty", *compiler}
    arm = {":cc-compiler-armeabi-v7a", ":stub_armeabi-v7a", ":empty"}
    assert below(graph, "cc-compiler-k8") == k8
    assert below(graph, "cc-compiler-armeabi-v7a") == arm
    assert below(graph, "toolchain") == {":toolchain", *k8, *arm}


def test_the_toolchains_that_old_bazels_register_are_there(tmp_path: Path) -> None:
    graph = graph_of(tmp_path, "0.24.1")
    label = parse_label(f"{NAME}:cc-toolchain-armeabi-v7a", PackageId("", ""))
    assert {str(edge.target) for edge in graph.edges(label)} >= {
        "@bazel_tools//platforms:arm",
        "@bazel_tools//platforms:android",
    }


@pytest.mark.parametrize(
    ("version", "host", "host_cpu"),
    [
        ("4.2.3", "macos", "x86_64"),
        ("4.2.3", "linux", "aarch64"),
        ("5.0.0", "linux", "x86_64"),
    ],
)
def test_what_was_not_measured_is_unknown(
    version: str, host: str, host_cpu: str, tmp_path: Path
) -> None:
    graph = graph_of(tmp_path, version, host, host_cpu)
    found = graph.node(parse_label(f"{NAME}:toolchain", PackageId("", "")))
    assert isinstance(found, UnknownPackage)
