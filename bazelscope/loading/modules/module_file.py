"""What one Bazel module says about itself and what it needs, in its MODULE.bazel file.

It is data alone: `module_file_evaluation` gathers it, and which repositories come of it is the
business of `module_repositories`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field

from bazelscope import starlark
from bazelscope.base.errors import Diagnostic
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import CallStack, Location, SourceFile
from bazelscope.base.unknown import Unknown
from bazelscope.bazel.release import Release
from bazelscope.loading.evaluation.workspace.repository_definitions import Registration
from bazelscope.loading.modules.replacements import Replacement

FILE_NAME = "MODULE.bazel"


@dataclass(frozen=True, slots=True)
class ModuleDependency:
    """One `bazel_dep`. `repository` is the name by which the module calls it; None where it
    only takes part in the choice of versions (`repo_name = None`)."""

    name: str
    version: str
    repository: str | None
    is_dev: bool
    location: Location
    call_stack: CallStack = ()
    max_compatibility_level: int = -1
    """-1 where only the compatibility level of `version` will do."""


@dataclass(frozen=True, slots=True)
class ModuleOverride:
    """One `..._override`: where a module comes from instead of a registry. `arguments` are
    plain data."""

    kind: str
    module: str
    arguments: Mapping[str, object]
    location: Location
    call_stack: CallStack


@dataclass(frozen=True, slots=True)
class Tag:
    """One tag of a module extension, `pip.parse(...)`: its class and its arguments."""

    tag_class: str
    arguments: Mapping[str, object]
    is_dev: bool
    location: Location


@dataclass(frozen=True, slots=True)
class Import:
    """One repository that `use_repo` brings into scope: what the extension calls it."""

    original: str
    location: Location
    call_stack: CallStack
    is_dev: bool = False
    """Whether it is for development alone."""


@dataclass(slots=True)
class ExtensionUse:
    """All that a module says to one module extension. `file` is the label as written."""

    file: str
    name: str
    location: Location
    tags: list[Tag] = field(default_factory=list)
    imports: dict[str, Import] = field(default_factory=dict)
    """By the name that the module uses."""
    replaced: dict[str, Replacement] = field(default_factory=dict)
    """Repositories that `override_repo` or `inject_repo` gives the extension, by its names."""
    is_lasting: bool = False
    """Whether one `use_extension` at least is not for development alone."""
    is_for_development: bool = False
    """Whether one is for development alone."""
    is_isolated: bool = False
    exported: str = ""
    """The name of the variable that an isolated use is bound to first."""


@dataclass(frozen=True, slots=True)
class RuleCall:
    """One call of what `use_repo_rule(file, rule)` returned; `arguments` are Starlark values."""

    file: str
    rule: str
    arguments: Mapping[str, object]
    location: Location
    call_stack: CallStack

    @property
    def repository(self) -> str:
        return str(self.arguments["name"])


@dataclass(slots=True)
class ModuleFile:
    """What one MODULE.bazel says, with the files that it includes."""

    name: str = ""
    version: str = ""
    repository: str = ""
    """How the module calls itself: `repo_name`, by default its name."""
    compatibility_level: int = 0
    bazel_compatibility: tuple[str, ...] = ()
    location: Location | None = None
    """Of the `module()` call."""
    dependencies: list[ModuleDependency] = field(default_factory=list)
    overrides: dict[str, ModuleOverride] = field(default_factory=dict)
    extensions: dict[tuple[str, str, int], ExtensionUse] = field(default_factory=dict)
    rule_calls: list[RuleCall] = field(default_factory=list)
    registrations: list[Registration] = field(default_factory=list)
    flag_aliases: dict[str, str] = field(default_factory=dict)
    """Short names of Starlark flags."""
    diagnostics: list[Diagnostic] = field(default_factory=list)
    unknowns: list[Unknown] = field(default_factory=list)
    """Why the module may say more than this."""


@dataclass(frozen=True, slots=True)
class ModuleSettings:
    """What evaluating a MODULE.bazel takes besides its text.

    `read` finds an included file by its path from the module's root (`LoadingError` if it is
    not there), and `is_package` tells whether a directory below that is one; `ignore_dev` leaves
    development dependencies out, as in every module but the root, or with
    `--ignore_dev_dependency`; `ignore_overrides` overrides, which only the root has. `release`
    says which functions there are, `isolates_extensions` whether
    `--experimental_isolated_extension_usages` is on, `may_include` whether this module may call
    `include()`. `injected` are names and directories of repositories that the command line adds to
    the root module.
    """

    read: Callable[[str], SourceFile]
    ignore_dev: bool
    program_cache: starlark.ProgramCache | None
    limits: starlark.Limits
    release: Release
    ignore_overrides: bool = False
    isolates_extensions: bool = False
    may_include: bool = True
    is_package: Callable[[str], bool] = lambda _: True
    injected: tuple[tuple[str, str], ...] = ()
