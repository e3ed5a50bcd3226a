"""How errors name repositories: `@name`, since Bazel 7 by the canonical name. Up to 4.2.3 measured;
later by `RepositoryName.toString`, and what people quote of Bazel 7 and 8."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from bazelscope.cli.entry import cli
from tests.support.files import write_files

_WORKSPACE = {
    "WORKSPACE": 'local_repository(name = "r", path = "r")\n',
    "r/WORKSPACE": "",
    "r/BUILD": "",
    "r/sub/BUILD": "",
    "BUILD": 'filegroup(name = "x", srcs = ["@foo//bar:y"])\n',
}
_MODULES = {
    "MODULE.bazel": 'bazel_dep(name = "r")\nlocal_path_override(module_name = "r", path = "r")\n',
    "r/MODULE.bazel": 'module(name = "r")',
    "r/BUILD": "",
    "r/sub/BUILD": "",
}


def _said(root: Path, files: dict[str, str], version: str, *words: str) -> str:
    write_files(root, files)
    line = ["query", "-w", str(root), f"--bazel-version={version}", "--no-cache", *words]
    return " ".join(CliRunner().invoke(cli, line).stderr.split())


@pytest.mark.parametrize(
    ("version", "r", "foo"),
    [("4.2.3", "@r", "@foo"), ("6.4.0", "@r", "@foo"), ("7.4.1", "@@r", "@@foo")],
)
def test_of_workspace(tmp_path: Path, version: str, r: str, foo: str) -> None:
    words = ["--noenable_bzlmod"] if version > "6" else []
    said = _said(tmp_path, _WORKSPACE, version, *words, "deps(//:x)")
    assert f"no such package '{foo}//bar': The repository '{foo}' could not be resolved" in said
    said = _said(tmp_path, _WORKSPACE, version, *words, "@r//no:x")
    assert f"no such package '{r}//no': BUILD file not found in directory 'no' of" in said
    assert f"of external repository {r}. Add a BUILD file" in said
    said = _said(tmp_path, _WORKSPACE, version, *words, "@r//:x")
    assert f"no such target '{r}//:x': target 'x' not declared in package ''" in said
    said = _said(tmp_path, _WORKSPACE, version, *words, "@r//:sub/x")
    assert f"Label '{r}//:sub/x' crosses boundary of subpackage '{r}//sub'" in said
    said = _said(tmp_path, _WORKSPACE, version, *words, "//no:x")
    assert "no such package 'no': " in said


def test_of_modules(tmp_path: Path) -> None:
    assert "no such package '@@r+//no': " in _said(tmp_path, _MODULES, "8.2.0", "@r//no:x")
    assert "no such target '@@r+//:x': " in _said(tmp_path, _MODULES, "8.2.0", "@r//:x")
    assert "no such target '//:x': " in _said(tmp_path, {**_MODULES, "BUILD": ""}, "8.2.0", "//:x")
