"""Module resolution: what real Bazels recorded in lock files, and the rules one by one.

`locked_resolutions.jsonl.gz` has facts of forty public workspaces whose MODULE.bazel.lock is no
older than MODULE.bazel: what the root asks for, every MODULE.bazel that Bazel 7.2 to 9.2 asked a
registry for, and the versions that it selected. The registry's part comes from the index that
ships with bazelscope. (A lock file does not name the release that wrote it; where the workspace
does not either, it is the first of that lock version which asks for those files.)
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from bazelscope.base.source import Location
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel.builtin_modules import requests_of_bazel_tools
from bazelscope.bazel.release import Release
from bazelscope.loading.modules.discovery import NotInRegistry
from bazelscope.loading.modules.module_file import ModuleDependency, ModuleFile, ModuleOverride
from bazelscope.loading.modules.module_graph import ROOT, ModuleFacts, ModuleKey, Resolution
from bazelscope.loading.modules.module_versions import is_version, version_order
from bazelscope.loading.modules.registry_index import central_registry
from bazelscope.loading.modules.resolution import ResolutionSettings, resolve

_LOCKED = Path(__file__).with_name("locked_resolutions.jsonl.gz")
PLACE = Location("MODULE.bazel", 1, 1)


def locked() -> list[dict[str, Any]]:
    text = gzip.decompress(_LOCKED.read_bytes()).decode()
    return [json.loads(line) for line in text.splitlines()]


def dependency(
    name: str, version: str, repository: str | None = "", level: int = -1
) -> ModuleDependency:
    apparent = name if repository == "" else repository
    return ModuleDependency(name, version, apparent, False, PLACE, (), level)


class Index:
    def facts(
        self, key: ModuleKey, override: ModuleOverride | None
    ) -> ModuleFacts | NotInRegistry | Unknown:
        return central_registry().facts(key) or NotInRegistry(("central",))


@pytest.mark.parametrize("pair", locked(), ids=lambda pair: f"{pair['commit'][:9]}-{pair['bazel']}")
def test_the_modules_are_those_that_bazel_recorded(pair: dict[str, Any]) -> None:
    root = ModuleFile(pair["name"], pair["version"], pair["name"])
    root.dependencies = [dependency(*fields) for fields in pair["dependencies"]]
    root.overrides = {
        name: ModuleOverride(kind, name, arguments, PLACE, ())
        for name, (kind, arguments) in pair["overrides"].items()
    }
    tools = [dependency(*fields) for fields in requests_of_bazel_tools(Release.of(pair["bazel"]))]
    builtin = {"bazel_tools": tools, "local_config_platform": ()}
    found = resolve(root, Index(), ResolutionSettings(Release.of(pair["bazel"]), builtin))
    assert sorted(map(str, found.asked)) == pair["asked"]
    assert sorted(str(key) for key in found.selected if key.version) == pair["selected"]


# ---- The rules, one by one

World = Mapping[str, Sequence[ModuleDependency]]


class Registry:
    """`name@version` to what it asks for; a level after a slash: `a@2/1`."""

    def __init__(self, world: World) -> None:
        self._facts: dict[str, ModuleFacts | Unknown] = {}
        for text, needs in world.items():
            key, _, level = text.partition("/")
            name, _, version = key.partition("@")
            self._facts[key] = ModuleFacts(name, version, int(level or 0), (), tuple(needs), key)

    def forget(self, key: str) -> Registry:
        self._facts[key] = Unknown(Reason.NOT_FETCHED, key)
        return self

    def facts(
        self, key: ModuleKey, override: ModuleOverride | None
    ) -> ModuleFacts | NotInRegistry | Unknown:
        return self._facts.get(str(key)) or NotInRegistry(("https://example.com",))


def solve(
    needs: Sequence[ModuleDependency],
    registry: Registry,
    overrides: Mapping[str, tuple[str, Mapping[str, object]]] | None = None,
    version: str = "8.0.0",
    lock: tuple[Sequence[ModuleKey], Sequence[ModuleKey]] = ((), ()),
    **settings: Any,
) -> Resolution:
    root = ModuleFile("main", "", "main")
    root.dependencies = list(needs)
    for name, (kind, arguments) in (overrides or {}).items():
        root.overrides[name] = ModuleOverride(kind, name, arguments, PLACE, ())
    return resolve(root, registry, ResolutionSettings(Release.of(version), {}, **settings), *lock)


def selected(found: Resolution) -> str:
    return " ".join(sorted(str(key) for key in found.selected if key != ROOT))


D = dependency
DIAMOND = {"a@1": [D("c", "1")], "b@1": [D("c", "1.10")], "c@1": [D("old", "1")], "old@1": []}


def test_the_highest_version_that_is_asked_for_is_selected_and_the_rest_falls_out() -> None:
    found = solve([D("a", "1"), D("b", "1")], Registry({**DIAMOND, "c@1.10": []}))
    assert selected(found) == "a@1 b@1 c@1.10"
    assert [str(key) for key in found.asked] == ["a@1", "b@1", "c@1", "c@1.10", "old@1"]
    assert found.selected[ModuleKey("a", "1")].dependencies == {"c": ModuleKey("c", "1.10")}
    assert found.diagnostics == ()


def test_an_override_pins_a_version_and_one_may_take_a_module_from_elsewhere() -> None:
    registry = Registry({**DIAMOND, "c@1.10": [], "c@_": [D("other", "1")], "other@1": []})
    pinned = {"c": ("single_version_override", {"version": "1"})}
    assert selected(solve([D("a", "1"), D("b", "1")], registry, pinned)) == "a@1 b@1 c@1 old@1"
    local = {"c": ("local_path_override", {"path": "c"})}
    found = solve([D("a", "1"), D("b", "1")], registry, local)
    assert selected(found) == "a@1 b@1 c@_ other@1"
    assert "c@_" not in map(str, found.asked)


def test_several_versions_may_be_allowed() -> None:
    registry = Registry({**DIAMOND, "c@1.10": [], "c@2": []})
    needs = [D("a", "1"), D("b", "1"), D("c", "2")]
    allow = {"c": ("multiple_version_override", {"versions": ["1.10", "2"]})}
    found = solve(needs, registry, allow)
    assert selected(found) == "a@1 b@1 c@1.10 c@2"
    assert found.selected[ModuleKey("a", "1")].dependencies == {"c": ModuleKey("c", "1.10")}
    low = {"c": ("multiple_version_override", {"versions": ["1", "1.10"]})}
    (problem,) = solve(needs, registry, low).diagnostics
    assert problem.message == (
        "<root> depends on c@2 which is not allowed by the multiple_version_override on c, which"
        " allows only [1, 1.10]"
    )
    absent = {"c": ("multiple_version_override", {"versions": ["1", "7"]})}
    assert "contains version 7, but it doesn't exist" in (
        solve(needs, registry, absent).diagnostics[0].message
    )


def test_an_override_may_be_of_a_module_that_is_dropped() -> None:
    """Of Tinder/bazel-diff, which Bazel 8.5.1 builds so."""
    world = {"a@1": [D("b", "2")], "d@1": [D("b", "1")], "b@1": [D("c", "1")], "b@2": []}
    pinned = {"c": ("single_version_override", {"version": "7"})}
    found = solve([D("a", "1"), D("d", "1")], Registry({**world, "c@7": []}), pinned)
    assert (selected(found), found.diagnostics) == ("a@1 b@2 d@1", ())


LEVELS = {"a@1": [D("c", "1")], "b@1": [D("c", "2")], "c@1/0": [], "c@2/1": []}


@pytest.mark.parametrize("version", ["7.4.0", "8.5.1", "9.0.1"])
def test_compatibility_levels_clash(version: str) -> None:
    needs = [D("a", "1"), D("b", "1")]
    (problem,) = solve(needs, Registry(LEVELS), version=version).diagnostics
    assert problem.message == (
        "b@1 depends on c@2 with compatibility level 1, but a@1 depends on c@1 with compatibility"
        " level 0 which is different"
    )


@pytest.mark.parametrize("version", ["8.6.0", "8.7.0", "9.1.0"])
def test_compatibility_levels_do_nothing_since_8_6_and_9_1(version: str) -> None:
    """Of google/xls, which Bazel 8.7.0 builds so."""
    needs = [D("a", "1"), D("b", "1")]
    assert selected(solve(needs, Registry(LEVELS), version=version)) == "a@1 b@1 c@2"


def test_a_dependency_may_reach_to_a_higher_level() -> None:
    reaching = {**LEVELS, "a@1": [D("c", "1", "", 1)]}
    found = solve([D("a", "1"), D("b", "1")], Registry(reaching))
    assert (selected(found), found.diagnostics) == ("a@1 b@1 c@2", ())


def test_a_dependency_without_a_name_raises_versions_and_adds_nothing() -> None:
    world = {
        "a@1": [D("c", "1")],
        "c@1": [],
        "b@1": [D("c", "3", None), D("d", "1", None)],
        "c@3": [],
    }
    found = solve([D("a", "1"), D("b", "1")], Registry(world))
    assert selected(found) == "a@1 b@1 c@3"
    assert "d@1" not in map(str, found.asked)


# Of rules_apple and rules_swift as bazel_tools asks for them.
REACHING = {
    "apple@4": [D("swift", "2.4", "", 3)],
    "swift@2.4/2": [],
    "swift@3.1/3": [],
    "tools@1": [D("swift", "3.1", None)],
}


@pytest.mark.parametrize(
    ("version", "swift"), [("8.4.2", "2.4"), ("8.5.0", "3.1"), ("9.0.0", "3.1")]
)
def test_a_dependency_without_a_name_has_its_version_since_8_5(version: str, swift: str) -> None:
    needs = [D("apple", "4"), D("tools", "1")]
    found = solve(needs, Registry(REACHING), version=version)
    assert (selected(found), found.diagnostics) == (f"apple@4 swift@{swift} tools@1", ())


def test_a_dependency_without_a_name_may_clash() -> None:
    world = {**REACHING, "apple@4": [D("swift", "2.4")]}
    (problem,) = solve(
        [D("tools", "1"), D("apple", "4")], Registry(world), version="9.0.0"
    ).diagnostics
    assert problem.message == (
        "apple@4 depends on swift@2.4 with compatibility level 2, but tools@1 depends on swift@3.1"
        " with compatibility level 3 which is different"
    )


@pytest.mark.parametrize(("version", "named"), [("8.6.0", ""), ("9.0.0", "a")])
def test_what_is_asked_for_twice_is_named_since_9(version: str, named: str) -> None:
    needs = [D("a", "1"), D("a", "2", "again")]
    (problem,) = solve(needs, Registry({"a@1": [], "a@2": []}), version=version).diagnostics
    assert problem.message.endswith(f"multiple versions of {named} simultaneously")


REFUSED = {
    "missing": (
        [D("a", "1")],
        {"a@1": [D("x", "5")]},
        {},
        (
            "in module dependency chain <root> -> a@1 -> x@5: module x@5 not found in registries:"
            "\n* https://example.com"
        ),
    ),
    "no version": (
        [D("a", "")],
        {},
        {},
        (
            "in module dependency chain <root> -> a@_: bad bazel_dep on module 'a' with no version."
            " Did you forget to specify a version, or a non-registry override?"
        ),
    ),
    "twice": (
        [D("a", "1"), D("a", "2", "again")],
        {"a@1": [], "a@2": []},
        {},
        (
            "<root> depends on a@2 at least twice (with repo names again and a). Consider adding a"
            " multiple_version_override if you want to depend on multiple versions of"
            "  simultaneously"
        ),
    ),
    "override of nothing": (
        [D("a", "1")],
        {"a@1": []},
        {"zzz": ("git_override", {})},
        "the root module specifies overrides on nonexistent module(s): zzz",
    ),
}


@pytest.mark.parametrize(("needs", "world", "overrides", "said"), REFUSED.values(), ids=REFUSED)
def test_what_bazel_refuses(
    needs: Sequence[ModuleDependency],
    world: World,
    overrides: Mapping[str, tuple[str, Mapping[str, object]]],
    said: str,
) -> None:
    (problem,) = solve(needs, Registry(world), overrides).diagnostics
    assert problem.message == said


def test_yanked_versions_are_refused_unless_they_are_allowed() -> None:
    def yanked(key: ModuleKey) -> str | None:
        return "broken" if key.name == "a" else None

    registry = Registry({"a@1": []})
    (problem,) = solve([D("a", "1")], registry, yanked=yanked).diagnostics
    assert problem.message.startswith(
        "Yanked version detected in your resolved dependency graph: a@1, for the reason: broken."
    )
    for allowed in (frozenset({"a@1"}), None):
        found = solve([D("a", "1")], registry, yanked=yanked, allowed_yanked=allowed)
        assert found.diagnostics == ()


def test_where_a_module_cannot_be_read_versions_may_be_higher() -> None:
    registry = Registry({**DIAMOND, "c@1.10": []}).forget("b@1")
    found = solve([D("a", "1"), D("b", "1")], registry)
    assert selected(found) == "a@1 b@1 c@1 old@1"
    assert found.may_be_newer(ModuleKey("c", "1"))
    assert not found.may_be_newer(ROOT)
    # A lock file knows what Bazel went on to ask for, and what was selected.
    asked = [ModuleKey("c", "1"), ModuleKey("c", "1.10"), ModuleKey("a", "1")]
    chosen = [ModuleKey("a", "1"), ModuleKey("b", "1"), ModuleKey("c", "1.10")]
    found = solve([D("a", "1"), D("b", "1")], registry, lock=(asked, chosen))
    assert selected(found) == "a@1 b@1 c@1.10"
    assert not found.may_be_newer(ModuleKey("c", "1.10"))


def test_versions_are_ordered_as_bazel_orders_them() -> None:
    ordered = ["1.0-pre", "1.0", "1.0.1", "1.0.1.bcr.1", "1.2", "1.10", "20230101", "r1", ""]
    assert sorted(ordered, key=version_order) == ordered
    assert version_order("1.0+build") == version_order("1.0")
    assert [is_version(text) for text in ("1.0-rc.1+x", "", "1_0", "1..0")] == [
        *(True, True, False, False),
    ]
