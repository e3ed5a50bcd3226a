"""What BUILD files see of a prelude, and of names that they bind late, beside a real Bazel."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from bazelscope.cli.entry import cli
from tests.oracle.prelude_worlds import WORLDS
from tests.support.bazel import Bazel
from tests.support.files import write_files

pytestmark = pytest.mark.oracle

_NEWER = {"is no Starlark", "fails", "an if", "loads no symbol"}
"""Of these, 0.26.1 goes on with the statements that do not fail."""


@pytest.mark.parametrize("version", ["4.2.3", "2.1.0", "0.26.1"])
def test_build_files_see_the_same(
    version: str, warm_root: Path, bazel: Callable[[str], Bazel]
) -> None:
    different = {}
    for name, files in WORLDS.items():
        if version == "0.26.1" and name in _NEWER:
            continue
        _empty(warm_root)
        write_files(warm_root, files)
        words = ("--keep_going", "--noimplicit_deps", "deps(//...)")
        theirs = bazel(version).run(warm_root, "query", "--noshow_progress", *words)
        line = ["query", "--workspace", str(warm_root), "--bazel-version", version, *words]
        mine = CliRunner().invoke(cli, line, standalone_mode=False)
        told = (mine.return_value, set(mine.stdout.split()))
        if told != (theirs.exit_code, set(theirs.stdout.split())):
            different[name] = told, theirs.exit_code, theirs.stdout.split(), theirs.stderr
    assert not different


_FILES = {
    "WORKSPACE": "",
    "tools/build_rules/BUILD": "",
    "tools/build_rules/prelude_bazel": 'load("//tools/build_rules:d.bzl", "SOURCES")\n',
    "tools/build_rules/d.bzl": 'load(":e.bzl", "x")\nSOURCES = x\n',
    "tools/build_rules/e.bzl": "x = []\n",
    "p/BUILD": 'filegroup(name = "x", srcs = SOURCES)\n',
}


@pytest.mark.parametrize("version", ["4.2.3", "2.1.0", "0.26.1"])
def test_packages_rest_on_their_prelude(
    version: str, warm_root: Path, bazel: Callable[[str], Bazel]
) -> None:
    _empty(warm_root)
    write_files(warm_root, _FILES)
    for file in _FILES:
        words = ("--universe_scope=//...", "--order_output=no", f"rbuildfiles({file})")
        theirs = bazel(version).run(warm_root, "query", "--noshow_progress", *words)
        line = ["query", "--workspace", str(warm_root), "--bazel-version", version, *words]
        mine = CliRunner().invoke(cli, line, standalone_mode=False)
        if file != "WORKSPACE":
            assert set(mine.stdout.split()) == set(theirs.stdout.split()), (file, theirs.stderr)


def _empty(root: Path) -> None:
    # The folder itself stays: a server whose workspace goes away goes, too.
    for entry in root.iterdir() if root.exists() else ():
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        else:
            entry.unlink()
