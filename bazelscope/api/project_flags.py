"""The flags that PROJECT.scl adds to a line for the targets that it builds, and what Bazel refuses
of the line for them. Bazel: `Project.applySclConfig`, `FlagSetFunction`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from bazelscope.analysis.configuration.flag_types import ValueTypeError, parse_boolean
from bazelscope.base.errors import Diagnostic, LoadingError, Severity
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import Span
from bazelscope.base.unknown import Unknown
from bazelscope.bazel.flag_catalog import Catalog
from bazelscope.bazel.native_options import is_configuration_option, is_test_option
from bazelscope.flags.flag_values import (
    PROJECT_SECTION,
    FlagInstance,
    FromDefault,
    FromRc,
    ResolvedFlags,
)
from bazelscope.loading.loader import Loader
from bazelscope.loading.project_files import (
    BuildableUnit,
    EnforcementPolicy,
    Project,
    projects_of,
    read_project,
)

_STARLARK = ("--//", "--@", "--no//", "--no@")
_SWITCH, _NAME = "enforce_project_configs", "scl_config"


@dataclass(frozen=True, slots=True)
class ProjectFlags:
    """The words that project files put behind those of a line, each with where it stands, and what
    is wrong with that."""

    words: tuple[tuple[str, FromRc], ...] = ()
    problems: tuple[Diagnostic, ...] = ()


def project_flags(
    loader: Loader, flags: ResolvedFlags, catalog: Catalog, labels: Sequence[Label]
) -> ProjectFlags:
    """Returns the flags of the projects of `labels`, which a line with `flags` builds."""
    by_file, others = projects_of(loader, labels)
    if not by_file or _is_switched_off(flags):
        return ProjectFlags()
    try:
        return _ProjectLine(loader, flags, catalog).found(by_file, others)
    except LoadingError as error:
        return ProjectFlags(problems=(error.diagnostic,))


def _is_switched_off(flags: ResolvedFlags) -> bool:
    switch = flags.values.get(_SWITCH)
    try:
        return switch is not None and not parse_boolean(switch.value or "")
    except ValueTypeError:
        return False  # The line is refused for that.


class _ProjectLine:
    def __init__(self, loader: Loader, flags: ResolvedFlags, catalog: Catalog) -> None:
        self._loader = loader
        self._catalog = catalog
        self._flags = flags
        asked = flags.values.get(_NAME)
        self._asked = (asked.value or "") if asked is not None else ""

    def found(self, by_file: dict[Label, list[Label]], others: Sequence[Label]) -> ProjectFlags:
        """The flags for targets by their project files, and for `others` without one. Raises
        `LoadingError`."""
        projects: dict[Label, Project] = {}
        targets: dict[Label, list[Label]] = {}
        for file, labels in by_file.items():
            project = read_project(self._loader, file)
            if isinstance(project, Unknown):
                return ProjectFlags(problems=(_unknown(file, labels[0], project),))
            projects[project.file] = project
            targets.setdefault(project.file, []).extend(labels)
        sets = {file: self._flags_of(projects[file], some) for file, some in targets.items()}
        if len({frozenset(text for text, _ in words) for words in sets.values()}) > 1:
            pairs = "".join(f"\n  - {some[0]} -> {file}" for file, some in targets.items())
            what = (
                f"--scl_config={self._asked} resolves to conflicting flagsets:"
                if self._asked
                else "Mismatching default configs for a multi-project build."
            )
            raise _refused(f"{what} Targets have different project settings:{pairs}")
        file, words = next(iter(sets.items()))
        project, problems = projects[file], list[Diagnostic]()
        if words:
            problems += self._beside(project, [text for text, _ in words])
        if words and others:
            problems.append(
                _warning(
                    f"{others[0]} belongs to no project: the flags of {file} count for it, too, or"
                    " Bazel refuses the line (releases differ)",
                    words[0][1].span,
                )
            )
        return ProjectFlags(tuple(words), tuple(problems))

    def _flags_of(self, project: Project, labels: Sequence[Label]) -> list[tuple[str, FromRc]]:
        """The flags of one project that count for a build of `labels`."""
        if not project.units:
            return []
        unit = project.units.get(self._asked) if self._asked else self._default(project, labels)
        if unit is None:
            message = f"--scl_config={self._asked} is not a valid configuration for this project."
            raise _refused(f"{message}\n{_supported(project)}", _place(project))
        return [
            (flag, FromRc(project.span_of(flag, unit.name), PROJECT_SECTION + unit.name))
            for flag in dict.fromkeys(self._without_configs(project, unit))
            if flag.startswith(_STARLARK) or self._is_of_configuration(_name_of(flag))
        ]

    def _default(self, project: Project, labels: Sequence[Label]) -> BuildableUnit:
        defaults = [unit for unit in project.units.values() if unit.is_default]
        chosen: dict[tuple[str, ...], BuildableUnit] = {}
        for label in labels:
            takes = [unit for unit in defaults if unit.takes(label)]
            if len(takes) > 1:
                raise _refused(
                    f"Multiple matching default configs found for target {label}. Please check"
                    f" your project file and ensure that for target {label}, there should be only"
                    " 1 matching default config.",
                    _place(project),
                )
            for unit in takes:
                chosen.setdefault(unit.flags, unit)
        if len(chosen) > 1:
            raise _refused(
                "Building target(s) with different configurations are not supported.",
                _place(project),
            )
        if not chosen:
            raise _refused(
                "This project's builds must set --scl_config because no default config is"
                f" defined.\n{_supported(project)}",
                _place(project),
            )
        return next(iter(chosen.values()))

    def _without_configs(self, project: Project, unit: BuildableUnit) -> Iterator[str]:
        for flag in unit.flags:
            if flag.startswith("--config="):
                # No rc file of a workspace or a user is a global one, and others Bazel has not.
                raise _refused(
                    f"--scl_config={self._asked}: can't set {flag} because its definition depends"
                    " on a file which isn't a global rc file.",
                    project.span_of(flag, unit.name),
                )
            yield flag

    def _is_of_configuration(self, name: str) -> bool:
        definition = self._catalog.find(name)
        return (
            definition is not None
            and is_configuration_option(definition, self._catalog.release)
            and not is_test_option(name)
        )

    def _beside(self, project: Project, words: Sequence[str]) -> Iterator[Diagnostic]:
        """What the project's policy says of the options that the line and the rc files set."""
        beside = list(self._set_by_users(project, words))
        if not beside:
            return
        first, found = beside[0][1], ", ".join(dict.fromkeys(f"'{one}'" for one, _ in beside))
        policy, file = project.policy, f"This build uses a project file ({project.file})"
        remedy = "Please remove these flags or disable project file resolution via"
        if policy is EnforcementPolicy.COMPATIBLE:
            names = set(map(_name_of, words))
            clashes = dict.fromkeys(f"'{one}'" for one, _ in beside if _name_of(one) in names)
            if clashes:
                first = next(place for one, place in beside if _name_of(one) in names)
                found = ", ".join(clashes)
                raise _refused(
                    f"{file} that does not allow conflicting flags in the command line or user"
                    f" bazelrc. Found [{found}]. {remedy} --noenforce_project_configs.",
                    first,
                )
        elif policy is EnforcementPolicy.STRICT:
            raise _refused(
                f"{file} that does not allow output-affecting flags in the command line or user"
                f" bazelrc. Found [{found}]. {remedy} --noenforce_project_configs.",
                first,
            )
        yield _warning(
            f"{file}, but also sets output-affecting flags in the command line or user bazelrc:"
            f" [{found}]. Please consider removing these flags.",
            first,
        )

    def _set_by_users(
        self, project: Project, words: Sequence[str]
    ) -> Iterator[tuple[str, Span | None]]:
        """The options of the configuration that somebody set, as written in canonical form or as
        the config that they are from, and where."""
        own, allowed = frozenset(words), frozenset(project.allowed)
        for one in self._instances():
            outer = one.chain[0]
            is_from_config = outer is not one and outer.name == "config"
            config = outer.canonical if is_from_config else ""
            if one.canonical not in own and config not in allowed:
                yield config or one.canonical, one.span or outer.span

    def _instances(self) -> Iterable[FlagInstance]:
        for value in self._flags.values.values():
            if value.name != _NAME and self._is_of_configuration(value.name):
                yield from value.instances
        for value in self._flags.starlark_flags.values():
            for one in value.instances:
                if not isinstance(one.origin, FromDefault):
                    yield one


def _name_of(flag: str) -> str:
    return flag.partition("=")[0].removeprefix("--").replace("'", "")


def _supported(project: Project) -> str:
    lines = "".join(
        f"  --scl_config={unit.name} -> "
        + (
            unit.description
            if unit.description not in ("", unit.name)
            else f"[{' '.join(unit.flags)}]"
        )
        + "\n"
        for unit in project.units.values()
    )
    return f"This project supports:\n{lines}"


def _place(project: Project) -> Span:
    return Span(project.path, 1, 1, 1, 2)


def _refused(message: str, span: Span | None = None) -> LoadingError:
    return LoadingError(Diagnostic("project-flags", message, span))


def _warning(message: str, span: Span | None) -> Diagnostic:
    return Diagnostic("project-flags", message, span, severity=Severity.WARNING)


def _unknown(file: Label, target: Label, why: Unknown) -> Diagnostic:
    message = f"it cannot be told which flags {file} sets for {target}: {why}"
    return Diagnostic("project-not-told", message, severity=Severity.WARNING)
