"""Reads the modules of a workspace: its MODULE.bazel, the lock file, and modules at hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Protocol

from bazelscope.base.errors import LoadingError
from bazelscope.base.source import Location, SourceFile
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel.rule_classes import parse_version
from bazelscope.loading.dry_run.run_state import DryRunSettings, FilesOfRepositories
from bazelscope.loading.evaluation.evaluation_context import EvaluationContext
from bazelscope.loading.evaluation.repository_access import FileFound, RepositoryAccess
from bazelscope.loading.evaluation.repository_definitions import DefinedRepository
from bazelscope.loading.evaluation.workspace_evaluation import Modules, WorkspaceFacts, new_facts
from bazelscope.loading.modules.lock_file import LARGEST, LOCK_NAME, LockFile, parse_lock
from bazelscope.loading.modules.module_file import (
    FILE_NAME,
    ModuleFile,
    ModuleOverride,
    ModuleSettings,
    evaluate_module_file,
)
from bazelscope.loading.modules.module_repositories import ModuleRepositories
from bazelscope.loading.modules.module_sources import MODULE_CHUNK, VisibleRepositories
from bazelscope.loading.tree.workspace_files import Workspace

_COMMAND_LINE = Location("<command line>", 1, 1)
_BUILTIN_MODULES = ("bazel_tools", "local_config_platform")
"""Modules that every module sees. Bazel: `ModuleFileFunction`."""


class ModuleOptions(Protocol):
    """What of the command line matters to modules."""

    @property
    def bazel_version(self) -> str: ...
    @property
    def override_modules(self) -> Mapping[str, str]: ...
    @property
    def override_repositories(self) -> Mapping[str, str]: ...
    @property
    def reads_workspace(self) -> bool: ...
    @property
    def ignore_dev_dependency(self) -> bool: ...


class Repositories(RepositoryAccess, FilesOfRepositories, Protocol):
    """The table of repositories, which grows while modules are evaluated."""


class ModuleEvaluation:
    """The modules of one workspace; `facts` get what they define."""

    def __init__(
        self,
        repositories: Repositories,
        workspace: Workspace,
        options: ModuleOptions,
        facts: WorkspaceFacts,
        about_to_read: Callable[[str], object],
    ) -> None:
        self._repositories = repositories
        self._workspace = workspace
        self._options = options
        self._facts = facts
        self._about_to_read = about_to_read
        self._modules: Modules | None = None
        self._found: ModuleRepositories | None = None
        self._mappings: dict[str, Mapping[str, str]] = {}

    def mapping(self, repository: str) -> Mapping[str, str] | None:
        """Apparent to repository names, as a known module sees them."""
        found = self._found
        names = found.mapping(repository) if found is not None else None
        if names is None:
            return None
        if repository:
            return names
        if self._options.reads_workspace:
            return {**self._facts.mapping(), **names}
        builtin = {name: name for name in _BUILTIN_MODULES}
        given = {name: name for name in self._options.override_repositories}
        return VisibleRepositories({**builtin, **given, **names}, repository)

    def known_module(self, repository: str) -> tuple[str, str] | None:
        """Name and version of the module that a repository is, if its file was read."""
        known = self._found.modules.get(repository) if self._found is not None else None
        return (known.file.name, known.file.version) if known is not None else None

    def repository_of(self, module: str) -> str | None:
        """The repository that a module is here, `""` for the root; None if it is not needed."""
        return self._found.repository_of(module) if self._found is not None else None

    def evaluate(
        self, modules: Modules, context: EvaluationContext, settings: DryRunSettings
    ) -> None:
        """Defines every repository that the modules at hand tell of."""
        self._modules = modules
        root = self._root_file()
        if root is None:
            return
        facts = self._facts
        for name, path in self._options.override_modules.items():
            root.overrides[name] = ModuleOverride(
                "local_path_override", name, {"path": path}, _COMMAND_LINE, ()
            )
        before = facts.log.chunk
        facts.log.chunk = MODULE_CHUNK
        found = self._found = ModuleRepositories(self, self._lock_file(), self._define)
        access, files_of = self._repositories, self._repositories
        found.resolve(root)
        found.run_rules(modules, access)
        found.run_extensions(
            modules, access, context, files_of, settings, lambda: new_facts(facts.builtin)
        )
        facts.log.chunk = before
        for module in found.modules.values():
            facts.diagnostics.extend(module.file.diagnostics)
            facts.registrations.extend(
                replace(item, repository=module.repository) for item in module.file.registrations
            )
            facts.may_define.extend(module.file.unknowns)
        facts.may_define.extend(_failed(root))
        facts.diagnostics.extend(found.diagnostics)
        facts.unknowns.extend(found.unknowns)

    def module_file(self, repository: str) -> ModuleFile | None:
        """The MODULE.bazel of a repository whose files are at hand."""
        found = self._repositories.find_file(repository, FILE_NAME)
        if not isinstance(found, FileFound):
            return None
        if found.real_path is not None:
            self._about_to_read(found.real_path)
        text = self._repositories.read_text(found)
        if isinstance(text, Unknown):
            return None
        source = SourceFile(found.display_path, text)
        return evaluate_module_file(source, self._settings(ignore_dev=True))

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
        return evaluate_module_file(source, self._settings(self._options.ignore_dev_dependency))

    def _settings(self, ignore_dev: bool) -> ModuleSettings:
        assert self._modules is not None
        return ModuleSettings(
            self._read_included,
            ignore_dev,
            self._modules.program_cache,
            self._modules.limits,
            parse_version(self._options.bazel_version),
        )

    def _read_included(self, path: str) -> SourceFile:
        self._about_to_read(str(self._workspace.root / path))
        return self._workspace.read(path)

    def _lock_file(self) -> LockFile:
        path = self._workspace.root / LOCK_NAME
        self._about_to_read(str(path))
        if not self._workspace.is_file(LOCK_NAME):
            return LockFile()
        try:
            content = self._workspace.read_bytes(LOCK_NAME)
        except LoadingError:
            return LockFile()
        return (
            parse_lock(content.decode("utf-8", "replace"))
            if len(content) <= LARGEST
            else LockFile()
        )

    def _define(self, repository: DefinedRepository) -> None:
        self._facts.log.define(repository, is_native=False)


def _failed(root: ModuleFile) -> list[Unknown]:
    """Why the root module may define more than is known: statements of it in error."""
    found = []
    for diagnostic in root.diagnostics:
        span = diagnostic.span
        place = Location(span.path, span.line, span.column) if span is not None else None
        found.append(Unknown(Reason.FAILED, FILE_NAME, diagnostic.message, place))
    return found
