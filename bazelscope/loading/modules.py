"""`load()`: labels to modules, each evaluated once, cycles found.

A module that cannot be had is no error here: its symbols become `Opaque` values and the
reason an `Unknown`. A module that fails half-way keeps what it defined before and after the
failing statement.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from bazelscope import starlark
from bazelscope.errors import Diagnostic, LabelError, LoadingError, StarlarkError
from bazelscope.label import Label, PackageId, parse_label
from bazelscope.loading.evaluation import EvaluationContext
from bazelscope.loading.natives import Natives
from bazelscope.loading.opaque import Opaque
from bazelscope.loading.repository_access import FileFound, PartlyKnownFile, RepositoryAccess
from bazelscope.loading.rule_values import Exportable, RepositoryRule
from bazelscope.loading.structs import Provider
from bazelscope.loading.targets import LoadedFile, Provenance
from bazelscope.loading.workspace import Workspace, is_clean, read_regular_file
from bazelscope.source import Location, SourceFile, Span
from bazelscope.unknown import Reason, Unknown

if TYPE_CHECKING:
    from bazelscope.starlark.cache import ProgramCache


TRANSITIVE_LOADS_UNTIL = (0, 26, 0)
"""Before this version a file exports what it loads, too (measured: 0.24.1 does, 0.26.1 does
not; Bazel: `--incompatible_no_transitive_loads`)."""


@dataclass(slots=True)
class LoadedModule:
    """A module and what became of it; `loads` are its own loads, with all below them."""

    label: Label
    provenance: Provenance
    module: starlark.Module | None
    unknown: Unknown | None = None
    diagnostics: tuple[Diagnostic, ...] = ()
    unknowns: tuple[Unknown, ...] = ()
    loads: tuple[LoadedFile, ...] = ()
    children: tuple[LoadedModule, ...] = field(default=(), repr=False)
    source: SourceFile | None = field(default=None, repr=False)
    path: str = ""
    """The file's display path."""
    real_path: str | None = None
    """The file on this machine that was read; None for a model or a generated text."""
    doubt: Unknown | None = None
    """What of the file's text is not known."""


