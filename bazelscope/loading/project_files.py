"""PROJECT.scl: the flags that a project sets for builds of its targets, since Bazel 9.

Read off Bazel's sources and tests (`ProjectFunction`, `ProjectFilesLookupFunction`,
`FlagSetFunction`), not measured.
"""

from __future__ import annotations

import enum
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from bazelscope.base import budget
from bazelscope.base.errors import Diagnostic, LabelError, LoadingError
from bazelscope.base.label import (
    MAIN_ROOT,
    Label,
    PackageId,
    TargetPattern,
    parse_label,
    parse_pattern,
)
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.base.source import Span
from bazelscope.base.unknown import Unknown
from bazelscope.loading.evaluation.values.structs import Struct, unknown_in

if TYPE_CHECKING:
    from bazelscope.loading.evaluation.bzl_files.loaded_module import LoadedModule
    from bazelscope.loading.loader import Loader

PROJECT_FILE = "PROJECT.scl"
_MOST_ALIASES = 100
_STRING = lazy_pattern(r"""(["'])([^\n]*?)\1""")
_LINE_END = lazy_pattern(r"\n")


class EnforcementPolicy(enum.Enum):
    """What becomes of a build whose line or rc files set other options of the configuration."""

    WARN = "warn"
    COMPATIBLE = "compatible"
    """Refused, where one says something else than the project."""
    STRICT = "strict"
    """Refused."""


@dataclass(frozen=True, slots=True)
class BuildableUnit:
    """A named set of flags: what `--scl_config=NAME` stands for, or, if it `is_default`, what
    applies to targets of its patterns by itself. No pattern is every target."""

    name: str
    description: str
    flags: tuple[str, ...]
    is_default: bool
    patterns: tuple[TargetPattern, ...] = ()

    def takes(self, label: Label) -> bool:
        """Whether a target is of its patterns: the last one that speaks of it decides. Bazel:
        `SimpleTargetPatternMatcher`."""
        budget.current().check()
        for pattern in reversed(self.patterns):
            if pattern.recursive:
                below = pattern.label.package
                speaks = not below or f"{label.package}/".startswith(f"{below}/")
            else:
                speaks = pattern.label == label
            if speaks:
                return not pattern.excluded
        return not self.patterns


@dataclass(frozen=True, slots=True)
class Project:
    """What the project file `file` says; `path` is its display path."""

    file: Label
    path: str
    policy: EnforcementPolicy
    units: Mapping[str, BuildableUnit]
    allowed: tuple[str, ...]
    """`--config`s that may stand beside its flags whatever its policy."""
    places: Mapping[str, Sequence[int]]
    """Where each string of the text begins, within its quotes."""
    line_ends: Sequence[int]

    def span_of(self, flag: str, unit: str) -> Span:
        """Where a flag is written first behind the name of its unit; the first line of the file
        where it is put together."""
        own = self.places.get(flag, ())
        named = self.places.get(unit, (0,))[0]
        at = own[min(bisect_left(own, named), len(own) - 1)] if own else 0
        line = bisect_left(self.line_ends, at)
        column = at - (self.line_ends[line - 1] if line else -1)
        return Span(self.path, line + 1, column, line + 1, column + max(len(flag) if own else 0, 1))


def project_file_of(loader: Loader, package: PackageId) -> Label | None:
    """The project file of a package of the workspace: the innermost one in it, or in a package
    around it."""
    if package.repository:
        return None
    directory, files = package.package, loader.workspace
    while True:
        path = f"{directory}/{PROJECT_FILE}".lstrip("/")
        if files.is_file(path) and loader.table.build_file("", directory) is not None:
            return Label("", directory, PROJECT_FILE)
        if not directory:
            return None
        directory = directory.rpartition("/")[0]


def read_project(loader: Loader, file: Label) -> Project | Unknown:
    """Evaluates a project file, or the one that it says to stand for. Returns why that cannot be
    told where it cannot. Raises `LoadingError` for one that Bazel refuses."""
    for _ in range(_MOST_ALIASES):
        loaded = loader.loaded_module(file)
        if loaded.refused:
            raise _bad(loaded, f"error loading project files: {loaded.refused}")
        if loaded.module is None:
            assert loaded.unknown is not None
            return loaded.unknown
        names = loaded.module.globals
        value = names.get("project")
        if value is None:
            raise _bad(
                loaded, 'Project files must define exactly one top-level variable called "project"'
            )
        if not isinstance(value, dict) or value.get("actual") is None:
            return _Reader(loaded).project(value)
        actual = value["actual"]
        try:
            file = parse_label(_want(loaded, actual, str, 'project["actual"]'), MAIN_ROOT)
        except LabelError as error:
            raise _bad(loaded, str(error)) from None
        if len(value) > 1 or len(names) > 1:
            raise _bad(loaded, "an alias of a project file defines something else, too")
    raise _bad(loaded, "project files that stand for each other")


