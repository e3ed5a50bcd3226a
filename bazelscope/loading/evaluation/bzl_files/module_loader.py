"""`load()`: labels to modules, each evaluated once, cycles found.

A module that cannot be had is no error here: its symbols become `UnknownValue` values and the
reason an `Unknown`. A module that fails half-way keeps what it defined before and after the
failing statement.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from bazelscope import starlark
from bazelscope.base.errors import BazelscopeError, Diagnostic, LoadingError, StarlarkError
from bazelscope.base.label import Label, PackageId
from bazelscope.base.named_tuple import NamedTuple
from bazelscope.base.source import SourceFile
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel.removed_natives import explained
from bazelscope.loading.evaluation.builtins.natives import Natives
from bazelscope.loading.evaluation.bzl_files.loaded_module import (
    LoadedModule,
    as_seen,
    faulty,
    loaded_file,
    may_lack,
    missing_module,
    refusal_of,
    transitive,
)
from bazelscope.loading.evaluation.bzl_files.module_files import (
    ModuleFiles,
    load_label,
    prelude_label,
    read_found,
)
from bazelscope.loading.evaluation.evaluation_context import EvaluationContext, doubted
from bazelscope.loading.evaluation.rules.aspect_values import Aspect
from bazelscope.loading.evaluation.rules.rule_values import ModuleExtension
from bazelscope.loading.evaluation.values.exportable import Exportable
from bazelscope.loading.evaluation.values.load_visibility import refused_load
from bazelscope.loading.evaluation.values.refused_syntax import check_order_of_loads, syntax_check
from bazelscope.loading.evaluation.values.repository_rule import RepositoryRule
from bazelscope.loading.evaluation.values.structs import Provider, take_for_partial
from bazelscope.loading.evaluation.values.symbolic_values import (
    TAKEN,
    Recorder,
    UnknownValue,
    failed_name,
    taken_as_empty,
)
from bazelscope.loading.packages.repository_access import (
    FileFound,
    PartlyKnownFile,
    RepositoryAccess,
    why_unmade,
)
from bazelscope.loading.packages.targets import LoadedFile, Provenance
from bazelscope.loading.tree.workspace_files import Workspace

if TYPE_CHECKING:
    from bazelscope.starlark.compile.program_cache import ProgramCache


class ModuleLoader:
    """Loads `.bzl` files of the workspace and of its external repositories."""

    def __init__(
        self,
        workspace: Workspace,
        context: EvaluationContext,
        natives: Natives,
        program_cache: ProgramCache | None,
        limits: starlark.Limits,
        is_package: Callable[[str], bool],
        note_file: Callable[[str], object] = str,
    ) -> None:
        self._note_file = note_file
        """Told of each file on this machine just before it is looked for or read."""
        self.workspace = workspace
        self.repositories: RepositoryAccess | None = None
        self._context = context
        self.files = ModuleFiles(workspace, context.release, is_package)
        self._natives = natives
        self.program_cache = program_cache
        self.limits = limits
        self._modules: dict[Label, LoadedModule] = {}
        self._active: list[Label] = []

    def module(
        self, label: Label, repositories: RepositoryAccess | None = None
    ) -> starlark.Module | Unknown:
        """The module of the file `label`, or why it cannot be had.

        WORKSPACE evaluation gives `repositories` as they are known so far; a file that is not
        found then may be found later.
        """
        loaded = self.load(label, repositories)
        if loaded.module is not None:
            return loaded.module
        assert loaded.unknown is not None
        return loaded.unknown

    def load(self, label: Label, repositories: RepositoryAccess | None = None) -> LoadedModule:
        """The module of the file `label`, with its provenance and what went wrong."""
        known = self._modules.get(label)
        if known is not None:
            return known
        access = repositories if repositories is not None else self.repositories
        if label in self._active:
            return self._cycle(label)
        if len(self._active) == _DEEPEST:
            self._load_from_below(label, repositories)
        self._active.append(label)
        try:
            loaded = self._evaluate(label, access)
        except BazelscopeError:
            raise
        except Exception as error:
            loaded = faulty(label, error)
        finally:
            self._active.pop()
        loaded.refused = refusal_of(loaded)
        if loaded.refused and not loaded.remedy:
            loaded.remedy = next((one.remedy for one in loaded.children if one.refused), "")
        if loaded.module is not None or repositories is None:
            self._modules[label] = loaded
        return loaded

    def code_of(self, rule: RepositoryRule) -> tuple[LoadedModule, ...]:
        """All modules whose values a repository rule can hold; none where that is unknown.

        A rule is made while a module is loaded, of values of that module and of those below.
        """
        path = rule.defined_at[0].location.path if rule.defined_at else ""
        label = self._context.label_of_path.get(path)
        module = self._modules.get(label) if label is not None else None
        return () if module is None else transitive((module,))

    def loaded(self) -> Iterable[LoadedModule]:
        """Every module asked for so far."""
        return self._modules.values()

    def forget(self, labels: Collection[Label]) -> bool:
        """Drops the modules of `labels`, and all that load them: their texts have changed. False
        where one of them makes repositories, so that more than modules rests on it."""
        stale = [
            label
            for label, module in self._modules.items()
            if any(below.label in labels for below in transitive((module,)))
        ]
        for label in stale:
            module = self._modules[label].module
            values = module.globals.values() if module is not None else ()
            if any(isinstance(value, RepositoryRule | ModuleExtension) for value in values):
                return False
        for label in stale:
            del self._modules[label]
        return True

    def bind(self, statement: starlark.LoadStatement, loaded: LoadedModule) -> starlark.Module:
        """What the load statement sees: the module, or unknown values for symbols that it may
        have (a module that fails, or a model, which need not have all of the original)."""
        unknown = may_lack(statement, loaded)
        return as_seen(statement, loaded, unknown, self._context)

    def bound(
        self,
        label: Label,
        statement: starlark.LoadStatement,
        repositories: RepositoryAccess,
        recorder: Recorder,
    ) -> tuple[starlark.Module, Unknown | None, str]:
        """What a load statement of WORKSPACE sees, why symbols of it are unknown, if some are, and
        why Bazel refuses it; `recorder` hears of what is done with these."""
        loaded = self.load(label, repositories)
        unknown = may_lack(statement, loaded)
        return as_seen(statement, loaded, unknown, recorder), unknown, loaded.refused

    def resolve(
        self, statement: starlark.LoadStatement, file: Label, mapping: Mapping[str, str]
    ) -> Label:
        """The label that a load statement of `file` names. Raises `LoadingError`."""
        release = self._context.release
        return load_label(statement.module, file.package_id, mapping, release)

    def remedy_of_nested(self, user: PackageId, file: Label) -> str:
        """What to do about a `file` that is not there, see `nested_workspaces`."""
        from bazelscope.loading.tree.nested_workspaces import remedy_of_nested

        return remedy_of_nested(self.workspace, user, file.package_id)

    def _load_from_below(self, label: Label, repositories: RepositoryAccess | None) -> None:
        """Loads what a file loads, without taking a place on the stack for each that waits."""
        from bazelscope.loading.evaluation.bzl_files.deep_loads import loaded_first

        access = repositories if repositories is not None else self.repositories

        def loads_of(file: Label) -> Iterable[Label]:
            source = self.files.find(file, access)
            if isinstance(source, Unknown):
                return ()
            mapping = access.repo_mapping(file.repository) if access is not None else {}
            try:
                loads = self._parse(file, source).program.loads
                return [self.resolve(statement, file, mapping) for statement in loads]
            except (LoadingError, StarlarkError):
                return ()  # Told where the file is loaded.

        def is_loaded(file: Label) -> bool:
            return file in self._modules

        for below in loaded_first(label, loads_of, is_loaded, self._active):
            self.load(below, repositories)

    # ---- One module ----

    def _evaluate(self, label: Label, access: RepositoryAccess | None) -> LoadedModule:
        file = self.files.find(label, access)
        if isinstance(file, Unknown):
            missing = LoadedModule(label, Provenance.UNKNOWN, None, file)
            if file.reason is Reason.FILE_MISSING and label.repository and access is not None:
                failure = access.failure_of(label.repository)
                if failure is None:
                    missing.remedy = access.remedy_of_missing(label.repository)
                else:
                    missing.remedy = failure.hint or ""
                    missing.notes = (why_unmade(label.repository, failure),)
            if not label.repository:
                missing.real_path = str(self.workspace.root / label.path)
            return missing
        if file.real_path is not None:
            self._note_file(file.real_path)
        try:
            parsed = self._parse(label, file)
        except (LoadingError, StarlarkError) as error:
            if isinstance(file, PartlyKnownFile) and file.unknowns:
                # What is put in the place of an unknown piece need not fit where the piece does.
                why = Unknown(Reason.DEPENDS_ON_UNKNOWN, str(label), str(file.unknowns[0]))
                return LoadedModule(label, Provenance.UNKNOWN, None, why)
            return LoadedModule(
                label,
                file.provenance,
                None,
                Unknown(Reason.FAILED, str(label), str(error)),
                (explained(error.diagnostic, self._context.release),),
                path=file.display_path,
                real_path=file.real_path,
            )
        self._context.label_of_path[parsed.source.path] = label
        mapping = access.repo_mapping(label.repository) if access is not None else {}
        run = _LoadRun(self, label, mapping, access)
        module = self._execute(parsed, run, label)
        failed = None
        if module is None:
            failed = Unknown(Reason.FAILED, str(label), run.diagnostics[-1].message)
        elif file.provenance is Provenance.MODEL:
            lacks = "a model of the struct: the real one may have it"
            lacking = partial(self._context.unknown, Reason.NOT_MODELLED, detail=lacks)
            for value in module.globals.values():
                take_for_partial(value, lacking)
            for name in starlark.function_names(module) if parsed.doubt is not None else ():
                # What a patched function takes nobody can tell either.
                self._context.note_doubt(f"{name}()", parsed.doubt)
        return LoadedModule(
            label,
            file.provenance,
            module,
            failed,
            tuple(run.diagnostics),
            tuple(run.unknowns),
            tuple(run.loads),
            tuple(run.children),
            parsed.source,
            file.display_path,
            file.real_path,
            parsed.doubt,
            parsed.may_lack,
            taken_as_empty=taken_as_empty(run.unknowns, run.unknowns_of_loads),
        )

    def _parse(self, label: Label, file: FileFound) -> _Parsed:
        """Raises `LoadingError` and `StarlarkError`."""
        source = read_found(self.workspace, label, file)
        is_model = file.provenance is Provenance.MODEL
        predeclared, names = self._natives.for_bzl(label.repository, is_model)
        doubt = lacks = None
        if isinstance(file, PartlyKnownFile):
            lacks = file.may_lack
            names, predeclared = with_unknown_names(predeclared, file, self._context)
            doubt = next(iter(file.unknowns), None)
        check = None if is_model else syntax_check(self._context.release)
        program = starlark.load_program(
            source, starlark.FileKind.BZL, names, self.program_cache, check
        )
        if not is_model:
            check_order_of_loads(program, self._context.release)
        return _Parsed(source, program, predeclared, doubt, lacks)

    def compile(self, source: SourceFile) -> starlark.Program:
        """The program of a `.bzl` file of the main repository. Raises `StarlarkError`."""
        names = self._natives.for_bzl("", False)[1]
        check = syntax_check(self._context.release)
        return starlark.load_program(
            source, starlark.FileKind.BZL, names, self.program_cache, check
        )

    def _execute(self, parsed: _Parsed, run: _LoadRun, label: Label) -> starlark.Module | None:
        """The module, its rules named; None where even its first statement cannot run. What
        goes wrong is told to `run`."""
        diagnostics = run.diagnostics
        self._context.load_visibility.pop(label, None)  # A file may be loaded anew.
        before = self._context.unknowns, self._context.unknowns_of_loads
        self._context.unknowns, self._context.unknowns_of_loads = (
            run.unknowns,
            run.unknowns_of_loads,
        )

        def recover(error: StarlarkError) -> None:
            doubt = doubted(error.diagnostic, self._context.doubtful_files)
            if doubt is not None:
                run.unknowns.append(doubt)
            else:
                diagnostics.append(error.diagnostic)

        try:
            with self._context.evaluating():
                module = starlark.execute(
                    parsed.program,
                    parsed.predeclared,
                    run.load,
                    starlark.Thread(
                        self.limits,
                        on_missing=partial(failed_name, self._context),
                        source=parsed.source,
                        kind=starlark.FileKind.BZL,
                    ),
                    recover,
                    owner=label,
                )
        except StarlarkError as error:
            diagnostics.append(error.diagnostic)
            return None
        finally:
            self._context.unknowns, self._context.unknowns_of_loads = before
        taken = (one for one in run.unknowns if one.detail.startswith(TAKEN))
        self._context.note_doubt(module.path, parsed.doubt or next(taken, None))
        self._context.note_doubts_of_names(module)
        for name, problem in export(module, label):
            diagnostics.append(problem)
            unknown = Unknown(Reason.FAILED, name, problem.message)
            module.globals[name] = UnknownValue(unknown, name, self._context)
        if self._context.release.transitive_loads or label == prelude_label(label.repository):
            return replace(module, globals={**run.bound, **module.globals})
        return module

    def _cycle(self, label: Label) -> LoadedModule:
        around = [*self._active[self._active.index(label) :], label]
        text = " -> ".join(map(str, around))
        problem = Diagnostic("load-cycle", f"cycle in load statements: {text}")
        unknown = Unknown(Reason.FAILED, str(label), f"cycle in load statements: {text}")
        return LoadedModule(label, Provenance.UNKNOWN, None, unknown, (problem,))


class _Parsed(NamedTuple):
    """A file's program, what it sees, what of its text is not known, and why the real file may
    define more."""

    source: SourceFile
    program: starlark.Program
    predeclared: dict[str, object]
    doubt: Unknown | None
    may_lack: Unknown | None


class _LoadRun:
    """The loads and losses of one module while it is evaluated."""

    def __init__(
        self,
        loader: ModuleLoader,
        label: Label,
        mapping: Mapping[str, str],
        access: RepositoryAccess | None,
    ) -> None:
        self._loader = loader
        self._label = label
        self._mapping = mapping
        self._access = access if access is not loader.repositories else None
        self.loads: list[LoadedFile] = []
        self.children: list[LoadedModule] = []
        self.diagnostics: list[Diagnostic] = []
        self.unknowns: list[Unknown] = []
        self.unknowns_of_loads: list[Unknown] = []
        self.bound: dict[str, object] = {}
        """What the loads have bound."""

    def load(self, statement: starlark.LoadStatement) -> starlark.Module:
        target = self._loader.resolve(statement, self._label, self._mapping)
        loaded = self._loader.load(target, self._access)
        self.children.append(loaded)
        if loaded.taken_as_empty is not None:
            self.unknowns_of_loads.append(loaded.taken_as_empty)
        # A cycle ends at a module that is being evaluated: who closes it tells of it.
        place = statement.location
        self.diagnostics.extend(
            replace(problem, span=place.span)
            for problem in loaded.diagnostics
            if problem.code == "load-cycle" and problem.span is None
        )
        self.loads.append(loaded_file(loaded, statement.location))
        problem = missing_module(loaded, statement.location)
        context = self._loader._context
        problem = problem or refused_load(
            context.load_visibility, target, self._label.package_id, statement.location
        )
        if problem is not None:
            self.diagnostics.append(problem)
        module = self._loader.bind(statement, loaded)
        for local, exported in statement.bindings:
            if exported in module.globals:
                self.bound[local] = module.globals[exported]
        return module


def export(module: starlark.Module, file: Label) -> list[tuple[str, Diagnostic]]:
    """Names the rules, providers and the like that a module has made, in the order in which they
    were assigned first; the errors of those that may not have their names."""
    problems = []
    for name, value in module.globals.items():
        if isinstance(value, Exportable):
            if isinstance(value, Aspect) and not value.name:
                value.file = file
            problem = value.export(name)
            if problem is not None:
                problems.append((name, problem))
        elif isinstance(value, Provider) and not value.name:
            value.name = name
            value.file = file
    return problems


def with_unknown_names(
    predeclared: dict[str, object], file: PartlyKnownFile, context: EvaluationContext
) -> tuple[frozenset[str], dict[str, object]]:
    """The names that a file sees whose text has identifiers for its unknown pieces."""
    unknowns = file.unknown_names.items()
    unknown = {name: UnknownValue(why, why.subject, context) for name, why in unknowns}
    names = {**predeclared, **unknown}
    return frozenset(names), names


_DEEPEST = 40
"""How many files may wait for one another on the stack: each takes some ten calls."""