class ModuleLoader:
    """Loads `.bzl` files of the workspace and of its external repositories."""

    def __init__(
        self,
        workspace: Workspace,
        context: EvaluationContext,
        natives: Natives,
        program_cache: ProgramCache | None,
        limits: starlark.Limits,
        note_file: Callable[[str], object] = str,
    ) -> None:
        self._note_file = note_file
        """Told of each file on this machine just before it is looked for or read."""
        self.workspace = workspace
        self.repositories: RepositoryAccess | None = None
        self._context = context
        self._natives = natives
        self._names = frozenset(natives.bzl)
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
        self._active.append(label)
        try:
            loaded = self._evaluate(label, access)
        finally:
            self._active.pop()
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

    def bind(self, statement: starlark.LoadStatement, loaded: LoadedModule) -> starlark.Module:
        """What the load statement sees: the module, or unknown values for symbols that it may
        have (a module that fails, or a model, which need not have all of the original)."""
        if loaded.module is not None:
            missing = [name for _, name in statement.bindings if name not in loaded.module.globals]
            modelled = loaded.provenance is Provenance.MODEL
            if not missing or not (loaded.diagnostics or modelled):
                return loaded.module
            if modelled:
                lacks = "a model of the file: the real one may define more"
                missed = Unknown(Reason.NOT_MODELLED, str(loaded.label), lacks)
                return self._with_unknown(statement, loaded, missed)
        unknown = loaded.unknown or Unknown(
            Reason.FAILED, str(loaded.label), "the file fails when it is evaluated"
        )
        return self._with_unknown(statement, loaded, unknown)

    def _with_unknown(
        self, statement: starlark.LoadStatement, loaded: LoadedModule, unknown: Unknown
    ) -> starlark.Module:
        names = dict(loaded.module.globals) if loaded.module is not None else {}
        for _, name in statement.bindings:
            if name not in names:
                names[name] = Opaque(unknown, name, self._context)
        return starlark.Module(str(loaded.label), names, {})

    def resolve(
        self, statement: starlark.LoadStatement, file: Label, mapping: Mapping[str, str]
    ) -> Label:
        """The label that a load statement of `file` names. Raises `LoadingError`."""
        return load_label(statement.module, file.package_id, mapping)

    # ---- One module ----

    def _evaluate(self, label: Label, access: RepositoryAccess | None) -> LoadedModule:
        found = self._find(label, access)
        if isinstance(found, Unknown):
            missing = LoadedModule(label, Provenance.UNKNOWN, None, found)
            if not label.repository:
                path = f"{label.package}/{label.name}" if label.package else label.name
                missing.real_path = str(self.workspace.root / path)
            return missing
        if found.real_path is not None:
            self._note_file(found.real_path)
        try:
            source = read_found(self.workspace, label, found)
            names, predeclared, doubt = self._names, self._natives.bzl, None
            if isinstance(found, PartlyKnownFile):
                names, predeclared = with_unknown_names(predeclared, found, self._context)
                doubt = next(iter(found.unknowns), None)
            program = starlark.load_program(
                source, starlark.FileKind.BZL, names, self.program_cache
            )
        except (LoadingError, StarlarkError) as error:
            problem = error.diagnostic
            unknown = Unknown(Reason.FAILED, str(label), str(error))
            return LoadedModule(
                label,
                found.provenance,
                None,
                unknown,
                (problem,),
                path=found.display_path,
                real_path=found.real_path,
            )
        self._context.label_of_path[source.path] = label
        mapping = access.repo_mapping(label.repository) if access is not None else {}
        run = _LoadRun(self, label, mapping, access)
        unknowns = self._context.unknowns
        self._context.unknowns = run.unknowns
        diagnostics: list[Diagnostic] = run.diagnostics
        module: starlark.Module | None = None
        thread = starlark.Thread(self.limits, on_missing=run.missing)
        try:
            with self._context.evaluating():
                module = starlark.execute(
                    program,
                    predeclared,
                    run.load,
                    thread,
                    lambda error: diagnostics.append(error.diagnostic),
                    owner=label,
                )
        except StarlarkError as error:
            diagnostics.append(error.diagnostic)
        finally:
            self._context.unknowns = unknowns
        if module is not None:
            problems = export(module)
            diagnostics.extend(problem for _, problem in problems)
            for name, problem in problems:
                module.globals[name] = Opaque(
                    Unknown(Reason.FAILED, name, problem.message), name, self._context
                )
            if self._context.version < TRANSITIVE_LOADS_UNTIL:
                module = starlark.Module(module.path, {**run.bound, **module.globals}, module.scope)
        failed = None
        if module is None:
            failed = Unknown(Reason.FAILED, str(label), diagnostics[-1].message)
        return LoadedModule(
            label,
            found.provenance,
            module,
            failed,
            tuple(diagnostics),
            tuple(run.unknowns),
            tuple(run.loads),
            tuple(run.children),
            source,
            found.display_path,
            found.real_path,
            doubt,
        )

    def _find(self, label: Label, access: RepositoryAccess | None) -> FileFound | Unknown:
        path = f"{label.package}/{label.name}" if label.package else label.name
        if not label.repository:
            crossing = self._crossing(label)
            if crossing is not None:
                return Unknown(Reason.FILE_MISSING, str(label), crossing)
            if self.workspace.is_file(path):
                real = str(self.workspace.root / path)
                return FileFound(path, Provenance.WORKSPACE, real_path=real)
            return Unknown(Reason.FILE_MISSING, str(label), self._why_missing(label))
        found = access.find_file(label.repository, path) if access is not None else None
        if found is None:
            defined = access is not None and access.get(label.repository) is not None
            why = _NO_FILE if defined else _no_repository(label)
            return Unknown(Reason.FILE_MISSING, str(label), why)
        return found

    def _crossing(self, label: Label) -> str | None:
        """Bazel's error about a label that reaches into a subpackage, for Bazels that mind."""
        directory = label.package
        if "/" not in label.name or self._context.version < CROSSING_REFUSED_SINCE:
            return None
        for part in label.name.split("/")[:-1]:
            directory = f"{directory}/{part}" if directory else part
            if self.workspace.listing(directory).build_file is not None:
                rest = f"{label.package}/{label.name}".removeprefix("/")[len(directory) + 1 :]
                return crosses(label, directory, rest)
        return None

    def _why_missing(self, label: Label) -> str:
        """Bazel: `BzlLoadFailedException`, `PackageLookupValue`."""
        for name, what in self.workspace.listing(label.package).loops:
            if name == label.name:
                file = f"{label.package}/{name}" if label.package else name
                kind = what.partition(":")[0]
                return f"Encountered error while reading extension file '{file}': {kind}"
        directory = label.package
        while self.workspace.listing(directory).build_file is None:
            if not directory:
                return _NO_PACKAGE.format(label)
            directory = directory.rpartition("/")[0]
        if directory == label.package:
            return _NO_FILE
        below = f"{label.package}/{label.name}"[len(directory) + 1 if directory else 0 :]
        return (
            f"Label '{label}' is invalid because '{label.package}' is not a package; perhaps you"
            f" meant to put the colon here: '{Label('', directory, below)}'?"
        )

    def _cycle(self, label: Label) -> LoadedModule:
        around = [*self._active[self._active.index(label) :], label]
        text = " -> ".join(map(str, around))
        problem = Diagnostic("load-cycle", f"cycle in load statements: {text}")
        unknown = Unknown(Reason.FAILED, str(label), f"cycle in load statements: {text}")
        return LoadedModule(label, Provenance.UNKNOWN, None, unknown, (problem,))


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
        self.bound: dict[str, object] = {}
        """What the loads have bound."""

    def load(self, statement: starlark.LoadStatement) -> starlark.Module:
        target = self._loader.resolve(statement, self._label, self._mapping)
        loaded = self._loader.load(target, self._access)
        self.children.append(loaded)
        # A cycle ends at a module that is being evaluated: who closes it tells of it.
        place = statement.location
        span = Span(place.path, place.line, place.column, place.line, place.column + 1)
        self.diagnostics.extend(
            replace(problem, span=span)
            for problem in loaded.diagnostics
            if problem.code == "load-cycle" and problem.span is None
        )
        self.loads.append(loaded_file(loaded, statement.location))
        problem = missing_module(loaded, statement.location)
        if problem is not None:
            self.diagnostics.append(problem)
        module = self._loader.bind(statement, loaded)
        for local, exported in statement.bindings:
            if exported in module.globals:
                self.bound[local] = module.globals[exported]
        return module

    def missing(self, name: str, location: Location) -> object:
        unknown = Unknown(Reason.FAILED, name, "its definition fails", location)
        return Opaque(unknown, name, self._loader._context)


