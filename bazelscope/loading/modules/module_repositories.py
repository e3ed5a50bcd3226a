"""The repositories that the selected modules are, by which names each sees the others, and the
extensions that they use.

A repository that the root module sees has the name here that the root calls it by, so that
answers show what users write, as Bazel's own do; any other has its canonical name. Who reads
a label learns of canonical names through the mapping: they stand in it with an `@`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from typing import TYPE_CHECKING

from bazelscope.base.errors import Diagnostic
from bazelscope.base.label import Label, PackageId
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.unknown import Unknown
from bazelscope.bazel.builtin_modules import BUILTIN_MODULES
from bazelscope.loading.evaluation.workspace.repository_definitions import (
    MODULE_CHUNK,
    DefinedRepository,
)
from bazelscope.loading.modules.module_file import ExtensionUse, ModuleFile, ModuleOverride
from bazelscope.loading.modules.module_graph import ROOT, Edge, Module, ModuleKey, Resolution
from bazelscope.loading.modules.module_names import CanonicalNames
from bazelscope.loading.modules.module_sources import (
    CanonicalMapping,
    ModuleSource,
    PartlyVisibleRepositories,
    VisibleRepositories,
)
from bazelscope.loading.modules.registry_files import ModuleOrigin
from bazelscope.loading.modules.replacements import Replacement
from bazelscope.loading.packages.invisible_names import invisible
from bazelscope.loading.packages.repository_access import SeenNames

if TYPE_CHECKING:
    from bazelscope.loading.modules.use_repo_fixups import ExtensionMetadata, UseRepoFixup
from bazelscope.loading.packages.targets import RepositoryDefinition


@dataclass(slots=True)
class KnownModule:
    """A selected module. `file` is None where only the facts of its MODULE.bazel are known;
    `repository` is empty for the root."""

    key: ModuleKey
    repository: str
    canonical: str
    file: ModuleFile | None
    mapping: dict[str, str] = field(default_factory=dict)

    @property
    def package(self) -> PackageId:
        return PackageId(self.repository, "")


@dataclass(eq=False)
class ModuleRepositories:
    """The modules of one resolution, as repositories; and every canonical name."""

    resolution: Resolution
    _files: Mapping[ModuleKey, ModuleFile]
    names: CanonicalNames
    _overrides: Mapping[str, ModuleOverride]
    _origin: Callable[[ModuleKey], ModuleOrigin | None]
    _other_versions: Mapping[ModuleKey, str]
    by_key: dict[ModuleKey, KnownModule] = field(default_factory=dict, init=False)
    """The selected modules."""
    _by_repository: dict[str, KnownModule] = field(default_factory=dict, init=False)
    canonical: dict[str, str] = field(default_factory=dict, init=False)
    """Canonical names to the names used here."""
    _shared: dict[tuple[str, int], tuple[Mapping[str, str], tuple[int, int], SeenNames]] = field(
        default_factory=dict, init=False
    )

    def __post_init__(self) -> None:
        self.canonical_of: dict[str, str] = {"": ""}
        self._name_modules()
        for module in self.by_key.values():
            self._map_dependencies(module)

    @property
    def root(self) -> KnownModule:
        return self.by_key[ROOT]

    @property
    def modules(self) -> Mapping[str, KnownModule]:
        """The selected modules by the repository that each is; `""` is the root."""
        return self._by_repository

    def repository_of(self, module: str) -> str | None:
        """The repository that a module is here, `""` for the root; None if it is not needed."""
        root = self.root.file
        if module and root is not None and module == root.name:
            return ""
        versions = self.resolution.versions_of(module)
        known = self.by_key.get(versions[-1]) if versions else None
        return known.repository if known is not None else None

    def see(self, repository: str, canonical: str) -> None:
        """Records that `repository` is what Bazel calls `@@canonical`."""
        self.canonical[canonical] = repository
        self.canonical_of.setdefault(repository, canonical)

    def canonical_name(self, repository: str) -> str:
        """What Bazel calls a repository; the name itself of one that no module tells of."""
        return self.canonical_of.get(repository, repository)

    def mapping(self, repository: str) -> Mapping[str, str] | None:
        """What files of a module see, by which names; None if the repository is no module."""
        module = self._by_repository.get(repository)
        if module is None:
            return None
        return self.mapping_of(module, {})

    def mapping_of(
        self, module: KnownModule, more: Mapping[str, str], canonical: str = ""
    ) -> Mapping[str, str]:
        """Returns what files of a module see, and `more` names: what an extension of it makes, if
        it is of a repository of that, by its `canonical` name, that the files are."""
        seen = self._seen(module, more)
        if module.file is not None:
            return VisibleRepositories(seen, self.canonical, canonical or module.canonical)
        if module.key.name in BUILTIN_MODULES:  # What their extensions make is known here.
            return CanonicalMapping(seen, self.canonical)
        return PartlyVisibleRepositories(seen, self.canonical, module.canonical, self.canonical_of)

    def _seen(self, module: KnownModule, more: Mapping[str, str]) -> SeenNames:
        """What files of a module see, and `more`: one object as long as no name is added to
        either, since each of an extension's repositories sees all of them."""
        key, size = (module.repository, id(more) if more else 0), (len(module.mapping), len(more))
        known = self._shared.get(key)
        if known is not None and known[1] == size:
            return known[2]
        seen = SeenNames({**{name: name for name in BUILTIN_MODULES}, **module.mapping, **more})
        self._shared[key] = more, size, seen  # Which holds `more`, so that its id stays its own.
        return seen

    def definitions(self) -> Iterator[DefinedRepository]:
        """The definition of each module's repository, breadth first."""
        asked: dict[ModuleKey, tuple[Edge, Module]] = {}
        for module in self.resolution.selected.values():
            for edge in module.edges:
                if edge.selected is not None and edge.written.repository is not None:
                    asked.setdefault(edge.selected, (edge, module))
        for key, known in self.by_key.items():
            if key == ROOT or key.name in BUILTIN_MODULES or key not in asked:
                continue
            edge, _ = asked[key]
            yield self._definition(known, edge)

    # ---- Names

    def _name_modules(self) -> None:
        selected = self.resolution.selected
        visible = {
            needed: name for name, needed in reversed(list(selected[ROOT].dependencies.items()))
        }
        for key in selected:
            is_only = len(self.resolution.versions_of(key.name)) < 2
            is_builtin = key.name in BUILTIN_MODULES
            canonical = key.name if is_builtin else self.names.module(key, is_only)
            # Bazel's own platforms have constraints of this repository, whatever the root calls it.
            fixed = canonical == key.name
            repository = canonical if fixed else visible.get(key, canonical)
            known = KnownModule(key, repository, canonical, self._files.get(key))
            self.by_key[key] = known
            self._by_repository[repository] = known
            self.see(repository, canonical)

    def _map_dependencies(self, module: KnownModule) -> None:
        mapping = module.mapping
        # Bazel: `getRepoMappingWithBazelDepsOnly`.
        mapping[""] = module.repository if module.key == ROOT else invisible("", module.canonical)
        facts = self.resolution.selected[module.key].facts
        own = module.file.repository if module.file is not None else ""
        name = own or (facts.name if facts is not None else "")
        if name:
            mapping[name] = module.repository
        for apparent, needed in self.resolution.selected[module.key].dependencies.items():
            mapping[apparent] = self.by_key[needed].repository

    # ---- Definitions

    def _definition(self, known: KnownModule, edge: Edge) -> DefinedRepository:
        key, written = known.key, edge.written
        override = self._overrides.get(key.name)
        is_elsewhere = override is not None and override.kind != "single_version_override"
        version = key.version or (known.file.version if known.file is not None else "")
        source = ModuleSource(
            key.name,
            version,
            not self.resolution.may_be_newer(key),
            override,
            () if key in self._other_versions else self.names.directories(key),
            self._other_versions.get(key, ""),
        )
        attributes: dict[str, object] = {"module": key.name, "version": version}
        if not (is_elsewhere and not key.version):
            origin = self._origin(key)
            attributes.update(origin.attributes if origin is not None else {})
        definition = RepositoryDefinition(
            known.repository, "bazel_dep", attributes, written.location, written.call_stack
        )
        if override is not None and is_elsewhere:
            definition = RepositoryDefinition(
                known.repository,
                override.kind,
                {**attributes, **override.arguments},
                override.location,
                override.call_stack,
                (definition,),
            )
        elif override is not None:
            definition = RepositoryDefinition(
                known.repository,
                "bazel_dep",
                {**attributes, **override.arguments, "version": version},
                written.location,
                written.call_stack,
            )
        return DefinedRepository(definition, source, {}, MODULE_CHUNK)


