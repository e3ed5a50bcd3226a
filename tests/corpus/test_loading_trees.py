"""Every package of real trees that we did not write, loaded without any external repository.

What is checked: nothing escapes the loader as a Python exception; as many packages are found
as the tree has directories with a BUILD file; most are complete; and each that is not says
why. The trees are releases, so their counts are facts.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from bazelscope.loading.loader import Loader
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import Rule
from tests.support import ours
from tests.support.parts import need_tree

pytestmark = pytest.mark.corpus


@dataclass(frozen=True)
class Tree:
    """A tree, and the least that must be found in it."""

    name: str
    bazel_version: str
    packages: int
    rules: int
    repositories: tuple[str, ...] = ()
    """Directories that WORKSPACE makes a `local_repository`: `//...` stops at them."""


TREES = (
    Tree("xnnpack", "5.4.1", packages=8, rules=780),
    Tree(
        "grpc",
        "4.2.3",
        packages=177,
        rules=37000,
        repositories=("src/core/ext/transport/binder/java",),
    ),
    Tree("tensorflow", "6.1.0", packages=987, rules=24000),
)


@dataclass(frozen=True)
class Loaded:
    tree: Tree
    root: Path
    loader: Loader
    packages: tuple[Package, ...]


@pytest.fixture(scope="module", params=TREES, ids=lambda tree: tree.name)
def loaded(request: pytest.FixtureRequest) -> Loaded:
    tree: Tree = request.param
    root = need_tree(tree.name)
    loader = ours.open_loader(root, tree.bazel_version)
    results = [loader.package(package) for package in loader.trees.packages()]
    assert all(isinstance(result, Package) for result in results)
    packages = tuple(result for result in results if isinstance(result, Package))
    return Loaded(tree, root, loader, packages)


def _packages_on_disk(loaded: Loaded) -> Iterator[str]:
    root = loaded.root
    ignored = {*_ignored_directories(root), *loaded.tree.repositories}
    for directory, folders, files in os.walk(root):
        package = Path(directory).relative_to(root).as_posix()
        package = "" if package == "." else package
        folders[:] = [f for f in folders if f"{package}/{f}".lstrip("/") not in ignored]
        if "BUILD" in files or "BUILD.bazel" in files:
            yield package


def _ignored_directories(root: Path) -> Iterator[str]:
    file = root / ".bazelignore"
    for line in file.read_text().splitlines() if file.exists() else ():
        if line.strip() and not line.startswith("#"):
            yield line.strip().rstrip("/")


def test_every_directory_with_a_build_file_is_a_package(loaded: Loaded) -> None:
    found = {package.id.package for package in loaded.packages}
    assert found == set(_packages_on_disk(loaded))
    assert len(found) == loaded.tree.packages


def test_rules_are_found(loaded: Loaded) -> None:
    rules = sum(isinstance(t, Rule) for p in loaded.packages for t in p.targets.values())
    assert rules >= loaded.tree.rules


def test_what_is_not_known_says_why(loaded: Loaded) -> None:
    for package in loaded.packages:
        for unknown in package.unknowns:
            assert unknown.subject
        for diagnostic in package.diagnostics:
            assert diagnostic.message


def test_every_rule_has_its_place(loaded: Loaded) -> None:
    """Every fact carries file and line: a rule's call stack starts in its BUILD file."""
    for package in loaded.packages:
        for target in package.targets.values():
            if isinstance(target, Rule):
                assert target.location.line > 0
                assert target.call_stack[0].location.path == package.path


def test_edges_can_be_drawn(loaded: Loaded) -> None:
    """Every target's edges are computed, whatever is unknown about it."""
    graph = ours.graph_of(loaded.loader)
    kinds: Counter[str] = Counter()
    for package in loaded.packages:
        for target in package.targets.values():
            for edge in graph.edges(target.label):
                kinds[edge.kind.value] += 1
    assert kinds["attribute"] > loaded.tree.rules