def export(module: starlark.Module) -> list[tuple[str, Diagnostic]]:
    """Names the rules, providers and the like that a module has made, in the order in which they
    were assigned first; the errors of those that may not have their names."""
    problems = []
    for name, value in module.globals.items():
        if isinstance(value, Exportable):
            problem = value.export(name)
            if problem is not None:
                problems.append((name, problem))
        elif isinstance(value, Provider) and not value.name:
            value.name = name
    return problems


def loaded_file(loaded: LoadedModule, place: Location) -> LoadedFile:
    """What a load statement at `place` got."""
    return LoadedFile(loaded.label, place, loaded.provenance, loaded.unknown or loaded.doubt)


def with_unknown_names(
    predeclared: dict[str, object], file: PartlyKnownFile, context: EvaluationContext
) -> tuple[frozenset[str], dict[str, object]]:
    """The names that a file sees whose text has identifiers for its unknown pieces."""
    unknown = {name: Opaque(why, name, context) for name, why in file.unknown_names.items()}
    found = {**predeclared, **unknown}
    return frozenset(found), found


def missing_module(loaded: LoadedModule, place: Location) -> Diagnostic | None:
    """Bazel's error for a load of a file that certainly is not there."""
    unknown = loaded.unknown
    if unknown is None or unknown.reason is not Reason.FILE_MISSING:
        return None
    span = Span(place.path, place.line, place.column, place.line, place.column + 1)
    detail = unknown.detail
    message = f"cannot load '{loaded.label}': {detail}" if detail == _NO_FILE else detail
    return Diagnostic("missing-module", message, span)


CROSSING_REFUSED_SINCE = (1, 0, 0)
"""Bazel: `--incompatible_disallow_load_labels_to_cross_package_boundaries`."""


def crosses(label: Label, subpackage: str, rest: str) -> str:
    """Bazel's words for a label whose name reaches into a package below its own."""
    better = Label(label.repository, subpackage, rest)
    return (
        f"Label '{label}' is invalid because '{subpackage}' is a subpackage; perhaps you meant to"
        f" put the colon here: '{better}'?"
    )


_NO_FILE = "no such file"
_NO_PACKAGE = (
    "Every .bzl file must have a corresponding package, but '{}' does not have one. Please create"
    " a BUILD file in the same or any parent directory. Note that this BUILD file does not need to"
    " do anything except exist."
)


def _no_repository(label: Label) -> str:
    return (
        f"Unable to find package for {label}: The repository '@{label.repository}' could not be"
        " resolved."
    )


def load_label(text: str, base: PackageId, mapping: Mapping[str, str]) -> Label:
    """The label of a load statement in a file of package `base`. Raises `LoadingError`."""
    if text.startswith("/") and not text.startswith("//"):
        # Bazel's first years: `load("/tools/x", ...)` is `//tools:x.bzl`.
        package, _, name = text[1:].rpartition("/")
        return Label(base.repository, package, f"{name}.bzl")
    try:
        label = parse_label(text, base, mapping)
    except LabelError as error:
        raise LoadingError(error.diagnostic) from error
    if not label.name.endswith((".bzl", ".scl")):
        why = "The label must reference a file with extension '.bzl'"
        raise LoadingError(Diagnostic("invalid-load", f"in load statement: {why}"))
    if not is_clean(label.name):
        raise LoadingError(Diagnostic("invalid-load", f"invalid load label `{text}`"))
    return label


def read_found(workspace: Workspace, label: Label, found: FileFound) -> SourceFile:
    """The text of a file that was found. Raises `LoadingError`."""
    if found.text is not None:
        return SourceFile(found.display_path, found.text)
    if not label.repository and found.provenance is Provenance.WORKSPACE:
        return workspace.read(found.display_path)
    assert found.real_path is not None
    content = read_regular_file(found.real_path, found.display_path)
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        text = content.decode("latin-1")
    return SourceFile(found.display_path, text)


def transitive(modules: Iterable[LoadedModule]) -> tuple[LoadedModule, ...]:
    """The modules and all that they load, each once, in load order."""
    seen: dict[Label, LoadedModule] = {}
    pending = list(modules)[::-1]
    while pending:
        module = pending.pop()
        if module.label not in seen:
            seen[module.label] = module
            pending.extend(reversed(module.children))
    return tuple(seen.values())