@dataclass(slots=True, eq=False)
class Extension:
    """One module extension of the build. `host` is the module that it belongs to, `prefix` what
    the canonical names of its repositories begin with."""

    file: Label
    name: str
    host: KnownModule
    prefix: str
    uses: list[tuple[KnownModule, ExtensionUse]] = field(default_factory=list)
    made: dict[str, str] = field(default_factory=dict)
    """Its repositories: their own names, and the names used here."""
    is_run: bool = False
    unknown: Unknown | None = None
    """Why it may make others than these."""
    failure: Diagnostic | None = None
    """Why Bazel surely makes none of them."""
    metadata: ExtensionMetadata | None = None
    """What it says of the root's imports; None if that is not known."""
    fixup: UseRepoFixup | None = None
    """How the root's imports differ from that, if they do."""
    isolated: str = ""
    """Of an isolated use, the module and its variable, as a lock file has them."""
    waits_for_itself: tuple[Extension, ...] = ()
    """The extensions that each need what the next one makes, the last one of the first."""
    is_innate: bool = False
    """Whether it is what calls of `use_repo_rule` are to Bazel."""

    @property
    def use_of_root(self) -> ExtensionUse | None:
        """What the root module says to it, if anything."""
        return next((use for user, use in self.uses if not user.repository), None)

    @property
    def replaced(self) -> Mapping[str, Replacement]:
        """The repositories that the root module puts in the place of the extension's."""
        use = self.use_of_root
        return use.replaced if use is not None else {}

    @property
    def shown(self) -> str:
        return f"{self.file}%{self.name}"

    @property
    def id(self) -> str:
        """How Bazel writes it: `@@rules_go+//go:extensions.bzl%go_sdk`. Bazel:
        `ModuleExtensionId.toString`."""
        file = self.file
        return f"@@{self.host.canonical}//{file.package}:{file.name}%{self.name}"

    @property
    def canonical_file(self) -> str:
        """Its file by the canonical name of the repository."""
        canonical = self.host.canonical
        prefix = f"@@{canonical}" if canonical else ""
        return f"{prefix}//{self.file.package}:{self.file.name}"

    @property
    def said(self) -> tuple[tuple[str, str, Mapping[str, object]], ...]:
        """What modules say to it: module, tag, arguments."""
        return tuple(
            (str(module.key), tag.tag_class, tag.arguments)
            for module, use in self.uses
            for tag in use.tags
        )
