"""One BUILD file to its package.

Bazel: `PackageFactory`, `PackageFunction`. A statement that fails ends the file; what fails only
because something unknown was decided before costs itself alone. What the finished package
still lacks (the source files that its rules name) is added, and what Bazel refuses (labels that
cross into a subpackage) is taken out again and reported.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field, replace
from functools import partial
from typing import TYPE_CHECKING

from bazelscope import starlark
from bazelscope.base.errors import BazelscopeError, Diagnostic, StarlarkError, fault, is_of_ours
from bazelscope.base.label import Label, PackageId
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import SourceFile, Span
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel.removed_natives import explained
from bazelscope.loading.evaluation.attribute_values.conversion import Conversion
from bazelscope.loading.evaluation.build_files.build_file import BuildFile
from bazelscope.loading.evaluation.build_files.package_builder import NO_STACK, PackageBuilder
from bazelscope.loading.evaluation.build_files.package_finish import finish_package
from bazelscope.loading.evaluation.build_files.prelude import Preludes
from bazelscope.loading.evaluation.builtins.natives import Natives, Predeclared
from bazelscope.loading.evaluation.builtins.package_arguments import set_defaults
from bazelscope.loading.evaluation.bzl_files.loaded_module import (
    LoadedModule,
    loaded_file,
    missing_module,
    transitive,
)
from bazelscope.loading.evaluation.bzl_files.module_loader import ModuleLoader, with_unknown_names
from bazelscope.loading.evaluation.bzl_files.seen_values import ModuleValues, SeenValues
from bazelscope.loading.evaluation.evaluation_context import EvaluationContext, doubted
from bazelscope.loading.evaluation.rules.symbolic_macros import run_finalizers
from bazelscope.loading.evaluation.rules.unknown_rules import UnknownRules
from bazelscope.loading.evaluation.values.load_visibility import refused_load
from bazelscope.loading.evaluation.values.refused_syntax import refused_stars, syntax_check
from bazelscope.loading.evaluation.values.symbolic_values import failed_name
from bazelscope.loading.packages.encoded_targets import RULE, encoded_input, shape_of, stack_of
from bazelscope.loading.packages.package_data import PackageData
from bazelscope.loading.packages.targets import LoadedFile, Provenance

if TYPE_CHECKING:
    from bazelscope.starlark.compile.program_cache import ProgramCache


@dataclass(frozen=True, slots=True)
class Evaluation:
    """An evaluated package and the modules that it loaded, directly or not."""

    data: PackageData
    modules: tuple[LoadedModule, ...]
    failure: str = ""
    """Why there is no such package: a file that it loads fails, in Bazel's words."""
    remedy: str = ""
    """What would bring a file that it loads and that is not there."""
    seen: SeenValues | None = None
    """What the BUILD file saw of these; None where it cannot be compared."""


