"""The tree that `mod graph`, `deps`, `path`, `all_paths` and `explain` show.

Bazel: `BazelModuleInspectorFunction`, `TextOutputFormatter`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import field, replace

from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.memoized import memoized
from bazelscope.bazel.builtin_modules import BUILTIN_MODULES
from bazelscope.bazel.release import Release
from bazelscope.loading.modules.discovery import NO_REGISTRY
from bazelscope.loading.modules.extension_repositories import ExtensionRepositories
from bazelscope.loading.modules.module_graph import ROOT, Edge, ModuleKey
from bazelscope.loading.modules.module_repositories import Extension, ModuleRepositories
from bazelscope.questions.mod.answer import ModuleNode, NodeExtension
from bazelscope.questions.mod.options import ModOptions
from bazelscope.questions.mod.result_graph import Child, Result, expand, order, paths

_BY_CHOICE = "minimal_version_selection"
_NOT_OF_REGISTRY = "non_registry_override"


@dataclass
class ModuleTree:
    """The graph as `options` want it shown; `filtered` are the extensions that they ask for, None
    if they ask for none."""

    repositories: ModuleRepositories
    extensions: ExtensionRepositories
    options: ModOptions
    release: Release
    filtered: Collection[Extension] | None = None
    _causes: dict[ModuleKey, list[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for module in self.repositories.resolution.discovered.values():
            for edge in module.edges:
                if edge.written.repository is not None:
                    self._causes.setdefault(_original(edge), []).append(str(module.key))

    @memoized
    def edges(self, key: ModuleKey) -> dict[ModuleKey, Edge]:
        """What a module depends on, sorted; with unused versions, if these are wanted."""
        by_module: dict[ModuleKey, Edge] = {}
        module = self.repositories.resolution.discovered.get(key)
        for edge in module.edges if module is not None else ():
            if edge.selected is None or edge.written.repository is None:
                continue
            by_module.setdefault(edge.selected, edge)
            if self.options.includes_unused:
                by_module.setdefault(_original(edge), edge)
        return {
            needed: by_module[needed]
            for needed in sorted(by_module, key=order)
            if self._shows(needed)
        }

    def _shows(self, key: ModuleKey) -> bool:
        return self.options.includes_builtin or key.name not in BUILTIN_MODULES

    def _needed(self, key: ModuleKey) -> Sequence[ModuleKey]:
        return tuple(self.edges(key))

    # ---- Trees

    def whole(self, tops: Sequence[ModuleKey]) -> list[ModuleNode]:
        """The tree below `tops`, so deep as the options say."""
        options, users = self.options, self._users_of_filtered() or None
        if users and self.release.mod_searches_paths:
            return self.to(tops, ())
        return self._walk(expand(tops, self._needed, options.depth, options.shows_cycles, users))

    def to(
        self, tops: Sequence[ModuleKey], targets: Sequence[ModuleKey], is_single: bool = False
    ) -> list[ModuleNode]:
        """Only what leads from `tops` to `targets`, and to modules that use an extension which is
        asked for: the nearest way to each, or several."""
        every = {*targets, *self._users_of_filtered()}
        options = self.options
        result = paths(tops, every, self._needed, is_single, options.depth, options.shows_cycles)
        return self._walk(result) if result else []

    def _users_of_filtered(self) -> list[ModuleKey]:
        """Bazel: `computeExtensionFilterTargets`."""
        return [
            module.key
            for extension in self.filtered or ()
            for module, _ in extension.uses
            if self._shows(module.key)
        ]

    def _walk(self, result: Result) -> list[ModuleNode]:
        nodes: list[ModuleNode] = []
        seen: set[str] = set()
        above: list[ModuleKey] = []
        stack = [(Child(ROOT), 0)]
        while stack:
            child, depth = stack.pop()
            del above[depth:]
            is_cycle = child.is_cycle or child.key in above
            child = child._replace(
                is_cycle=is_cycle, is_expanded=child.is_expanded and not is_cycle
            )
            parent = above[-1] if above else None
            node = self._node(child, parent, depth, result[child.key].is_target)
            if not child.is_expanded:
                nodes.append(node)
                continue
            nodes.append(replace(node, extension_usages=self._usages_of(child.key, seen, result)))
            above.append(child.key)
            below = result[child.key].by_kind()
            stack.extend((child, depth + 1) for child in reversed(below))
        return nodes

    def _node(
        self, child: Child, parent: ModuleKey | None, depth: int, is_target: bool
    ) -> ModuleNode:
        key = child.key
        resolution = self.repositories.resolution
        known = self.repositories.by_key.get(key)
        edge = self.edges(parent).get(key) if parent is not None else None
        is_unused = key not in resolution.selected
        was: str | None = None
        causes: tuple[str, ...] = ()
        reason = ""
        if edge is not None and edge.selected is not None and not child.is_indirect:
            reason = self._reason(edge)
            if reason:
                was = edge.selected.version if is_unused else _original(edge).version
            if reason == _BY_CHOICE:
                causes = tuple(dict.fromkeys(self._causes.get(edge.selected, ())))
        file = known.file if known is not None else None
        version = key.version or (file.version if file is not None else "")
        name = key.name or (file.name if file is not None else "")
        apparent = name if parent is None else None
        if edge is not None and edge.selected == key:
            apparent = edge.written.repository
        return ModuleNode(
            str(key),
            name,
            version,
            apparent,
            known.canonical if known is not None else "",
            depth,
            child.is_expanded,
            child.is_indirect,
            is_unused,
            is_target,
            edge.written.location if edge is not None else None,
            was,
            causes,
            not is_unused and resolution.may_be_newer(key),
            self._extensions_of(key),
            is_cycle=child.is_cycle,
            reason=reason,
        )

    def _reason(self, edge: Edge) -> str:
        """What gave another version than the one that is asked for. Bazel: `ResolutionReason`."""
        if edge.selected == _original(edge):
            return ""
        root = self.repositories.root.file
        override = root.overrides.get(edge.written.name) if root is not None else None
        if override is None:
            return _BY_CHOICE
        return _NOT_OF_REGISTRY if override.kind in NO_REGISTRY else override.kind

    def _extensions_of(self, key: ModuleKey) -> tuple[str, ...]:
        return tuple(
            shown
            for shown, extension in self._shown_extensions.items()
            if any(module.key == key for module, _ in extension.uses)
        )

    @property
    def _shown_extensions(self) -> dict[str, Extension]:
        """The extensions that the options want shown, by how they are written."""
        if self.options.extension_info == "hidden":
            return {}
        return {
            one.id: one
            for one in self.extensions.every
            if self.filtered is None or one in self.filtered
        }

    def _usages_of(
        self, key: ModuleKey, seen: set[str], result: Result
    ) -> tuple[NodeExtension, ...]:
        """What a module imports, and what no module of the graph does. Bazel: `printExtension`."""
        usages = []
        level = self.options.extension_info
        for shown, extension in sorted(self._shown_extensions.items()):
            imported = {
                (module.key, one.original)
                for module, use in extension.uses
                if module.key in result
                for one in use.imports.values()
            }
            used = sorted(name for module, name in imported if module == key)
            if not used:
                continue
            is_first = shown not in seen
            seen.add(shown)
            made = extension.made.keys() if extension.failure is None else ()
            unused = sorted(set(made) - {name for _, name in imported})
            usages.append(
                NodeExtension(
                    shown,
                    is_first,
                    tuple(used) if level in ("repos", "all") else (),
                    tuple(unused) if level == "all" and is_first else (),
                )
            )
        return tuple(usages)


def _original(edge: Edge) -> ModuleKey:
    """What MODULE.bazel asks for, whatever overrides say."""
    return ModuleKey(edge.written.name, edge.written.version)
