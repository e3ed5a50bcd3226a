"""The values of module resolution: what is read of each module, and what comes out.

A module is named by its `ModuleKey`. `ModuleFacts` is the little of a MODULE.bazel that decides
about versions; `Resolution` is the graph that Bazel would build from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from bazelscope.base.errors import Diagnostic
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.named_tuple import NamedTuple
from bazelscope.base.unknown import Unknown
from bazelscope.loading.modules.module_file import ModuleDependency, ModuleFile


class ModuleKey(NamedTuple):
    """One version of one module; without a version if an override says where it comes from."""

    name: str
    version: str

    def __str__(self) -> str:
        """As Bazel's messages name it."""
        return f"{self.name}@{self.version or '_'}" if self.name else "<root>"


ROOT = ModuleKey("", "")


@dataclass(frozen=True, slots=True)
class ModuleFacts:
    """What MODULE.bazel says that resolution needs. `origin` is where it was read: a path, or
    the name of what is known of the registry."""

    name: str
    version: str
    compatibility_level: int
    bazel_compatibility: tuple[str, ...]
    dependencies: tuple[ModuleDependency, ...]
    origin: str
    is_in_error: bool = False
    """Whether Bazel refuses the file, which then says no more than this."""

    @staticmethod
    def of(file: ModuleFile, origin: str) -> ModuleFacts:
        """The facts of an evaluated MODULE.bazel."""
        return ModuleFacts(
            file.name,
            file.version,
            file.compatibility_level,
            file.bazel_compatibility,
            tuple(file.dependencies),
            origin,
            bool(file.diagnostics),
        )


@dataclass(frozen=True, slots=True)
class Edge:
    """One dependency of a module: what its MODULE.bazel asks for, what the overrides make of
    that, and the module that was selected (None if it takes part in the choice only, or if
    nothing could be selected)."""

    written: ModuleDependency
    asked: ModuleKey
    selected: ModuleKey | None


@dataclass(frozen=True, slots=True)
class Module:
    """One module of the graph. `facts` is None where its MODULE.bazel is not known."""

    key: ModuleKey
    facts: ModuleFacts | None
    edges: tuple[Edge, ...]
    unknown: Unknown | None = None

    @property
    def dependencies(self) -> Mapping[str, ModuleKey]:
        """The selected modules by the name under which this module calls them."""
        return {
            edge.written.repository: edge.selected
            for edge in self.edges
            if edge.written.repository is not None and edge.selected is not None
        }

    @property
    def unnamed(self) -> tuple[ModuleKey, ...]:
        """The modules of which it asks for a version, and which it does not see
        (`repo_name = None`)."""
        return tuple(
            edge.selected
            for edge in self.edges
            if edge.written.repository is None and edge.selected is not None
        )


@dataclass(frozen=True, slots=True)
class Resolution:
    """The module graph of a workspace.

    `selected` are the modules that are in the build, breadth first from the root; `discovered`
    are all whose MODULE.bazel Bazel reads on its way; `asked` are those of them that it asks a
    registry for. `missing` are modules that no registry has. `unknowns` are why the graph may
    hold more modules, or higher versions.
    """

    selected: Mapping[ModuleKey, Module]
    discovered: Mapping[ModuleKey, Module]
    asked: tuple[ModuleKey, ...]
    diagnostics: tuple[Diagnostic, ...] = ()
    unknowns: tuple[Unknown, ...] = ()
    pinned: frozenset[str] = frozenset()
    """Modules of which an override says the version."""
    from_lock: frozenset[ModuleKey] = field(default_factory=frozenset)
    """Modules that are selected because the lock file says so."""

    def versions_of(self, name: str) -> tuple[ModuleKey, ...]:
        """The selected versions of a module: one, unless `multiple_version_override` is used."""
        return tuple(key for key in self.selected if key.name == name)

    def may_be_newer(self, key: ModuleKey) -> bool:
        """Whether something unknown may select another version of it."""
        is_settled = key == ROOT or key.name in self.pinned or key in self.from_lock
        return bool(self.unknowns) and not is_settled