@dataclass(eq=False)
class PackageEvaluator:
    """Evaluates BUILD files with the natives of one loader."""

    _context: EvaluationContext
    _natives: Natives
    _modules: ModuleLoader
    _values: ModuleValues
    _program_cache: ProgramCache | None
    _limits: starlark.Limits

    def __post_init__(self) -> None:
        self.preludes = Preludes(self._context, self._natives, self._modules)
        self._unknown_rules = UnknownRules(self._context.rules)
        self._check = syntax_check(self._context.release, is_build=True)

    def evaluate(self, file: BuildFile) -> Evaluation:
        """The package of `file`. Whatever goes wrong, with bazelscope too, is in its diagnostics
        and unknowns."""
        try:
            return self._evaluate(file)
        except (BazelscopeError, RecursionError, MemoryError):
            raise
        except Exception as error:
            return Evaluation(_empty(file, fault(error, Span(file.source.path, 1, 1, 1, 2))), ())

    def _evaluate(self, file: BuildFile) -> Evaluation:
        builder = PackageBuilder(
            file.id,
            file.source,
            file.repo_mapping,
            file.files,
            self._context.label_style,
            self._context.release,
            self._unknown_rules,
        )
        builder.targets[file.label.name] = encoded_input(NO_STACK, False)
        run = _Run(self._modules, file, builder, self._context)
        missing, kind = partial(failed_name, self._context), starlark.FileKind.BUILD
        thread = starlark.Thread(self._limits, on_missing=missing, source=file.source, kind=kind)
        self._context.label_of_path[file.source.path] = file.label
        is_model = file.provenance is Provenance.MODEL
        prelude = None if is_model else self._prelude(file)
        if prelude is not None and prelude.refused:
            return _without_prelude(file, prelude)
        predeclared, names = self._natives.for_build(file.id.repository, is_model)
        if prelude is not None:
            predeclared, names = self.preludes.predeclared(prelude)
        if file.partly is not None:
            builder.may_lack = file.partly.may_lack
            for unknown in file.partly.unknowns:
                builder.record_unknown(unknown)
            names, predeclared = with_unknown_names(predeclared, file.partly, self._context)
        if file.repo_file is not None:
            root = Conversion(
                PackageId(file.id.repository, ""), file.repo_mapping, builder.stack_number
            )
            try:
                set_defaults(builder, file.repo_file.arguments, root)
            except StarlarkError as error:
                builder.diagnostics.append(error.diagnostic)
            builder.diagnostics.extend(file.repo_file.diagnostics)
        goes_on = not self._context.release.failing_statement_ends_file

        def note(problem: Diagnostic) -> None:
            builder.diagnostics.append(problem)
            if is_of_ours(problem):  # Bazel would have gone on, and what it declares is not known.
                cut = Unknown(Reason.LIMIT, str(file.label), problem.message, problem.location)
                builder.record_unknown(cut)

        def recover(error: StarlarkError) -> None:
            doubt = doubted(error.diagnostic, self._context.doubtful_files)
            if doubt is not None:
                builder.record_unknown(doubt)
            elif goes_on or is_of_ours(error.diagnostic):
                note(error.diagnostic)
            else:
                raise error

        release = self._context.release
        if release.runs_past_stars and not is_model:
            builder.diagnostics.extend(refused_stars(file.source))
        try:
            if not (is_model or release.prelude_is_module):
                predeclared, names = self._run_prelude(run, thread, Predeclared(predeclared, names))
            program = self._program(file.source, names, is_model)
            with self._context.evaluating(package=builder):
                starlark.execute(program, predeclared, run.load, thread, recover, owner=file.label)
                if builder.finalizers:
                    run_finalizers(builder, self._limits)
        except StarlarkError as error:
            note(explained(error.diagnostic, self._context.release))
        modules = transitive(run.modules)
        unlisted = () if prelude is None else transitive((prelude,))
        for module in (*modules, *unlisted):
            builder.diagnostics.extend(module.diagnostics)
        finish_package(builder, any(module.unknowns for module in (*modules, *unlisted)))
        builder.diagnostics.extend(_problems_of_environments(builder))
        files = [module.label for module in run.modules]
        seen = self._values.seen(run.symbols, files, thread.entered)
        if builder.finalizers or (not is_model and self.preludes.file(file.id.repository)):
            seen = None
        data = _data_of(builder, file, run.loads, modules, unlisted)
        return Evaluation(data, (*modules, *unlisted), run.failure, run.remedy, seen)

    def _prelude(self, file: BuildFile) -> LoadedModule | None:
        """What the BUILD file finds predeclared besides, where that is loaded as a module."""
        if not self._context.release.prelude_is_module:
            return None
        return self.preludes.module(file.id.repository)

    def _run_prelude(self, run: _Run, thread: starlark.Thread, natives: Predeclared) -> Predeclared:
        """Runs the prelude's statements in front of those of a BUILD file, where Bazel does;
        returns what the file sees then. Raises `StarlarkError`."""
        source = self.preludes.source(run.file.id.repository)
        if source is None:
            return natives
        bound: dict[str, object] = {}

        def load(statement: starlark.LoadStatement) -> starlark.Module:
            module = run.load(statement)
            for local, exported in statement.bindings:
                if exported in module.globals:
                    bound[local] = module.globals[exported]
            return module

        program = self.preludes.program(source)
        with self._context.evaluating(package=run.builder):
            module = starlark.execute(program, natives.values, load, thread, owner=run.file.label)
        return Predeclared.of({**natives.values, **bound, **module.globals})

    def compile(self, source: SourceFile) -> starlark.Program:
        """The program of a BUILD file of the main repository. Raises `StarlarkError`."""
        return self._program(source, self.preludes.names(""), is_model=False)

    def _program(
        self, source: SourceFile, names: frozenset[str], is_model: bool
    ) -> starlark.Program:
        check = None if is_model else self._check
        return starlark.load_program(
            source, starlark.FileKind.BUILD, names, self._program_cache, check
        )


