"""Discovery: reads the MODULE.bazel of every module that is asked for, starting at the root.

Bazel: `Discovery`. A dependency without a repository name (`repo_name = None`) is followed only
if a module of that name is in the graph anyway; so there are rounds, until nothing is added.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from types import MappingProxyType
from typing import Protocol

from bazelscope.base.errors import Diagnostic
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import Location
from bazelscope.base.unknown import Unknown
from bazelscope.loading.modules.module_file import ModuleDependency, ModuleFile, ModuleOverride
from bazelscope.loading.modules.module_graph import ROOT, ModuleFacts, ModuleKey

NO_REGISTRY = frozenset({"archive_override", "git_override", "local_path_override"})
"""Overrides that say where the module itself is. Bazel: `NonRegistryOverride`."""

_MOST_MODULES = 20_000
_BUILTIN = Location("bazel_tools/MODULE.bazel", 1, 1)


@dataclass(frozen=True, slots=True)
class NotInRegistry:
    """No registry has the module; `registries` are those that were asked."""

    registries: tuple[str, ...]


class ModuleFiles(Protocol):
    """Who knows what the MODULE.bazel of a module says."""

    def facts(
        self, key: ModuleKey, override: ModuleOverride | None
    ) -> ModuleFacts | NotInRegistry | Unknown | Diagnostic:
        """What it says, or why that is not known, or what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Request:
    """One dependency after the overrides: the module that it asks for."""

    written: ModuleDependency
    key: ModuleKey
    max_compatibility_level: int


@dataclass(slots=True)
class Discovered:
    """All modules that were read, breadth first; `requests` are what each asks for."""

    facts: dict[ModuleKey, ModuleFacts | None] = field(default_factory=dict)
    requests: dict[ModuleKey, tuple[Request, ...]] = field(default_factory=dict)
    unknowns: dict[ModuleKey, Unknown] = field(default_factory=dict)
    asked: list[ModuleKey] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    asked_by: dict[ModuleKey, ModuleKey] = field(default_factory=dict)

    def chain(self, key: ModuleKey) -> tuple[ModuleKey, ...]:
        """The modules from the root to `key`, each asking for the next first."""
        steps = [key]
        while steps[-1] in self.asked_by:
            steps.append(self.asked_by[steps[-1]])
        return tuple(reversed(steps))


def discover(
    root: ModuleFile,
    builtin: Mapping[str, Sequence[ModuleDependency]],
    files: ModuleFiles,
    also: Sequence[ModuleKey] = (),
    unknown_builtin: Mapping[str, Unknown] = MappingProxyType({}),
) -> Discovered:
    """All modules that `root` needs. `builtin` are the modules that every module depends on, with
    what they need themselves, which is not all for those of `unknown_builtin`; `also` are modules
    that a lock file knows to be asked for, by modules that nobody can read here.
    """
    names = {root.name}
    while True:
        walk = _Round(root, builtin, files, frozenset(names), also, unknown_builtin)
        discovered = walk.run()
        names = {key.name for key in discovered.facts} | {root.name}
        if not walk.unfulfilled & names:
            return discovered


