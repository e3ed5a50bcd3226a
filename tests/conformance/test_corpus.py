"""Every build file of real trees parses, resolves and compiles: counts, and no failure."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope import starlark
from bazelscope.base.errors import StarlarkError
from bazelscope.base.source import SourceFile
from bazelscope.starlark import FileKind
from bazelscope.starlark.syntax import tree
from tests.support.parts import need_sibling, need_tree

pytestmark = pytest.mark.corpus

TREES = {
    # name: (the variable and the place beside the checkout, or None for an installed part;
    #        how many files)
    "tf1.14": ("BAZELSCOPE_TF114", 692),
    "tf2.4": ("BAZELSCOPE_TF24", 850),
    "tf2.19": ("BAZELSCOPE_TF219", 1790),
    "bazel4.2.3": ("BAZELSCOPE_BAZEL_SOURCE", 670),
    "kubernetes": ("BAZELSCOPE_KUBERNETES", 3333),
    "tensorflow": (None, 1289),
    "grpc": (None, 261),
    "xnnpack": (None, 67),
}

BROKEN_ON_PURPOSE: frozenset[str] = frozenset()
"""Files that Bazel refuses too: test data of its own source."""

_KINDS = {
    "BUILD": FileKind.BUILD,
    "BUILD.bazel": FileKind.BUILD,
    "WORKSPACE": FileKind.WORKSPACE,
    "WORKSPACE.bazel": FileKind.WORKSPACE,
    "MODULE.bazel": FileKind.MODULE,
}
_SUFFIXES = {".bzl": FileKind.BZL, ".BUILD": FileKind.BUILD}


def kind_of(path: Path) -> FileKind | None:
    return _KINDS.get(path.name) or _SUFFIXES.get(path.suffix)


def names_of(file: tree.File) -> frozenset[str]:
    """Every name that stands in a file: which of them a host provides is not asked here."""
    names = {"None", "True", "False"}
    for statement in file.statements:
        for node in tree.walk(statement):
            if isinstance(node, tree.Name):
                names.add(node.name)
    return frozenset(names)


@pytest.mark.parametrize("name", TREES)
def test_every_file_compiles(name: str) -> None:
    variable, count = TREES[name]
    root = need_tree(name) if variable is None else need_sibling(variable, f"trees/{name}")
    failures: list[str] = []
    files = 0
    for path in sorted(root.rglob("*")):
        kind = kind_of(path)
        if kind is None or not path.is_file():
            continue
        files += 1
        shown = path.relative_to(root).as_posix()
        source = SourceFile(shown, path.read_text(encoding="utf-8"))
        try:
            known = names_of(starlark.parse(source, kind))
            starlark.load_program(source, kind, known)
        except StarlarkError as error:
            if shown not in BROKEN_ON_PURPOSE:
                failures.append(str(error))
    assert not failures
    assert files == count