class _Reader:
    """Reads the value `project` of a file, in its older form or that of protocol buffers."""

    def __init__(self, loaded: LoadedModule) -> None:
        self._loaded = loaded

    def project(self, value: object) -> Project | Unknown:
        unknown = unknown_in(value)
        if unknown is not None:
            return unknown
        if isinstance(value, dict):
            units = self._configs(value)
            fields: Mapping[Any, object] = value
        elif isinstance(value, Struct):
            units = self._units(value.fields.get("buildable_units", []))
            fields = value.fields
        else:
            raise self._refused("project variable: expected a map of string to objects")
        for name, count in Counter(unit.name for unit in units).items():
            if count > 1:
                raise self._refused(
                    f"buildable_unit name='{name}' is repeated. Buildable units must have unique"
                    " names."
                )
        text = self._loaded.source.text if self._loaded.source is not None else ""
        places: dict[str, list[int]] = {}
        for match in _STRING.finditer(text):
            places.setdefault(match[2], []).append(match.start(2))
        return Project(
            self._loaded.label,
            self._loaded.path,
            self._policy(fields.get("enforcement_policy")),
            {unit.name: unit for unit in units},
            self._strings(fields.get("always_allowed_configs", []), "always_allowed_configs"),
            places,
            [match.start() for match in _LINE_END.finditer(text)],
        )

    def _configs(self, value: Mapping[Any, Any]) -> list[BuildableUnit]:
        what = "configs variable must be a map of strings to lists of strings"
        configs, default = value.get("configs", {}), value.get("default_config")
        if not isinstance(configs, dict) or not all(isinstance(name, str) for name in configs):
            raise self._refused(what)
        if default is not None and not (isinstance(default, str) and default in configs):
            raise self._refused(
                "default_config must be a string matching a configs variable definition"
            )
        return [
            BuildableUnit(name, "", self._strings(flags, what), name == default)
            for name, flags in configs.items()
        ]

    def _units(self, value: object) -> list[BuildableUnit]:
        if not isinstance(value, list):
            raise self._refused("buildable_units must be a list of buildable unit definitions")
        return [self._unit(one) for one in value]

    def _unit(self, value: object) -> BuildableUnit:
        if not isinstance(value, Struct):
            raise self._refused("buildable_units entries must be structured objects")

        def given(name: str, default: object) -> Any:
            held = value.fields.get(name, [])
            return default if held == [] else held  # What is not given is an empty list there.

        name = _want(self._loaded, given("name", None), str, "buildable_unit names must be strings")
        about, is_default = given("description", name), given("is_default", False)
        return BuildableUnit(
            name,
            _want(self._loaded, about, str, "buildable_unit descriptions must be strings"),
            self._strings(given("flags", []), "flags"),
            _want(self._loaded, is_default, bool, "is_default must be a boolean"),
            tuple(
                map(self._pattern, self._strings(given("target_patterns", []), "target_patterns"))
            ),
        )

    def _pattern(self, text: str) -> TargetPattern:
        try:
            return parse_pattern(text, MAIN_ROOT)
        except LabelError as error:
            raise self._refused(str(error)) from None

    def _strings(self, value: object, what: str) -> tuple[str, ...]:
        if not isinstance(value, (list, tuple)) or not all(isinstance(one, str) for one in value):
            raise self._refused(what if " " in what else f"{what} must be a list of strings")
        return tuple(value)

    def _policy(self, value: object) -> EnforcementPolicy:
        if value is None or value == []:
            return EnforcementPolicy.WARN
        try:
            return EnforcementPolicy(str(value).lower())
        except ValueError:
            raise self._refused(
                f"invalid enforcement_policy '{value}' in {self._loaded.label}"
            ) from None

    def _refused(self, message: str) -> LoadingError:
        return _bad(self._loaded, message)


def _want(loaded: LoadedModule, value: Any, kind: type, message: str) -> Any:
    if not isinstance(value, kind):
        raise _bad(loaded, message)
    return value


def _bad(loaded: LoadedModule, message: str) -> LoadingError:
    span = Span(loaded.path, 1, 1, 1, 2) if loaded.path else None
    return LoadingError(Diagnostic("project-file", message, span))


def projects_of(
    loader: Loader, labels: Iterable[Label]
) -> tuple[dict[Label, list[Label]], list[Label]]:
    """Sorts targets by the project files of their packages, and returns those without one."""
    files: dict[PackageId, Label | None] = {}
    by_file: dict[Label, list[Label]] = {}
    others: list[Label] = []
    for label in labels:
        package = label.package_id
        if package not in files:
            files[package] = project_file_of(loader, package)
        file = files[package]
        (others if file is None else by_file.setdefault(file, [])).append(label)
    return by_file, others
