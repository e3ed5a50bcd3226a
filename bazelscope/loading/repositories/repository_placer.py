"""Looks for the content of one external repository.

In this order: `--override_repository`; the directory of a `local_repository`; the vendor
directory or Bazel's output base, if one was named; a dry run of the repository rule, which finds
overlays as well; a model; else it is unknown, with a reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Protocol

from bazelscope import starlark
from bazelscope.base import budget
from bazelscope.base.errors import BazelscopeError, Diagnostic, LabelError, fault
from bazelscope.base.label import Label, PackageId, at_sign
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import SHIPPED
from bazelscope.base.unknown import BAZELS_OWN, Reason, Unknown
from bazelscope.bazel.attribute_types import AttributeType
from bazelscope.loading.dry_run.run_cache import DryRunCache
from bazelscope.loading.dry_run.run_inputs import Answers
from bazelscope.loading.dry_run.run_result import (
    SURE,
    DryRunResult,
    DryRunSettings,
    FilesOfRepositories,
)
from bazelscope.loading.evaluation.evaluation_context import EvaluationContext, doubted
from bazelscope.loading.evaluation.values.repository_rule import RepositoryRule, common_attributes
from bazelscope.loading.evaluation.values.symbolic_values import UnknownValue
from bazelscope.loading.evaluation.workspace.repository_attributes import attribute_values
from bazelscope.loading.evaluation.workspace.repository_definitions import (
    DefinedRepository,
    external_label,
)
from bazelscope.loading.evaluation.workspace.workspace_evaluation import WorkspaceFacts
from bazelscope.loading.modules.module_sources import (
    OF_MODEL,
    ModuleSource,
    UnmadeRepository,
    told_by_module_file,
)
from bazelscope.loading.packages.repository_access import NO_REPOSITORY, FileFound
from bazelscope.loading.packages.repository_content import Content, DirectoryContent
from bazelscope.loading.packages.targets import Provenance
from bazelscope.loading.repositories import host_repositories
from bazelscope.loading.repositories.local_directories import LocalRepositories
from bazelscope.loading.repositories.model_content import ModelContent, model_of, release_of
from bazelscope.loading.repositories.repository_files import (
    Placement,
    directory_placement,
    dry_run_placement,
    unknown_placement,
)
from bazelscope.loading.tree.loading_options import LoadingOptions
from bazelscope.loading.tree.workspace_files import Workspace, is_clean

_SYSTEM_NAMES = {"linux": "linux", "macos": "mac os x", "windows": "windows 10"}
_OF_BAZEL = f"{SHIPPED}bazel_tools/"


class Repositories(Answers, Protocol):
    """The other repositories, which a repository may be made of."""

    def content(self, repository: str) -> Content | None: ...
    def argument_mapping(self, repository: str) -> Mapping[str, str]: ...
    def argument_base(self, repository: str) -> PackageId: ...
    def canonical_name(self, repository: str) -> str | None: ...


@dataclass(eq=False)
class RepositoryPlacer:
    """Finds the content of repositories that `facts` define. `context` is set once files are
    evaluated; before, no repository rule can run."""

    _workspace: Workspace
    _options: LoadingOptions
    _facts: WorkspaceFacts
    _table: Repositories
    _dry_runs: DryRunCache | None = None

    def __post_init__(self) -> None:
        self._release = self._options.release
        self._local = LocalRepositories(self._workspace, self._release, self._table)
        self.context: EvaluationContext | None = None

    def place(self, name: str, winner: DefinedRepository | None) -> Placement | None:
        """Where the content of a repository is; None if certainly nothing defines it."""
        override = self._options.override_repositories.get(name)
        if override is not None:
            return self._local.overridden(name, override)
        if winner is None:
            return self.undefined(name)
        if isinstance(winner.rule, UnknownValue):
            unread = winner.rule.unknown
            # Mostly the subject is the file that has the symbol.
            detail = f"made by {winner.rule.name}() of {unread}"
            why = Unknown(unread.reason, at_sign(name), detail, winner.definition.location)
            return self._fetched(name, winner) or unknown_placement(name, why, self._model(name))
        return (
            self._local.defined(winner)
            or self._fetched(name, winner)
            or self._by_rule(name, winner)
        )

    def undefined(self, name: str) -> Placement | None:
        """Where the content of a repository is that no definition is known of."""
        if name.endswith(OF_MODEL):
            instead = self._model(name.removesuffix(OF_MODEL))
            return Placement(instead, Provenance.MODEL) if instead is not None else None
        if self._facts.name and name == self._facts.name:
            return Placement(
                DirectoryContent(self._workspace, Provenance.WORKSPACE),
                Provenance.WORKSPACE,
                root=str(self._workspace.root),
            )
        within_module = told_by_module_file(name)
        if within_module is not None:
            return unknown_placement(name, within_module, None)
        fetched = self._fetched(name)
        if fetched is not None:
            return fetched
        model = self._model(name)
        if self._facts.may_define:
            unknown = self._facts.may_define[0]
            detail = f"perhaps defined by something unknown ({unknown})"
            reason = Unknown(Reason.DEPENDS_ON_UNKNOWN, at_sign(name), detail, unknown.location)
            return unknown_placement(name, reason, model)
        if self._facts.builtin.may_define(name, model is not None):
            detail = f"perhaps defined by Bazel {self._options.bazel_version} itself"
            reason = Unknown(Reason.NOT_MODELLED, at_sign(name), detail)
            return unknown_placement(name, reason, model)
        return None

    def _fetched(self, name: str, winner: DefinedRepository | None = None) -> Placement | None:
        """What a Bazel has vendored, or else fetched, on this machine already."""
        if not is_clean(name):
            return None
        module = winner.rule if winner is not None else None
        names = module.directories if isinstance(module, ModuleSource) else (name,)
        for folder, provenance, linked in self._fetched_folders:
            for directory in names:
                placement = directory_placement(
                    folder / directory, name, provenance, self._workspace, linked=linked
                )
                if placement is not None:
                    return placement
        return None

    @cached_property
    def _fetched_folders(self) -> tuple[tuple[Path, Provenance, tuple[str, ...]], ...]:
        """Where a Bazel leaves what it fetches, and the real paths that links in there lead into:
        what it fetched is linked with one another, and with its own tools."""
        vendored, base = self._options.vendor_dir, self._options.output_base
        folders: list[tuple[Path, Provenance]] = []
        if vendored is not None:
            folders.append((Path(vendored), Provenance.VENDORED))
        if base is not None:
            folders.append((Path(base) / "external", Provenance.OUTPUT_BASE))
        disk = self._workspace.disk
        return tuple(
            (
                folder,
                provenance,
                tuple(disk.real_path(str(path)) for path in (folder, folder / "bazel_tools")),
            )
            for folder, provenance in folders
        )

    def _by_rule(self, name: str, winner: DefinedRepository) -> Placement:
        model = self._model(name)
        definition = winner.definition
        rule = winner.rule
        context = self.context
        if name == host_repositories.PLATFORM and not isinstance(rule, RepositoryRule):
            host = host_repositories.host_platform_content(
                self._options.machine, self._release, self._options.reads_modules
            )
            return Placement(host, Provenance.MODEL)
        if name == host_repositories.TOOLCHAIN and not isinstance(rule, RepositoryRule):
            compiler = host_repositories.host_toolchain_content(
                self._options.machine, self._release
            )
            if compiler is not None:
                return Placement(compiler, Provenance.MODEL)
        if isinstance(rule, ModuleSource | UnmadeRepository):
            placed = unknown_placement(name, rule.why(name, definition.location), model)
            if isinstance(rule, UnmadeRepository) and rule.unknown.reason is Reason.FILE_MISSING:
                span = definition.location.span
                failure = Diagnostic(NO_REPOSITORY, rule.unknown.detail, span)
                return replace(placed, failure=failure)
            return placed
        if not isinstance(rule, RepositoryRule) or context is None:
            unknown = Unknown(Reason.NOT_FETCHED, at_sign(name), BAZELS_OWN, definition.location)
            return unknown_placement(name, unknown, model)
        if isinstance(rule.implementation, UnknownValue) or not callable(rule.implementation):
            detail = f"the implementation of {rule.name} is not known"
            unknown = Unknown(Reason.NOT_FETCHED, at_sign(name), detail, definition.location)
            return unknown_placement(name, unknown, model)
        result = self._kept_or_run(winner, rule, context)
        if winner.doubt is not None:
            from bazelscope.loading.dry_run.rule_run import with_doubt

            result = with_doubt(result, winner.doubt)
        labels = self._labels_of(winner)
        return dry_run_placement(name, result, labels, model, _may_lack(name, rule))

    def _kept_or_run(
        self, winner: DefinedRepository, rule: RepositoryRule, context: EvaluationContext
    ) -> DryRunResult:
        """What the rule of `winner` would make: as an earlier run of the tool found it, if that
        still holds."""
        files = self._table
        if self._dry_runs is None:
            return self._run(winner, rule, context, files)
        kept = self._dry_runs.get(winner, files)
        if kept is not None:
            return kept
        recorded = self._dry_runs.recorded(files)
        cuts = budget.current().cuts
        result = self._run(winner, rule, context, recorded)
        if budget.current().cuts == cuts:
            self._dry_runs.put(winner, result, recorded, files)
        return result

    def _run(
        self,
        winner: DefinedRepository,
        rule: RepositoryRule,
        context: EvaluationContext,
        files: FilesOfRepositories,
    ) -> DryRunResult:
        from bazelscope.loading.dry_run.rule_run import dry_run

        name = winner.definition.name
        canonical = self._table.canonical_name(name) or name
        definitions = common_attributes(self._release, winner.arguments) | dict(rule.attributes)
        attributes = attribute_values(
            canonical,
            winner.arguments,
            definitions,
            self._table.argument_mapping(name),
            context.label_value,
            self._table.argument_base(name),
        )
        texts = {
            key: value.as_unknown()
            for key, value in attributes.items()
            if isinstance(value, UnknownValue) and definitions[key].type is AttributeType.STRING
        }
        assert callable(rule.implementation)
        settings = self.settings(context)
        location = winner.definition.location
        # What the rule asks of unknown values is nothing that the module lacks whose loading has
        # led here; it would hear of it only where the rule really runs.
        before, context.unknowns = context.unknowns, []
        try:
            with context.evaluating(), starlark.clock_of_a_file():
                result = dry_run(
                    name,
                    rule.implementation,
                    attributes,
                    files,
                    settings,
                    location,
                    canonical,
                    texts,
                )
                failure = result.failure
                if failure is not None and failure.code == SURE:
                    if context.unknowns or doubted(failure, context.doubtful_files) is not None:
                        failure = replace(failure, code=starlark.EVALUATION)
                    result = replace(result, failure=failure)
                return result.with_remedy(rule.environ, settings.environment, files)
        except BazelscopeError:
            raise
        except Exception as error:
            problem = fault(error, None)  # bazelscope itself has stumbled.
            unknown = Unknown(Reason.FAILED, f"@{name}", problem.message, location)
            return DryRunResult({}, {"": unknown}, (), (), (), (), problem)
        finally:
            context.unknowns = before

    def _model(self, name: str) -> ModelContent | None:
        """The model of a repository, in the release that its definition names, without what the
        definition patches."""
        bazel = self._release.numbers
        if name == "bazel_tools":
            return model_of(name, bazel, bazel)
        winner = self._facts.log.winner(name)
        if winner is None:
            return model_of(name, bazel)
        attributes = winner.definition.attributes
        if isinstance(winner.rule, ModuleSource):
            module = winner.rule
            model = model_of(module.module, bazel, release_of([module.version]))
        else:
            texts: list[str] = []
            for key in ("strip_prefix", "urls", "url", "tag"):
                value = attributes.get(key)
                values = value if isinstance(value, tuple) else (value,)
                texts.extend(text for text in values if isinstance(text, str))
            model = model_of(name, bazel, release_of(texts))
        if model is None or not any("patch" in key for key in attributes):
            return model
        from bazelscope.loading.repositories.model_patches import changed_files

        mapping = self._table.argument_mapping(name)
        return replace(model, changed=changed_files(attributes, mapping, self._text_of))

    def _text_of(self, label: Label) -> str | None:
        """The text of a file that a definition names, where it is at hand."""
        file = self._table.find_file(label.repository, label.path)
        text = self._table.read_text(file) if isinstance(file, FileFound) else None
        return text if isinstance(text, str) else None

    def settings(self, context: EvaluationContext) -> DryRunSettings:
        """What the machine and the command line give to rules that run dry."""
        return DryRunSettings(
            _SYSTEM_NAMES.get(self._options.host, self._options.host),
            self._options.machine.architecture,
            self._options.machine.uname,
            self._options.repo_env,
            context.label_value,
            context.deciding,
            self._release,
        )

    def _labels_of(self, winner: DefinedRepository) -> dict[str, Label]:
        """The files of known repositories among the arguments, by display path."""
        labels: dict[str, Label] = {}
        mapping = self._table.argument_mapping(winner.definition.name)
        for value in winner.definition.attributes.values():
            if isinstance(value, str):
                if not value.startswith(("//", "@")):
                    continue
                try:
                    value = external_label(value, mapping)
                except LabelError:
                    continue
            if not isinstance(value, Label):
                continue
            content = self._table.content(value.repository)
            if isinstance(content, DirectoryContent):
                labels[content.tree.display(value.path)] = value
        return labels


def _may_lack(name: str, rule: RepositoryRule) -> Unknown | None:
    """Why the real rule may write more than `rule`, a model of it; None of a rule that is itself
    at hand, or Bazel's own."""
    maker = rule.defined_at[0].location if rule.defined_at else None
    if maker is None or not maker.is_shipped or maker.path.startswith(_OF_BAZEL):
        return None
    lacks = f"a model of the rule {rule.name}: the real one may define more"
    return Unknown(Reason.NOT_MODELLED, at_sign(name), lacks, maker)
