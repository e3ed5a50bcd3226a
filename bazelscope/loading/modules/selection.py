"""Selection: which version of each module is in the build.

Bazel: `Selection`. Of each module the highest version that anything asks for is taken, one for
each compatibility level, and for each version that `multiple_version_override` allows. What
nothing asks for any more falls out. A dependency with `max_compatibility_level` may be met by
several of those; the first combination that gives a graph without conflict is the answer.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

from bazelscope.base.errors import Diagnostic
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.named_tuple import NamedTuple
from bazelscope.bazel.release import Release
from bazelscope.loading.modules.discovery import Discovered, Request
from bazelscope.loading.modules.module_file import ModuleFile, ModuleOverride
from bazelscope.loading.modules.module_graph import ROOT, Edge, Module, ModuleKey
from bazelscope.loading.modules.module_versions import Order, version_order

_MOST_STRATEGIES = 10_000


class _Group(NamedTuple):
    """Of the versions in one group, one is selected."""

    name: str
    compatibility_level: int
    allowed_version: str


@dataclass(slots=True)
class Selected:
    """The modules in the build, breadth first, and every discovered one, with their edges."""

    modules: dict[ModuleKey, Module] = field(default_factory=dict)
    discovered: dict[ModuleKey, Module] = field(default_factory=dict)
    diagnostics: list[Diagnostic] = field(default_factory=list)


def select(
    root: ModuleFile, discovered: Discovered, release: Release, kept: Sequence[ModuleKey] = ()
) -> Selected:
    """Chooses among the discovered versions as `release` does. `kept` are modules that a lock file
    says are selected, though nothing that could be read leads to them."""
    return _Selection(root, discovered, release, kept).run()


class _Selection:
    def __init__(
        self, root: ModuleFile, discovered: Discovered, release: Release, kept: Sequence[ModuleKey]
    ) -> None:
        self._discovered = discovered
        self._has_levels = release.compatibility_levels
        self._looks_at_unnamed = release.unnamed_requests_are_met
        self._names_twice_asked = release.names_module_asked_twice
        self._kept = kept
        self._multiple = {
            name: tuple(str(version) for version in _list(override.arguments.get("versions")))
            for name, override in root.overrides.items()
            if override.kind == "multiple_version_override"
        }
        self._overrides: Mapping[str, ModuleOverride] = root.overrides
        self._result = Selected()
        self._groups: dict[ModuleKey, _Group] = {}
        self._versions: dict[_Group, str] = {}

    def run(self) -> Selected:
        allowed = self._allowed_versions()
        for key in self._discovered.facts:
            group = self._groups[key] = self._group(key, allowed)
            highest = self._versions.get(group)
            if highest is None or version_order(key.version) > version_order(highest):
                self._versions[group] = key.version
        first_problem: Diagnostic | None = None
        for strategy in self._strategies():
            problem = self._walk(strategy)
            if problem is None:
                break
            if first_problem is None:
                first_problem = problem
        else:
            if first_problem is not None:
                # The graph of the first strategy stands, so that there is one to look at.
                self._walk(next(self._strategies()))
                self._result.diagnostics.append(first_problem)
        return self._result

    # ---- Groups

    def _level(self, key: ModuleKey) -> int:
        if not self._has_levels:
            return 0
        facts = self._discovered.facts.get(key)
        return facts.compatibility_level if facts is not None else self._guessed_level(key)

    def _guessed_level(self, key: ModuleKey) -> int:
        """The level of a module that cannot be read: that of its next older version here."""
        levels = [
            (version_order(other.version), facts.compatibility_level)
            for other, facts in self._discovered.facts.items()
            if other.name == key.name and facts is not None
        ]
        return max(levels)[1] if levels else 0

    def _allowed_versions(self) -> dict[tuple[str, int], list[str]]:
        allowed: dict[tuple[str, int], list[str]] = {}
        for name, versions in self._multiple.items():
            for version in versions:
                key = ModuleKey(name, version)
                if key not in self._discovered.facts:
                    self._result.diagnostics.append(
                        _problem(
                            f"multiple_version_override for module {name} contains version"
                            f" {version}, but it doesn't exist in the dependency graph"
                        )
                    )
                    continue
                allowed.setdefault((name, self._level(key)), [""]).append(version)
        return {key: sorted(versions, key=version_order) for key, versions in allowed.items()}

    def _group(self, key: ModuleKey, allowed: Mapping[tuple[str, int], list[str]]) -> _Group:
        level = self._level(key)
        versions = allowed.get((key.name, level))
        if versions is None:
            return _Group(key.name, level, "")
        order = version_order(key.version)
        at_least = next(version for version in versions if version_order(version) >= order)
        return _Group(key.name, level, at_least)

    # ---- Choices

    def _strategies(self) -> Iterator[Mapping[tuple[ModuleKey, int], ModuleKey]]:
        """Every way to give each request a module, the lowest versions first."""
        choices: dict[tuple[ModuleKey, int], Sequence[ModuleKey]] = {}
        for requests in self._discovered.requests.values():
            for request in requests:
                wish = (request.key, request.max_compatibility_level)
                if wish not in choices and request.key in self._groups:
                    choices[wish] = self._possible(request)
        fixed = {wish: keys[0] for wish, keys in choices.items() if len(keys) == 1}
        open_wishes = [wish for wish, keys in choices.items() if len(keys) > 1]
        combinations = itertools.product(*(choices[wish] for wish in open_wishes))
        for combination in itertools.islice(combinations, _MOST_STRATEGIES):
            yield {**fixed, **dict(zip(open_wishes, combination, strict=True))}

    def _possible(self, request: Request) -> Sequence[ModuleKey]:
        own = self._groups[request.key]
        lowest = own.compatibility_level
        highest = max(request.max_compatibility_level, lowest)
        if request.max_compatibility_level < 0:
            highest = lowest
        order = version_order(request.key.version)
        by_level: dict[int, tuple[Order, ModuleKey]] = {}
        for group, version in self._versions.items():
            if group.name != request.key.name:
                continue
            if not lowest <= group.compatibility_level <= highest:
                continue
            if version_order(group.allowed_version) < order:
                continue
            candidate = (version_order(version), ModuleKey(group.name, version))
            level = group.compatibility_level
            by_level[level] = min(by_level.get(level, candidate), candidate)
        return tuple(by_level[level][1] for level in sorted(by_level))

    # ---- The walk

    def _walk(self, strategy: Mapping[tuple[ModuleKey, int], ModuleKey]) -> Diagnostic | None:
        """Builds the graph under one strategy; what is wrong with it, if anything is."""
        result = self._result
        result.discovered = {key: self._module(key, strategy) for key in self._discovered.facts}
        problem = self._visit_all(with_unnamed=True) if self._looks_at_unnamed else None
        return problem or self._visit_all(with_unnamed=False)

    def _visit_all(self, with_unnamed: bool) -> Diagnostic | None:
        """Takes what the root leads to into the graph; `with_unnamed` says whether dependencies
        without a repository name lead on, too."""
        result = self._result
        result.modules.clear()
        by_name: dict[str, tuple[ModuleKey, ModuleKey]] = {}
        queue: list[tuple[ModuleKey, ModuleKey]] = [(ROOT, ROOT)]
        # A lock file may be older than what asks for a higher version now.
        queue.extend(
            (key, ROOT)
            for key in self._kept
            if key in self._groups and self._versions[self._groups[key]] == key.version
        )
        known: set[ModuleKey] = set()
        problem: Diagnostic | None = None
        for key, dependent in queue:
            if key in known:
                continue
            known.add(key)
            module = result.discovered[key]
            conflict = self._conflict(key, module, dependent, by_name)
            problem = problem or conflict
            result.modules[key] = module
            queue.extend((needed, key) for needed in module.dependencies.values())
            if with_unnamed:
                queue.extend((needed, key) for needed in module.unnamed)
        return problem

    def _module(
        self, key: ModuleKey, strategy: Mapping[tuple[ModuleKey, int], ModuleKey]
    ) -> Module:
        edges = tuple(
            Edge(
                request.written,
                request.key,
                strategy.get((request.key, request.max_compatibility_level)),
            )
            for request in self._discovered.requests.get(key, ())
        )
        return Module(key, self._discovered.facts[key], edges, self._discovered.unknowns.get(key))

    def _conflict(
        self,
        key: ModuleKey,
        module: Module,
        dependent: ModuleKey,
        by_name: dict[str, tuple[ModuleKey, ModuleKey]],
    ) -> Diagnostic | None:
        """Bazel: `Selection.DepGraphWalker.visit`."""
        allowed = self._multiple.get(key.name)
        if allowed is not None:
            if not self._groups[key].allowed_version:
                return _problem(
                    f"{dependent} depends on {key} which is not allowed by the"
                    f" multiple_version_override on {key.name}, which allows only"
                    f" [{', '.join(allowed)}]"
                )
        elif key.name in by_name and key != ROOT:
            other, by_other = by_name[key.name]
            return _problem(
                f"{dependent} depends on {key} with compatibility level {self._level(key)}, but"
                f" {by_other} depends on {other} with compatibility level {self._level(other)}"
                " which is different"
            )
        by_name[key.name] = (key, dependent)
        names: dict[ModuleKey, str] = {}
        for name, needed in module.dependencies.items():
            if needed in names:
                named = needed.name if self._names_twice_asked else key.name
                return _problem(
                    f"{key} depends on {needed} at least twice (with repo names {name} and"
                    f" {names[needed]}). Consider adding a multiple_version_override if you want"
                    f" to depend on multiple versions of {named} simultaneously"
                )
            names[needed] = name
        return None


def _problem(message: str) -> Diagnostic:
    return Diagnostic("module-resolution", message)


def _list(value: object) -> Sequence[object]:
    return value if isinstance(value, list | tuple) else ()