@dataclass(eq=False)
class _Round:
    _root: ModuleFile
    _builtin: Mapping[str, Sequence[ModuleDependency]]
    _files: ModuleFiles
    _known: frozenset[str]
    _also: Sequence[ModuleKey]
    _unknown_builtin: Mapping[str, Unknown]

    def __post_init__(self) -> None:
        self._discovered = Discovered()
        self.unfulfilled: set[str] = set()

    def run(self) -> Discovered:
        discovered = self._discovered
        discovered.facts[ROOT] = ModuleFacts.of(self._root, "MODULE.bazel")
        horizon = [ROOT]
        while horizon:
            horizon = self._advance(horizon)
        if discovered.unknowns:
            for key in self._also:
                if key not in discovered.facts and not self._is_overridden(key.name):
                    self._read(key)
                    horizon.append(key)
            while horizon:
                horizon = self._advance(horizon)
        return discovered

    def _advance(self, horizon: Sequence[ModuleKey]) -> list[ModuleKey]:
        discovered = self._discovered
        following: list[ModuleKey] = []
        for key in horizon:
            discovered.requests[key] = requests = self._requests(key)
            for request in requests:
                if request.written.repository is None and request.key.name not in self._known:
                    self.unfulfilled.add(request.key.name)
                    continue
                if request.key in discovered.facts or len(discovered.facts) > _MOST_MODULES:
                    continue
                discovered.asked_by[request.key] = key
                self._read(request.key)
                following.append(request.key)
        return following

    def _requests(self, key: ModuleKey) -> tuple[Request, ...]:
        facts = self._discovered.facts[key]
        if facts is None:
            return ()
        written = list(facts.dependencies)
        names = {dependency.repository for dependency in written}
        for name in self._builtin:
            if name != key.name and name not in names:
                written.append(ModuleDependency(name, "", name, False, _BUILTIN))
        return tuple(self._request(dependency) for dependency in written)

    def _request(self, dependency: ModuleDependency) -> Request:
        """Bazel: `InterimModule.applyOverrides`."""
        name = dependency.name
        if self._root.name and name == self._root.name:
            return Request(dependency, ROOT, -1)
        override = self._root.overrides.get(name)
        version = dependency.version
        if self._is_overridden(name):
            version = ""
        elif override is not None and override.kind == "single_version_override":
            version = str(override.arguments.get("version") or "") or version
        level = dependency.max_compatibility_level if version else -1
        return Request(dependency, ModuleKey(name, version), level)

    def _is_overridden(self, name: str) -> bool:
        override = self._root.overrides.get(name)
        return name in self._builtin or (override is not None and override.kind in NO_REGISTRY)

    def _read(self, key: ModuleKey) -> None:
        discovered = self._discovered
        discovered.facts[key] = None
        builtin = self._builtin.get(key.name)
        override = self._root.overrides.get(key.name)
        if builtin is not None and override is None:
            discovered.facts[key] = ModuleFacts(key.name, "", 0, (), tuple(builtin), "Bazel itself")
            if key.name in self._unknown_builtin:
                discovered.unknowns[key] = self._unknown_builtin[key.name]
            return
        if override is None or override.kind not in NO_REGISTRY:
            discovered.asked.append(key)
        answer = self._files.facts(key, override)
        if isinstance(answer, ModuleFacts):
            discovered.facts[key] = answer
            if not answer.is_in_error:
                discovered.diagnostics.extend(_wrong_name(key, answer))
        elif isinstance(answer, Unknown):
            discovered.unknowns[key] = answer
        elif isinstance(answer, Diagnostic):
            discovered.diagnostics.append(self._in_chain(key, answer))
        else:
            discovered.diagnostics.append(self._in_chain(key, _not_found(key, answer.registries)))

    def _in_chain(self, key: ModuleKey, why: Diagnostic) -> Diagnostic:
        chain = " -> ".join(str(step) for step in self._discovered.chain(key))
        message = f"in module dependency chain {chain}: {why.message}"
        return replace(why, message=message)


def _not_found(key: ModuleKey, registries: Sequence[str]) -> Diagnostic:
    asked = "".join(f"\n* {registry}" for registry in registries)
    if not key.version:
        # Bazel: ModuleFileFunction.getModuleFile, of a dependency that names no version.
        return Diagnostic(
            "module-not-found",
            f"bad bazel_dep on module '{key.name}' with no version. Did you forget to specify a"
            " version, or a non-registry override?",
        )
    return Diagnostic("module-not-found", f"module {key} not found in registries:{asked}")


def _wrong_name(key: ModuleKey, facts: ModuleFacts) -> list[Diagnostic]:
    """Bazel: `ModuleFileFunction.compute`."""
    if facts.name != key.name:
        message = f"the MODULE.bazel file of {key} declares a different name ({facts.name})"
        return [Diagnostic("wrong-module-name", message)]
    if key.version and facts.version != key.version:
        message = f"the MODULE.bazel file of {key} declares a different version ({facts.version})"
        return [Diagnostic("wrong-module-version", message)]
    return []
