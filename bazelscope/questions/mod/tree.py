"""The tree that `mod graph`, `deps`, `path`, `all_paths` and `explain` show.

Bazel: `ModExecutor`. A module has its dependencies below it at the first place where it stands.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace

from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.bazel.builtin_modules import BUILTIN_MODULES
from bazelscope.loading.modules.extension_repositories import Extension, ExtensionRepositories
from bazelscope.loading.modules.module_graph import ROOT, Edge, ModuleKey
from bazelscope.loading.modules.module_repositories import ModuleRepositories
from bazelscope.loading.modules.module_versions import version_order
from bazelscope.questions.mod.answer import ModuleNode, NodeExtension
from bazelscope.questions.mod.options import ModOptions


@dataclass(frozen=True, slots=True)
class Step:
    """A dependency in the tree: the module, and the `bazel_dep` that leads there."""

    key: ModuleKey
    edge: Edge | None
    is_unused: bool = False
    is_indirect: bool = False


@dataclass
class ModuleTree:
    """The graph as `options` want it shown."""

    found: ModuleRepositories
    extensions: ExtensionRepositories
    options: ModOptions
    _steps: dict[ModuleKey, tuple[Step, ...]] = field(default_factory=dict)
    _causes: dict[ModuleKey, list[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for module in self.found.resolution.discovered.values():
            if not self._is_shown(module.key):
                continue
            for edge in module.edges:
                self._causes.setdefault(edge.asked, []).append(str(module.key))

    def _is_shown(self, key: ModuleKey) -> bool:
        return self.options.includes_builtin or key.name not in BUILTIN_MODULES

    def steps(self, key: ModuleKey) -> tuple[Step, ...]:
        """What a module depends on, sorted; with unused versions, if these are wanted."""
        if key not in self._steps:
            self._steps[key] = tuple(self._sorted_steps(key))
        return self._steps[key]

    def _sorted_steps(self, key: ModuleKey) -> list[Step]:
        module = self.found.resolution.discovered.get(key)
        steps: dict[ModuleKey, Step] = {}
        for edge in module.edges if module is not None else ():
            target = edge.selected
            if target is None or edge.written.repository is None or not self._is_shown(target):
                continue
            steps.setdefault(target, Step(target, edge))
            if self.options.includes_unused and edge.asked != target:
                steps.setdefault(edge.asked, Step(edge.asked, edge, is_unused=True))
        return sorted(steps.values(), key=lambda step: _order(step.key))

    def all_keys(self) -> Sequence[ModuleKey]:
        """Every module that may be shown."""
        resolution = self.found.resolution
        graph = resolution.discovered if self.options.includes_unused else resolution.selected
        return [key for key in graph if self._is_shown(key)]

    # ---- Trees

    def whole(self, tops: Sequence[ModuleKey], targets: Sequence[ModuleKey]) -> list[ModuleNode]:
        """The tree below `tops`, so deep as the options say."""
        return list(self._walk(tops, {key: self.steps(key) for key in self.all_keys()}, targets))

    def to(
        self, tops: Sequence[ModuleKey], targets: Sequence[ModuleKey], each_once: bool
    ) -> list[ModuleNode]:
        """Only what leads from `tops` to `targets`: the nearest way, or every one."""
        if each_once:
            return list(self._walk(tops, self._shortest(tops, targets), targets))
        leading = self._leading(targets)
        steps = {
            key: tuple(step for step in self.steps(key) if step.key in leading)
            for key in self.all_keys()
            if key in leading
        }
        return list(self._walk(tops, steps, targets))

    def _shortest(
        self, tops: Sequence[ModuleKey], targets: Sequence[ModuleKey]
    ) -> dict[ModuleKey, tuple[Step, ...]]:
        before: dict[ModuleKey, tuple[ModuleKey, Step] | None] = dict.fromkeys(tops)
        queue = list(tops)
        for key in queue:
            for step in self.steps(key):
                if step.key not in before:
                    before[step.key] = (key, step)
                    queue.append(step.key)
        chosen: dict[ModuleKey, list[Step]] = {}
        for target in targets:
            at = before.get(target)
            while at is not None:
                key, step = at
                if step not in chosen.setdefault(key, []):
                    chosen[key].append(step)
                at = before.get(key)
        return {
            key: tuple(sorted(steps, key=lambda step: _order(step.key)))
            for key, steps in chosen.items()
        }

    def _leading(self, targets: Sequence[ModuleKey]) -> set[ModuleKey]:
        """The targets, and all modules from which one of them is reached."""
        users: dict[ModuleKey, set[ModuleKey]] = {}
        for key in self.all_keys():
            for step in self.steps(key):
                users.setdefault(step.key, set()).add(key)
        reached, queue = set(targets), list(targets)
        for key in queue:
            for user in users.get(key, ()):
                if user not in reached:
                    reached.add(user)
                    queue.append(user)
        return reached

    def _walk(
        self,
        tops: Sequence[ModuleKey],
        steps: Mapping[ModuleKey, Sequence[Step]],
        targets: Sequence[ModuleKey],
    ) -> Iterator[ModuleNode]:
        expanded: set[ModuleKey] = set()
        seen: set[str] = set()
        depth_limit = self.options.depth
        stack: list[tuple[Step, int]] = [(Step(top, None), 0) for top in reversed(tops)]
        while stack:
            step, depth = stack.pop()
            below = steps.get(step.key, ())
            is_new = step.key not in expanded
            opens = is_new and depth < depth_limit
            node = self._node(step, depth, is_new or not below, step.key in targets)
            if node.is_expanded:
                node = replace(node, extension_usages=self._usages_of(step.key, seen))
            yield node
            if opens:
                expanded.add(step.key)
                stack.extend((item, depth + 1) for item in reversed(below))

    def _node(self, step: Step, depth: int, is_expanded: bool, is_target: bool) -> ModuleNode:
        key, edge = step.key, step.edge
        resolution = self.found.resolution
        known = next((m for m in self.found.modules.values() if m.key == key), None)
        was = None
        if edge is not None and edge.asked != key and edge.written.version:
            was = edge.written.version
        file = known.file if known is not None else None
        version = key.version or (file.version if file is not None else "")
        name = key.name or (file.name if file is not None else "")
        apparent = edge.written.repository if edge is not None else None
        return ModuleNode(
            str(key),
            name,
            version,
            apparent or name,
            known.canonical if known is not None else "",
            depth,
            is_expanded,
            step.is_indirect,
            key not in resolution.selected,
            is_target,
            edge.written.location if edge is not None else None,
            was,
            tuple(dict.fromkeys(self._causes.get(key, ()))) if was is not None else (),
            key in resolution.selected and resolution.may_be_newer(key),
            self._extensions_of(key),
        )

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
            shown_extension(one.file.package, one.file.name, one.name, str(one.host.key)): one
            for one in self.extensions.extensions.values()
            if not self.options.extension_filter or one.name in self._filter
        }

    def _usages_of(self, key: ModuleKey, seen: set[str]) -> tuple[NodeExtension, ...]:
        """What a module imports, and what nobody does. Bazel: `printExtension`."""
        usages = []
        level = self.options.extension_info
        for shown, extension in sorted(self._shown_extensions.items()):
            imported = {
                (module.key, one.original)
                for module, use in extension.uses
                for one in use.imports.values()
            }
            used = sorted(name for module, name in imported if module == key)
            if not used:
                continue
            is_first = shown not in seen
            seen.add(shown)
            unused = sorted(extension.made.keys() - {name for _, name in imported})
            usages.append(
                NodeExtension(
                    shown,
                    is_first,
                    tuple(used) if level in ("repos", "all") else (),
                    tuple(unused) if level == "all" and is_first else (),
                )
            )
        return tuple(usages)

    @property
    def _filter(self) -> set[str]:
        return {word.rpartition("%")[2] for word in self.options.extension_filter}


def shown_extension(package: str, file: str, name: str, host: str) -> str:
    """How an extension is written in answers: `rules_go@0.50.1//go:extensions.bzl%go_sdk`."""
    return f"{'' if host == str(ROOT) else host}//{package}:{file}%{name}"


def _order(key: ModuleKey) -> tuple[str, object]:
    return key.name, version_order(key.version)
