"""The external repositories of a workspace: their definitions, and where their content is.

The content of a repository is looked for in this order: `--override_repository`; the directory
of a `local_repository`; the vendor directory or Bazel's output base, if one was named; a dry run
of the repository rule, which finds overlays as well; a model; else it is unknown, with a reason.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Protocol

from bazelscope.errors import Diagnostic, LabelError, LoadingError
from bazelscope.label import Label
from bazelscope.loading import host_platform, host_toolchain
from bazelscope.loading.builtin_repositories import (
    Version,
    builtin_repositories,
    without_workspace,
)
from bazelscope.loading.bzlmod.evaluation import ModuleEvaluation
from bazelscope.loading.bzlmod.repositories import ModuleSource, UnmadeRepository
from bazelscope.loading.dry_run import doubted, dry_run
from bazelscope.loading.dry_run_state import DryRunSettings
from bazelscope.loading.evaluation import EvaluationContext
from bazelscope.loading.model_content import ModelContent, model_of, release_of
from bazelscope.loading.opaque import Opaque
from bazelscope.loading.repository_access import FileFound
from bazelscope.loading.repository_attributes import attribute_values
from bazelscope.loading.repository_content import Content, DirectoryContent, find_build_file
from bazelscope.loading.repository_definitions import (
    Binding,
    DefinedRepository,
    external_label,
)
from bazelscope.loading.repository_files import (
    Placement,
    directory_placement,
    dry_run_placement,
    read_text,
    unknown_placement,
)
from bazelscope.loading.rule_classes import parse_version
from bazelscope.loading.rule_values import RepositoryRule
from bazelscope.loading.targets import Provenance, Repository, RepositoryDefinition
from bazelscope.loading.workspace import FileTree, Workspace, is_clean
from bazelscope.loading.workspace_evaluation import (
    Modules,
    close_facts,
    evaluate_workspace,
    new_facts,
)
from bazelscope.unknown import Reason, Unknown

_SYSTEM_NAMES = {"linux": "linux", "macos": "mac os x", "windows": "windows 10"}
_NO_MAPPING: Mapping[str, str] = {}
_LOCAL = frozenset({"local_path_override", "local_repository", "new_local_repository"})


class RepositoryOptions(Protocol):
    """What of the command line and the machine matters to repositories."""

    @property
    def bazel_version(self) -> str: ...
    @property
    def host(self) -> str: ...
    @property
    def override_repositories(self) -> Mapping[str, str]: ...
    @property
    def repo_env(self) -> Mapping[str, str]: ...
    @property
    def output_base(self) -> str | None: ...
    @property
    def vendor_dir(self) -> str | None: ...
    @property
    def override_modules(self) -> Mapping[str, str]: ...
    @property
    def reads_modules(self) -> bool: ...
    @property
    def reads_workspace(self) -> bool: ...
    @property
    def ignore_dev_dependency(self) -> bool: ...


class RepositoryTable:
    """The repositories of one workspace. `evaluate` fills it; while that runs, it answers
    with what is defined so far, since WORKSPACE loads from the repositories it defines."""

    def __init__(
        self,
        workspace: Workspace,
        options: RepositoryOptions,
        about_to_read: Callable[[str], object] = str,
    ) -> None:
        """`about_to_read` is told the path of each file that decides what is defined."""
        self._workspace = workspace
        self._options = options
        self._version: Version = parse_version(options.bazel_version)
        builtin = builtin_repositories(self._version)
        if not options.reads_workspace:
            builtin = without_workspace(builtin)
        self._facts = new_facts(builtin)
        self._modules = ModuleEvaluation(self, workspace, options, self._facts, about_to_read)
        self._context: EvaluationContext | None = None
        self._placements: dict[str, tuple[object, Placement]] = {}
        self._running: set[str] = set()
        self._is_evaluated = False
        self._main = DirectoryContent(workspace, Provenance.WORKSPACE)

    # ---- WORKSPACE

    @property
    def workspace_file(self) -> str | None:
        """The WORKSPACE file's name; newer Bazels take `WORKSPACE.bazel` first."""
        if not self._options.reads_workspace:
            return None
        names = ["WORKSPACE"]
        if self._facts.builtin.reads_workspace_bazel:
            names.insert(0, "WORKSPACE.bazel")
        if self._options.reads_modules:
            names.insert(0, "WORKSPACE.bzlmod")
        return next((name for name in names if self._workspace.is_file(name)), None)

    def evaluate(
        self, modules: Modules, context: EvaluationContext, predeclared: dict[str, object]
    ) -> None:
        """Evaluates MODULE.bazel and WORKSPACE, as far as this Bazel reads them, once. Their
        errors become diagnostics, not exceptions."""
        if self._is_evaluated:
            return
        self._is_evaluated = True
        self._context = context
        if self._options.reads_modules:
            self._modules.evaluate(modules, context, self.settings(context))
        name = self.workspace_file
        if name is not None:
            try:
                source = self._workspace.read(name)
            except LoadingError as error:
                self._facts.diagnostics.append(error.diagnostic)
            else:
                evaluate_workspace(source, self._facts, modules, context, predeclared, self)
        close_facts(self._facts)
        # A rule that ran before everything was defined may know more now.
        self._placements = {
            name: entry for name, entry in self._placements.items() if entry[1].unknown is None
        }

    @property
    def definitions(self) -> Mapping[str, RepositoryDefinition]:
        """The definition in force of every repository, by name, sorted."""
        found: dict[str, RepositoryDefinition] = {}
        for name in self._facts.log.names():
            winner = self._facts.log.winner(name)
            if winner is not None:
                found[name] = winner.definition
        return found

    def readers_of(self, variable: str) -> tuple[str, ...]:
        """The repositories whose rule declares that it reads a variable of the environment."""
        found = []
        for name in self._facts.log.names():
            winner = self._facts.log.winner(name)
            rule = winner.rule if winner is not None else None
            if isinstance(rule, RepositoryRule) and variable in rule.environ:
                found.append(name)
        return tuple(found)

    @property
    def bindings(self) -> Mapping[str, Label]:
        """What `//external:NAME` stands for, for every bind whose target is known."""
        return {
            name: binding.actual
            for name, binding in self._facts.log.bindings().items()
            if binding.actual is not None
        }

    @property
    def bound(self) -> Mapping[str, Binding]:
        """Every bind in force, with its place."""
        return self._facts.log.bindings()

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        return tuple(self._facts.diagnostics)

    @property
    def unknowns(self) -> tuple[Unknown, ...]:
        return tuple(dict.fromkeys((*self._facts.unknowns, *self._facts.may_define)))

    @property
    def workspace_name(self) -> str:
        return self._facts.name

    def repo_mapping(self, repository: str) -> Mapping[str, str]:
        """Apparent to canonical names, as files of `repository` see them."""
        known = self._modules.mapping(repository)
        if known is not None:
            return known
        if not repository:
            return self._facts.mapping()
        winner = self._facts.log.winner(repository)
        written = winner.arguments.get("repo_mapping") if winner is not None else None
        mapping: dict[str, str] = {}
        if self._facts.name and self._facts.builtin.remaps_main_repository:
            mapping[self._facts.name] = ""
        if isinstance(written, Mapping):
            for apparent, canonical in written.items():
                if isinstance(apparent, str) and isinstance(canonical, str):
                    target = canonical.removeprefix("@")
                    is_main = target == self._facts.name and self._facts.name in mapping
                    mapping[apparent.removeprefix("@")] = "" if is_main else target
        return mapping or _NO_MAPPING

    # ---- Repositories

    def get(self, name: str) -> Repository | None:
        """The repository of that canonical name; None if certainly nothing defines it."""
        placement = self._placement(name)
        if placement is None:
            return None
        winner = self._facts.log.winner(name)
        return Repository(
            name,
            winner.definition if winner is not None else None,
            placement.provenance,
            placement.root,
            placement.build_file,
            placement.unknown,
        )

    def module_of(self, name: str) -> str | None:
        """The Bazel module that a repository is, as a reader says it; None if it is none."""
        winner = self._facts.log.winner(name)
        module = winner.rule if winner is not None else None
        return module.text if isinstance(module, ModuleSource) else None

    def placement(self, name: str) -> Placement | None:
        """The same with what the dry run recorded (downloads, patches, programs)."""
        return self._placement(name)

    def find_file(self, repository: str, path: str) -> FileFound | Unknown | None:
        """The file at `path` of `repository`; None if it certainly does not exist."""
        content = self._content(repository)
        return None if content is None or not is_clean(path) else content.find(path)

    def build_file(self, repository: str, package: str) -> FileFound | Unknown | None:
        """The BUILD file of a package; None if there is certainly no such package."""
        content = self._content(repository)
        return None if content is None else find_build_file(content, package)

    def list_files(self, repository: str, package: str) -> tuple[str, ...] | Unknown:
        """All files below a package, relative to it."""
        content = self._content(repository)
        return () if content is None else content.files_below(package)

    # ---- What a dry run reads (FilesOfRepositories)

    def read_text(self, found: FileFound) -> str | Unknown:
        return read_text(found)

    def directory_of(self, repository: str) -> str | None:
        if not repository:
            return str(self._workspace.root)
        placement = self._placement(repository)
        return placement.root if placement is not None else None

    def locate(self, absolute: str) -> tuple[str, str] | None:
        """Repository and path of an absolute path, if it lies in a known repository."""
        for name in ("", *sorted(self._placements)):
            root = self.directory_of(name) if not name else self._placements[name][1].root
            if root is not None and (absolute == root or absolute.startswith(f"{root}/")):
                path = absolute[len(root) + 1 :]
                return (name, path) if is_clean(path) else None
        return None

    def files_below(self, repository: str, directory: str) -> tuple[str, ...] | Unknown:
        return self.list_files(repository, directory)

    def is_ready(self, repository: str) -> bool:
        if repository in self._running:
            return True
        winner = self._facts.log.winner(repository)
        known = self._placements.get(repository)
        if winner is None and known is None:
            return self._place_undefined(repository) is None
        key = None if winner is None else winner.definition.location
        return known is not None and known[0] == key

    # ---- Finding content

    def _content(self, repository: str) -> Content | None:
        if not repository:
            return self._main
        placement = self._placement(repository)
        return placement.content if placement is not None else None

    def _placement(self, name: str) -> Placement | None:
        winner = self._facts.log.winner(name)
        key = None if winner is None else winner.definition.location
        known = self._placements.get(name)
        if known is not None and known[0] == key:
            return known[1]
        if name in self._running:
            unknown = Unknown(
                Reason.FAILED, f"@{name}", "its repository rule needs the repository itself"
            )
            return unknown_placement(name, unknown, None)
        self._running.add(name)
        try:
            placement = self._place(name, winner)
        finally:
            self._running.discard(name)
        if placement is not None:
            self._placements[name] = (key, placement)
        return placement

    def _place(self, name: str, winner: DefinedRepository | None) -> Placement | None:
        override = self._options.override_repositories.get(name)
        if override is not None:
            path = Path(override)
            if not path.is_absolute():
                path = self._workspace.root / path
            found = directory_placement(path, name, Provenance.OVERRIDE, self._workspace.root)
            unknown = Unknown(Reason.FILE_MISSING, f"@{name}", f"no directory `{override}`")
            return found or unknown_placement(name, unknown, None)
        if winner is None:
            return self._place_undefined(name)
        return (
            self._place_local(winner)
            or self._place_fetched(name, winner)
            or self._place_by_rule(name, winner)
        )

    def _place_undefined(self, name: str) -> Placement | None:
        if self._facts.name and name == self._facts.name:
            return Placement(
                DirectoryContent(self._workspace, Provenance.WORKSPACE),
                Provenance.WORKSPACE,
                root=str(self._workspace.root),
            )
        fetched = self._place_fetched(name)
        if fetched is not None:
            return fetched
        called = self._facts.unknown_definitions.get(name)
        model = self._model(name)
        if called is not None:
            return unknown_placement(name, called, model)
        if self._facts.may_define:
            unknown = self._facts.may_define[0]
            detail = f"perhaps defined by something unknown ({unknown})"
            found = Unknown(Reason.DEPENDS_ON_UNKNOWN, f"@{name}", detail, unknown.location)
            return unknown_placement(name, found, model)
        if model is not None and not self._facts.builtin.is_measured:
            detail = f"perhaps defined by Bazel {self._options.bazel_version} itself"
            found = Unknown(Reason.NOT_MODELLED, f"@{name}", detail)
            return unknown_placement(name, found, model)
        return None

    def _place_local(self, winner: DefinedRepository) -> Placement | None:
        definition = winner.definition
        name = definition.name
        if definition.rule_class not in _LOCAL:
            return None
        written = definition.attributes.get("path")
        if not isinstance(written, str):
            return None
        path = Path(os.path.normpath(self._workspace.root / written))
        overlay: dict[str, FileFound] = {}
        build_file: Label | None = None
        if definition.rule_class == "new_local_repository":
            found = self._overlay(definition)
            if isinstance(found, Unknown):
                return unknown_placement(name, found, None)
            if found is not None:
                file, build_file = found
                overlay = {"BUILD.bazel": file}
        root = self._workspace.root
        placement = directory_placement(path, name, Provenance.LOCAL, root, overlay)
        if placement is None:
            unknown = Unknown(
                Reason.FILE_MISSING, f"@{name}", f"no directory `{written}`", definition.location
            )
            return unknown_placement(name, unknown, None)
        return Placement(
            placement.content, Provenance.LOCAL, placement.root, build_file, placement.unknown
        )

    def _overlay(
        self, definition: RepositoryDefinition
    ) -> tuple[FileFound, Label | None] | Unknown | None:
        """The BUILD file that a `new_local_repository` lays over its directory."""
        content = definition.attributes.get("build_file_content")
        if isinstance(content, str):
            shown = f"external/{definition.name}/BUILD.bazel"
            return FileFound(shown, Provenance.OVERLAY, text=content), None
        written = definition.attributes.get("build_file")
        if isinstance(written, str):
            # A plain path is relative to the workspace here (Bazel: NewLocalRepositoryFunction).
            if not written.startswith(("//", "@", ":")):
                written = f"//:{written}"
            try:
                written = external_label(written, self.repo_mapping(""))
            except LabelError as error:
                return Unknown(Reason.FAILED, f"@{definition.name}", error.diagnostic.message)
        if not isinstance(written, Label):
            return None
        found = self.find_file(written.repository, _path_of(written))
        if found is None:
            return Unknown(Reason.FILE_MISSING, str(written), "the overlay does not exist")
        return found if isinstance(found, Unknown) else (found, written)

    def _place_fetched(
        self, name: str, winner: DefinedRepository | None = None
    ) -> Placement | None:
        """What a Bazel has vendored, or else fetched, on this machine already."""
        if not is_clean(name):
            return None
        module = winner.rule if winner is not None else None
        names = module.directories if isinstance(module, ModuleSource) else (name,)
        for folder, provenance in self._fetched_folders():
            for directory in names:
                root = self._workspace.root
                found = directory_placement(folder / directory, name, provenance, root)
                if found is not None:
                    return found
        return None

    def _fetched_folders(self) -> Iterator[tuple[Path, Provenance]]:
        vendored, base = self._options.vendor_dir, self._options.output_base
        if vendored is not None:
            yield Path(vendored), Provenance.VENDORED
        if base is not None:
            yield Path(base) / "external", Provenance.OUTPUT_BASE

    def _place_by_rule(self, name: str, winner: DefinedRepository) -> Placement:
        model = self._model(name)
        definition = winner.definition
        rule = winner.rule
        context = self._context
        if name == host_platform.NAME and not isinstance(rule, RepositoryRule):
            host = host_platform.host_platform_content(self._options.host, self._version)
            return Placement(host, Provenance.MODEL)
        if name == host_toolchain.NAME and not isinstance(rule, RepositoryRule):
            compiler = host_toolchain.host_toolchain_content(self._options.host, self._version)
            if compiler is not None:
                return Placement(compiler, Provenance.MODEL)
        if isinstance(rule, ModuleSource | UnmadeRepository):
            return unknown_placement(name, rule.why(name, definition.location), model)
        if not isinstance(rule, RepositoryRule) or context is None:
            unknown = Unknown(
                Reason.NOT_FETCHED, f"@{name}", "made by Bazel itself", definition.location
            )
            return unknown_placement(name, unknown, model)
        if isinstance(rule.implementation, Opaque) or not callable(rule.implementation):
            unknown = Unknown(
                Reason.NOT_FETCHED,
                f"@{name}",
                f"the implementation of {rule.name} is not known",
                definition.location,
            )
            return unknown_placement(name, unknown, model)
        settings = self.settings(context)
        attributes = attribute_values(
            name, winner.arguments, rule.attributes, self.repo_mapping(""), context.label_value
        )
        with context.evaluating():
            result = dry_run(
                name, rule.implementation, attributes, self, settings, definition.location
            )
        if winner.doubt is not None:
            result = doubted(result, winner.doubt)
        return dry_run_placement(name, result, self._labels_of(winner), model)

    def _model(self, name: str) -> ModelContent | None:
        """The model of a repository, in the release that its definition names."""
        if name == "bazel_tools":
            return model_of(name, self._version)
        winner = self._facts.log.winner(name)
        if winner is None:
            return model_of(name)
        if isinstance(winner.rule, ModuleSource):
            module = winner.rule
            return model_of(module.module, release_of([module.version]))
        texts: list[str] = []
        for key in ("strip_prefix", "urls", "url", "tag"):
            value = winner.definition.attributes.get(key)
            values = value if isinstance(value, tuple) else (value,)
            texts.extend(item for item in values if isinstance(item, str))
        return model_of(name, release_of(texts))

    def settings(self, context: EvaluationContext) -> DryRunSettings:
        """What the machine and the command line give to rules that run dry."""
        return DryRunSettings(
            _SYSTEM_NAMES.get(self._options.host, self._options.host),
            "amd64",
            self._options.repo_env,
            context.label_value,
            context.deciding,
        )

    def _labels_of(self, winner: DefinedRepository) -> dict[str, Label]:
        """The files of known repositories among the arguments, by display path."""
        found: dict[str, Label] = {}
        for value in winner.definition.attributes.values():
            if isinstance(value, str):
                if not value.startswith(("//", "@")):
                    continue
                try:
                    value = external_label(value, self.repo_mapping(""))
                except LabelError:
                    continue
            if not isinstance(value, Label):
                continue
            content = self._content(value.repository)
            if isinstance(content, DirectoryContent):
                found[content.tree.display(_path_of(value))] = value
        return found


def _path_of(label: Label) -> str:
    return f"{label.package}/{label.name}" if label.package else label.name


def tree_of(placement: Placement) -> FileTree | None:
    """The directory tree of a repository that has one on this machine."""
    content = placement.content
    return content.tree if isinstance(content, DirectoryContent) else None
