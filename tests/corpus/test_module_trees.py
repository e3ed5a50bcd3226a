"""Public trees that build with modules, as their lock files and their own MODULE.bazel tell.

`BAZELSCOPE_MODULE_TREES` names a folder with checkouts of any recent commit: bazel-remote,
pigweed, scion. What is asked is what their maintainers ask: the version that is expected is the
one that Bazel wrote into the lock file, the deciding line the root's where the root asks for it.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import pytest

from bazelscope.api import Workspace
from bazelscope.loading.modules.module_repositories import Extension
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import Rule
from tests.support.parts import need_sibling, need_within

pytestmark = pytest.mark.corpus

_TREES = ("bazel-remote", "pigweed", "scion")
_MODULES = (
    *("abseil-cpp", "bazel_features", "bazel_skylib", "gazelle", "platforms", "protobuf"),
    *("rules_cc", "rules_java", "rules_oci", "rules_pkg", "rules_python", "rules_rust", "zlib"),
)
_UNKNOWN_CLASSES = {"bazel-remote": 0.0, "pigweed": 0.02, "scion": 0.02}
"""The most rules of unknown class among all: what is left lies in repositories that no lock and no
model tells, such as Fuchsia's rules."""


@pytest.fixture(scope="module", params=_TREES)
def tree(request: pytest.FixtureRequest) -> Path:
    return need_within(need_sibling("BAZELSCOPE_MODULE_TREES", "trees/modules"), request.param)


def _locked(tree: Path) -> dict[str, str]:
    """The version of each module that the lock file says was selected."""
    lock = json.loads((tree / "MODULE.bazel.lock").read_text())
    urls = (url.split("/") for url in lock["registryFileHashes"] if url.endswith("/source.json"))
    return {parts[-3]: parts[-2] for parts in urls}


def _line_of(tree: Path, module: str, version: str) -> int | None:
    written = re.compile(rf'bazel_dep\(name = "{module}", version = "{re.escape(version)}"')
    lines = (tree / "MODULE.bazel").read_text().splitlines()
    return next((number for number, line in enumerate(lines, 1) if written.match(line)), None)


def test_why_a_module_has_its_version(tree: Path) -> None:
    locked = _locked(tree)
    asked = [module for module in _MODULES if module in locked]
    assert len(asked) >= 8
    build = Workspace.open(tree).configure([], command="mod")
    for module in asked:
        (explanation,) = build.mod("explain", module).explanations
        assert explanation.key == f"{module}@{locked[module]}"
        line = _line_of(tree, module, locked[module])
        if line is not None:
            own = [one for one in explanation.requests if one.module == "<root>"]
            assert [one.location.line for one in own if one.is_deciding] == [line]


def test_packages_load_and_rules_are_known(tree: Path) -> None:
    build = Workspace.open(tree).configure(["//..."])
    loader = build.loader
    packages = [loader.package(package) for package in loader.trees.packages()]
    assert all(isinstance(package, Package) for package in packages)
    rules = [
        target
        for package in packages
        if isinstance(package, Package)
        for target in package.targets.values()
        if isinstance(target, Rule)
    ]
    unknown = sum(not rule.rule_class.is_known for rule in rules)
    assert unknown <= _UNKNOWN_CLASSES[tree.name] * len(rules)


def test_extensions_make_what_the_lock_says(tree: Path) -> None:
    """Without the lock: those of the tree that need no file of a module that is not here."""
    locked = _locked_extensions(tree)
    for name, (made, is_whole) in _made_without_lock(tree).items():
        if name.startswith("//") and name in locked and is_whole:
            assert made == locked[name]


_MODELLED = (
    "@@rules_python+//python/extensions:pip.bzl%pip",
    "@@rules_rust+//crate_universe:extension.bzl%crate",
)


def test_models_of_extensions_make_what_the_lock_says(tree: Path) -> None:
    """Of `pip` and `crate` the names below each hub that a module here asks for. (Of pigweed all
    219 crates and 382 of 510 wheels: the rest is asked for by modules that are not here.)"""
    locked = _locked_extensions(tree)
    for name, (made, _) in _made_without_lock(tree).items():
        if name in _MODELLED and name in locked:
            hubs = tuple(hub for hub in locked[name] if hub in made)
            assert set(made) == {one for one in locked[name] if one.startswith(hubs)}


def _locked_extensions(tree: Path) -> dict[str, dict[str, str]]:
    """The rules of the repositories that each extension made."""
    found: dict[str, dict[str, str]] = {}
    lock = json.loads((tree / "MODULE.bazel.lock").read_text())
    for identifier, by_platform in lock["moduleExtensions"].items():
        for evaluated in by_platform.values():
            for name, made in evaluated["generatedRepoSpecs"].items():
                rule = made["repoRuleId"].rpartition("%")[2]
                found.setdefault(identifier, {})[name] = rule
    return found


@cache
def _made_without_lock(tree: Path) -> dict[str, tuple[dict[str, str], bool]]:
    """The rules of what each extension makes, and whether that is all."""
    build = Workspace.open(tree).configure(["--lockfile_mode=off"], command="mod")
    table = build.loader.table
    assert table.modules is not None and table.modules.extensions is not None
    return {
        _identifier(extension): (
            {name: table.definitions[used].rule_class for name, used in extension.made.items()},
            extension.unknown is None,
        )
        for extension in table.modules.extensions.extensions.values()
    }


def _identifier(extension: Extension) -> str:
    host, file = extension.host.canonical, extension.file
    return f"{f'@@{host}' if host else ''}//{file.package}:{file.name}%{extension.name}"