@dataclass(eq=False)
class _Run:
    """The loads of one BUILD file while it is evaluated."""

    _loader: ModuleLoader
    file: BuildFile
    builder: PackageBuilder
    _context: EvaluationContext
    loads: list[LoadedFile] = field(default_factory=list)
    modules: list[LoadedModule] = field(default_factory=list)
    symbols: list[tuple[Label, str]] = field(default_factory=list)
    """What was loaded, each symbol with its file."""
    failure: str = ""
    remedy: str = ""
    """What would bring the file for whose lack the package fails."""

    def load(self, statement: starlark.LoadStatement) -> starlark.Module:
        file = self.file
        label = self._loader.resolve(statement, file.label, file.repo_mapping)
        loaded = self._loader.load(label)
        self.modules.append(loaded)
        self.symbols.extend((label, exported) for _, exported in statement.bindings)
        self.loads.append(loaded_file(loaded, statement.location))
        hidden = refused_load(self._context.load_visibility, label, file.id, statement.location)
        problem = missing_module(loaded, statement.location) or hidden
        if problem is not None:
            self.builder.diagnostics.append(problem)
        refused = loaded.refused or (hidden.message if hidden is not None else "")
        if refused and not self.failure:
            self.failure = f"error loading package '{file.id.shown}': {refused}"
            self.remedy = self._loader.remedy_of_nested(file.id, label) or loaded.remedy
        return self._loader.bind(statement, loaded)


def _empty(file: BuildFile, problem: Diagnostic) -> PackageData:
    """A package of which nothing is known but that its file is there."""
    return PackageData(
        id=file.id,
        build_file=file.label,
        path=file.source.path,
        targets={file.label.name: encoded_input(NO_STACK, False)},
        classes=(),
        stacks=(),
        frames=(),
        generators={},
        defaults={},
        loads=(),
        diagnostics=(problem,),
        unknowns=(Unknown(Reason.FAILED, str(file.label), problem.message),),
        provenance=file.provenance,
    )


def _without_prelude(file: BuildFile, prelude: LoadedModule) -> Evaluation:
    """What becomes of a BUILD file where its prelude cannot be had."""
    modules = transitive((prelude,))
    problems = tuple(problem for module in modules for problem in module.diagnostics)
    failure = f"error loading package '{file.id.shown}': {prelude.refused}"
    first = problems[0] if problems else Diagnostic("missing-module", prelude.refused)
    data = replace(_empty(file, first), diagnostics=problems or (first,))
    return Evaluation(data, modules, failure, prelude.remedy)


def _problems_of_environments(builder: PackageBuilder) -> Iterator[Diagnostic]:
    """What is refused of the environments of groups, where all that the package declares is
    known."""
    if not builder.environment_groups:
        return
    if builder.unknowns:
        return
    from bazelscope.loading.evaluation.builtins.environment_groups import problems_of_members

    for _, place, members in dict.fromkeys(builder.environment_groups.values()):
        for message in problems_of_members(members, builder.targets, builder.classes):
            yield Diagnostic("invalid-environment-group", message, place)


def _data_of(
    builder: PackageBuilder,
    file: BuildFile,
    loads: list[LoadedFile],
    modules: tuple[LoadedModule, ...],
    unlisted: tuple[LoadedModule, ...],
) -> PackageData:
    """The package; `unlisted` are the prelude and what it loads, which no query takes for loads of
    the package."""
    stacks = tuple([builder.frames.encode(raw) for raw in builder.stacks])
    generators: dict[int, tuple[str, str | None]] = {}
    for target in builder.targets.values():
        if shape_of(target) == RULE:
            made = builder.made_by(stacks[stack_of(target)])
            if made is not None:
                generators[stack_of(target)] = made
    direct = {loaded.label for loaded in loads}
    transitive_loads = [
        LoadedFile(loaded.label, loaded.location, loaded.provenance, loaded.unknown)
        for module in modules
        for loaded in module.loads
        if loaded.label not in direct
    ]
    seen: dict[Label, LoadedFile] = {}
    for loaded in (*loads, *transitive_loads):
        seen.setdefault(loaded.label, loaded)
    paths = {frame[1] for frame in builder.frames.frames}
    for module in modules:
        # A macro of a model, whose file is patched, may declare more than the model does.
        if module.is_patched and module.path in paths and module.doubt is not None:
            builder.record_unknown(module.doubt)
    unknowns = dict(builder.unknowns)
    may_declare = builder.may_declare
    for module in (*modules, *unlisted):
        for unknown in module.unknowns:
            unknowns.setdefault((unknown.reason, unknown.subject), unknown)
            may_declare = may_declare or unknown
    return PackageData(
        id=builder.id,
        build_file=file.label,
        path=file.source.path,
        targets=builder.targets,
        classes=tuple(builder.classes),
        stacks=stacks,
        frames=tuple(builder.frames.frames),
        generators=generators,
        homes=builder.homes,
        defaults=builder.defaults,
        loads=tuple(seen.values()),
        diagnostics=tuple(dict.fromkeys(builder.diagnostics)),
        unknowns=tuple(unknowns.values()),
        provenance=file.provenance,
        may_lack=builder.may_lack,
        may_declare=may_declare,
    )
