"""Reads the modules of a workspace: its MODULE.bazel, the lock file, and modules at hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from bazelscope.base.errors import LoadingError, Severity
from bazelscope.base.label import at_sign
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import Location, SourceFile
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel.builtin_modules import (
    BUILTIN_MODULES,
    platforms_of_local_config_platform,
    requests_of_bazel_tools,
)
from bazelscope.bazel.builtin_repositories import OF_BAZEL
from bazelscope.bazel.release import from_bazelversion, release_of_lock
from bazelscope.loading.dry_run.run_result import DryRunSettings
from bazelscope.loading.evaluation.bzl_files.module_loader import ModuleLoader
from bazelscope.loading.evaluation.evaluation_context import EvaluationContext
from bazelscope.loading.evaluation.workspace.repository_definitions import (
    MODULE_CHUNK,
    DefinedRepository,
    Registration,
)
from bazelscope.loading.evaluation.workspace.workspace_evaluation import (
    WorkspaceFacts,
    new_facts,
)
from bazelscope.loading.modules.evaluator import Evaluator, Repositories
from bazelscope.loading.modules.extension_repositories import ExtensionRepositories
from bazelscope.loading.modules.lock_file import LOCK_NAME, LockFile, out_of_date, read_lock
from bazelscope.loading.modules.module_file import (
    FILE_NAME,
    ModuleDependency,
    ModuleFile,
    ModuleOverride,
    ModuleSettings,
)
from bazelscope.loading.modules.module_file_evaluation import evaluate_module_file
from bazelscope.loading.modules.module_file_sources import (
    ModuleFileSources,
    ModulePlaces,
    repository_cache_of,
)
from bazelscope.loading.modules.module_graph import ROOT, ModuleKey, Resolution
from bazelscope.loading.modules.module_names import CanonicalNames
from bazelscope.loading.modules.module_repositories import ModuleRepositories
from bazelscope.loading.modules.module_sources import OF_MODEL, CanonicalMapping
from bazelscope.loading.modules.registry_index import CENTRAL_REGISTRY
from bazelscope.loading.modules.resolution import ResolutionSettings, resolve
from bazelscope.loading.packages.invisible_names import invisible_name, is_asked_by_root
from bazelscope.loading.packages.targets import RepositoryDefinition
from bazelscope.loading.tree.contents import BUILD_FILE_NAMES
from bazelscope.loading.tree.disk import EntryKind
from bazelscope.loading.tree.loading_options import LoadingOptions
from bazelscope.loading.tree.workspace_files import Workspace

if TYPE_CHECKING:
    from bazelscope.loading.tree.uncalled_definitions import UncalledDefinitions

_COMMAND_LINE = Location("<command line>", 1, 1)
_BUILTIN = Location("bazel_tools/MODULE.bazel", 1, 1)
_TOOLS, _PLATFORM = BUILTIN_MODULES


@dataclass(eq=False)
class ModuleEvaluation:
    """The modules of one workspace; `facts` get what they define."""

    _repositories: Repositories
    _workspace: Workspace
    _options: LoadingOptions
    _facts: WorkspaceFacts
    _about_to_read: Callable[[str], object]
    _modules: ModuleLoader | None = field(default=None, init=False)
    _again: Callable[[ModuleFile], Resolution] | None = field(default=None, init=False)
    extensions: ExtensionRepositories | None = field(default=None, init=False)
    resolved: ModuleRepositories | None = field(default=None, init=False)
    """The modules as repositories, once they are resolved."""

    def mapping(self, repository: str) -> Mapping[str, str] | None:
        """Apparent to repository names, as files of `repository` see them; None if it is no
        repository that modules define."""
        repositories, extensions = self.resolved, self.extensions
        if repositories is None:
            return None
        if not repository:
            return self._mapping_of_root(repositories)
        names = repositories.mapping(repository.removesuffix(OF_MODEL))
        if names is None and extensions is not None:
            names = extensions.mapping(repository)
        return names

    def canonical_mapping(self, names: Mapping[str, str]) -> Mapping[str, str]:
        """`names` of a repository that no module defines, beside what the root module sees.
        Bazel: `RepositoryMappingFunction`, of repositories of WORKSPACE."""
        repositories = self.resolved
        if repositories is None:
            return names
        return CanonicalMapping({**repositories.root.mapping, **names}, repositories.canonical)

    def mapping_of_arguments(self, repository: str) -> Mapping[str, str] | None:
        """The names by which the arguments of a definition call repositories, if an extension or
        `use_repo_rule` made it."""
        host = self.extensions.host_of(repository) if self.extensions is not None else None
        if host is None:
            return None
        seen = repository if self._options.release.arguments_name_siblings else host
        return self.mapping(seen)

    def remedy_of_missing(self, repository: str, uncalled: UncalledDefinitions) -> str:
        """What would bring a repository that files of the root module name and do not see; where
        there is a WORKSPACE, too, also those that other files name."""
        reads_workspace = self._options.reads_workspace
        name = invisible_name(repository)
        if name is None:
            name = repository if reads_workspace else ""
        elif not is_asked_by_root(repository):
            name = ""
        if not name or self.resolved is None or self.extensions is None:
            return ""
        from bazelscope.loading.modules.invisible_repositories import remedy_of_invisible

        return remedy_of_invisible(
            name, self.resolved, self.extensions, self._workspace, uncalled, reads_workspace
        )

    def evaluate(
        self, modules: ModuleLoader, context: EvaluationContext, settings: DryRunSettings
    ) -> None:
        """Defines every repository that the modules at hand tell of."""
        self._modules = modules
        root = self._root_file()
        if root is None:
            return
        for name, path in self._options.override_modules.items():
            root.overrides[name] = ModuleOverride(
                "local_path_override", name, {"path": path}, _COMMAND_LINE, ()
            )
        lock = LockFile()
        if self._options.modules.reads_lock:
            self._about_to_read(str(self._workspace.root / LOCK_NAME))
            lock = read_lock(self._workspace, self._options.release)
            self._facts.diagnostics.extend([lock.problem] if lock.problem is not None else [])
        names = CanonicalNames(self._options.release, self._options.modules.uses_plus)
        is_refreshed = self._options.modules.lockfile_mode == "refresh"
        sources = self._sources(lock.refreshed if is_refreshed else lock, names)
        resolution = self._resolve(root, sources, lock)
        self._again = lambda other: self._resolved(other, sources, lock, believes_lock=False)
        files = {ROOT: root, **sources.files}
        repositories = self.resolved = ModuleRepositories(
            resolution, files, names, root.overrides, sources.origin, sources.other_versions
        )
        with_chunk = self._facts.log
        before, with_chunk.chunk = with_chunk.chunk, MODULE_CHUNK
        # Bazel writes this module itself, so files of extensions may load from it.
        written = RepositoryDefinition(_PLATFORM, OF_BAZEL, {}, _BUILTIN, ())
        self._define(DefinedRepository(written, OF_BAZEL, {}, MODULE_CHUNK))
        for definition in repositories.definitions():
            self._define(definition)
        self._facts.diagnostics.extend(sources.problems)
        evaluator = Evaluator(
            modules,
            self._repositories,
            context,
            settings,
            lambda: new_facts(self._facts.builtin),
            self._options.modules.isolates_extensions,
            self._options.machine if self._options.modules.lockfile_mode == "error" else None,
        )
        extensions = ExtensionRepositories(
            repositories,
            lock,
            evaluator,
            self._define,
            self._options.release,
            set(self._options.modules.registries) <= {CENTRAL_REGISTRY},
        )
        self.extensions = extensions
        extensions.evaluate()
        with_chunk.chunk = before
        self._tell(root, repositories, extensions, files)

    def resolve_without(self, place: Location) -> Resolution | None:
        """The module graph that there would be without the root's `bazel_dep` at `place`; None
        where nobody can tell: the lock file, which was written with it, says more than files do."""
        root = self.resolved.root.file if self.resolved is not None else None
        if self.resolved is None or root is None or self._again is None:
            return None
        if self._again(root).selected.keys() != self.resolved.resolution.selected.keys():
            return None
        kept = [one for one in root.dependencies if one.location != place]
        return self._again(replace(root, dependencies=kept))

    def _tell(
        self,
        root: ModuleFile,
        repositories: ModuleRepositories,
        extensions: ExtensionRepositories,
        files: Mapping[ModuleKey, ModuleFile],
    ) -> None:
        facts = self._facts
        for file in files.values():  # Bazel reads those of versions, too, that are not chosen.
            facts.diagnostics.extend(file.diagnostics)
        for module in repositories.modules.values():
            if module.file is not None:
                facts.may_define.extend(module.file.unknowns)
        facts.may_define.extend(_failed(root))
        if not root.diagnostics:
            # Where the root's own file is in error, Bazel stops there.
            facts.diagnostics.extend(repositories.resolution.diagnostics)
        facts.diagnostics.extend(extensions.diagnostics)
        facts.unknowns.extend(extensions.unknowns)

    def registrations(self, of_root: bool) -> Iterator[Registration | Unknown]:
        """What the root module registers, or what all others do: before it what of a file may
        register more."""
        for module in self.resolved.modules.values() if self.resolved is not None else ():
            if module.file is None or (not module.repository) is not of_root:
                continue
            yield from module.file.unknowns
            yield from _failed(module.file) if of_root else ()
            for one in module.file.registrations:
                yield replace(one, repository=module.repository)

    def unread(self) -> Iterator[Unknown]:
        """The modules of whose MODULE.bazel no more is known than what the registry's index has,
        which leaves out what they register."""
        for module in self.resolved.modules.values() if self.resolved is not None else ():
            name = module.key.name
            if module.file is None and name not in BUILTIN_MODULES:
                detail = f"the MODULE.bazel of the module {name} is not on this machine"
                yield Unknown(Reason.NOT_FETCHED, at_sign(module.repository), detail)

    def _mapping_of_root(self, repositories: ModuleRepositories) -> Mapping[str, str]:
        names = repositories.root.mapping
        if self._options.reads_workspace:
            return CanonicalMapping({**self._facts.mapping(), **names}, repositories.canonical)
        given: dict[str, str] = {}
        if not self._adds_by_injection:
            given = {name: name for name in self._options.override_repositories}
        mapping = repositories.mapping("")
        assert isinstance(mapping, CanonicalMapping)
        return mapping.with_names(given) if given else mapping

    # ---- Resolution

    def _resolve(self, root: ModuleFile, sources: ModuleFileSources, lock: LockFile) -> Resolution:
        resolution = self._resolved(root, sources, lock)
        errors = [d for d in resolution.diagnostics if d.severity is not Severity.WARNING]
        release = self._options.release
        is_known = not (release.is_prerelease or self._is_assumed_by(lock))
        refusal = None
        if self._options.modules.lockfile_mode == "error" and not root.diagnostics:
            from bazelscope.loading.modules.frozen_lock import FrozenLock

            frozen = FrozenLock(
                lock,
                str(self._workspace.root),
                self._options,
                is_known,
                sources.registry_of,
                self._bytes,
            )
            refusal = frozen.refusal(root, resolution)
        if refusal is not None:
            # Bazel stops there.
            return replace(resolution, diagnostics=(refusal,))
        if lock.start and not release.lock_file_has_hashes:
            # The lock file has the graph, so that Bazel does not resolve the modules again.
            resolution = replace(resolution, diagnostics=tuple(errors))
        if not errors:
            self._facts.diagnostics += out_of_date(lock, resolution, release if is_known else None)
        return resolution

    def _bytes(self, path: str) -> bytes | None:
        """A file of the workspace, None where there is none."""
        self._about_to_read(str(self._workspace.root / path))
        return self._workspace.read_bytes(path) if self._workspace.is_file(path) else None

    def _resolved(
        self,
        root: ModuleFile,
        sources: ModuleFileSources,
        lock: LockFile,
        believes_lock: bool = True,
    ) -> Resolution:
        release, flags = self._options.release, self._options.modules
        tools, platforms = (
            [ModuleDependency(*request, False, _BUILTIN) for request in requests(release)]
            for requests in (requests_of_bazel_tools, platforms_of_local_config_platform)
        )
        unknown: dict[str, Unknown] = {}
        if believes_lock and lock.selected and (release.is_prerelease or self._is_assumed_by(lock)):
            # What that Bazel asked for is in its lock; a guess would only add to it.
            why = f"which modules it asks for is not known of this Bazel ({release})"
            unknown, tools = {_TOOLS: Unknown(Reason.NOT_MODELLED, _TOOLS, why, _BUILTIN)}, []
        settings = ResolutionSettings(
            release,
            {_TOOLS: tools, _PLATFORM: platforms},
            unknown,
            sources.yanked,
            None if "all" in flags.allowed_yanked else flags.allowed_yanked,
            flags.check_compatibility,
            flags.check_direct,
        )
        asked = [ModuleKey(*key) for key in lock.asked if believes_lock]
        selected = [ModuleKey(*key) for key in lock.selected if believes_lock]
        return resolve(root, sources, settings, asked, selected)

    def _is_assumed_by(self, lock: LockFile) -> bool:
        """Whether this is some release that writes such locks, and none that the tree names."""
        written = from_bazelversion(self._workspace.bazel_version() or "")
        assumed = release_of_lock(lock.start, written)
        return assumed is not None and assumed.text == self._options.release.text

    def _sources(self, lock: LockFile, names: CanonicalNames) -> ModuleFileSources:
        options, flags = self._options, self._options.modules
        downloaded = []
        if options.vendor_dir is not None:
            downloaded.append(Path(options.vendor_dir))
        if options.output_base is not None:
            downloaded.append(Path(options.output_base) / "external")
        places = ModulePlaces(
            self._workspace.root,
            flags.registries or (CENTRAL_REGISTRY,),
            downloaded,
            repository_cache_of(flags.repository_cache, options.output_base),
        )
        return ModuleFileSources(
            places,
            names,
            lock,
            self._evaluate_other,
            self._about_to_read,
            self._workspace.disk,
            self._workspace.remedy_of_missing,
            options.release.module_patches_count,
        )

    # ---- Files

    def _evaluate_other(
        self, source: SourceFile, folder: Path | None, is_overridden: bool
    ) -> ModuleFile:
        """The MODULE.bazel of a module that is not the root. It may include files of its folder
        if an override says where that is; what a registry has need not be the file that lies
        there."""

        def read(path: str) -> SourceFile:
            assert folder is not None
            self._about_to_read(str(folder / path))
            text = self._workspace.disk.read(str(folder / path), path).decode("utf-8", "replace")
            shown = source.path.removesuffix(FILE_NAME) + path
            return SourceFile(shown, text)

        settings = replace(
            self._settings(ignore_dev=True),
            read=read,
            ignore_overrides=True,
            may_include=folder is not None
            and (not is_overridden or self._options.release.overridden_modules_include),
            is_package=lambda package: folder is None or self._has_build_file(folder / package),
        )
        return evaluate_module_file(source, settings)

    def _root_file(self) -> ModuleFile | None:
        self._about_to_read(str(self._workspace.root / FILE_NAME))
        if not self._workspace.is_file(FILE_NAME):
            # Bazel makes an empty one; WORKSPACE goes on alone where it is read.
            return None if self._options.reads_workspace else ModuleFile()
        try:
            source = self._workspace.read(FILE_NAME)
        except LoadingError as error:
            self._facts.diagnostics.append(error.diagnostic)
            return None
        settings = self._settings(self._options.ignore_dev_dependency)
        if self._adds_by_injection and not settings.ignore_dev:
            settings = replace(settings, injected=self._options.modules.injected)
        return evaluate_module_file(source, settings)

    @property
    def _adds_by_injection(self) -> bool:
        return self._options.release.overridden_repositories_exist

    def _settings(self, ignore_dev: bool) -> ModuleSettings:
        assert self._modules is not None
        return ModuleSettings(
            self._read_included,
            ignore_dev,
            self._modules.program_cache,
            self._modules.limits,
            self._options.release,
            isolates_extensions=self._options.modules.isolates_extensions,
            is_package=lambda package: self._has_build_file(self._workspace.root / package),
        )

    def _has_build_file(self, directory: Path) -> bool:
        paths = [str(directory / name) for name in BUILD_FILE_NAMES]
        for path in paths:
            self._about_to_read(path)
        return EntryKind.FILE in map(self._workspace.disk.kind, paths)

    def _read_included(self, path: str) -> SourceFile:
        self._about_to_read(str(self._workspace.root / path))
        return self._workspace.read(path)

    def _define(self, repository: DefinedRepository) -> None:
        self._facts.log.define(repository, is_native=False)


def _failed(root: ModuleFile) -> list[Unknown]:
    """Why the root module may define more than is known: statements of it in error."""
    return [
        Unknown(Reason.FAILED, FILE_NAME, diagnostic.message, diagnostic.location)
        for diagnostic in root.diagnostics
    ]
