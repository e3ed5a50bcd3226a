"""A workspace of rules whose implementations tests run dry."""

from __future__ import annotations

from pathlib import Path

from bazelscope.analysis.rules.implementations import Implementations, Result
from bazelscope.analysis.rules.provided import Implemented
from bazelscope.api import Workspace
from bazelscope.base.label import PackageId, parse_label
from bazelscope.base.unknown import Unknown
from tests.support.files import write_files


def ran(
    root: Path,
    rules: str,
    build: str,
    *words: str,
    target: str = "//:top",
    version: str = "4.2.3",
) -> Result:
    """What `target` provides in a workspace of `rules.bzl` and one BUILD file, which loads the
    rule `r` and whatever else it says itself."""
    load = 'load("//:rules.bzl", "r")\n'
    write_files(root, {"WORKSPACE": "", "rules.bzl": rules, "BUILD": f"{load}{build}"})
    workspace = Workspace.open(root, bazel_version=version, host="linux")
    graph = workspace.configure([*words]).world.configured
    return Implementations(graph).run(graph.top(parse_label(target, PackageId("", ""))))


def known(result: Result) -> Implemented:
    """The result of an implementation that came to its end."""
    assert isinstance(result, Implemented), result
    assert result.failure is None, result.failure
    return result


def paths(result: Result) -> list[str]:
    """The paths of the files that are built."""
    files = known(result).files()
    assert not isinstance(files, Unknown), files
    return [str(file.path) for file in files]


def why_unknown(result: Result) -> str:
    """Why a result cannot be told."""
    assert isinstance(result, Unknown), result
    return str(result)
