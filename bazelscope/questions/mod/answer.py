"""The answer to `mod` as values."""

from __future__ import annotations

from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import Location
from bazelscope.base.unknown import Unknown
from bazelscope.loading.modules.use_repo_fixups import UseRepoFixup
from bazelscope.questions.shared.envelope import Answer


@dataclass(frozen=True, slots=True)
class ModuleRequest:
    """One `bazel_dep` that asks for a module: who says it, where, and for which version.
    `is_used` is false of a version of a module that is not selected, which is read all the same.

    `pinned_by` is the override that takes no notice of that version. `without` is the version
    that would be selected if the root module did not say this; None where that is not asked, or
    where the module would not be there. `changes` is what would come of other modules; None where
    neither can be told.
    """

    module: str
    version: str
    location: Location
    is_deciding: bool
    is_used: bool
    pinned_by: Location | None = None
    without: str | None = None
    changes: tuple[str, ...] | None = ()


@dataclass(frozen=True, slots=True)
class NodeExtension:
    """An extension that a module imports repositories of: these, and, at the first module that
    does, those that no module imports. Either is empty where `--extension_info` leaves it out."""

    key: str
    is_expanded: bool
    used: tuple[str, ...]
    unused: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ModuleNode:
    """One module at one place of the tree. `depth` counts the steps from the top; the node of
    that key where `is_expanded` has its dependencies below it. `apparent_name` is the name by
    which its parent calls it, if it does. `is_indirect` says that modules between are left out,
    `is_cycle` that it stands above its parent, too.

    `was` is the version that its parent asks for, if another is selected, or of an unused module
    the one that is; `reason` is why, in Bazel's words, and `causes` are the modules that ask for
    the version that is selected."""

    key: str
    name: str
    version: str
    apparent_name: str | None
    repository: str
    depth: int
    is_expanded: bool
    is_indirect: bool
    is_unused: bool
    is_target: bool
    location: Location | None
    was: str | None
    causes: tuple[str, ...]
    may_be_newer: bool
    extensions: tuple[str, ...] = ()
    extension_usages: tuple[NodeExtension, ...] = ()
    is_cycle: bool = False
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ModuleOverrideAnswer:
    """What an override of the root module says of another: its kind, and its arguments as they
    are written. `decides` is false of one that leaves the version alone, as one that only patches
    does."""

    kind: str
    arguments: tuple[str, ...]
    location: Location
    decides: bool


@dataclass(frozen=True, slots=True)
class ModuleExplanation:
    """Why a module has its version: every request for it, the highest of which decides, and the
    override that takes no notice of them, or only says where the module comes from."""

    key: str
    requests: tuple[ModuleRequest, ...]
    unknown: Unknown | None
    override: ModuleOverrideAnswer | None = None


@dataclass(frozen=True, slots=True)
class ExtensionTag:
    """One tag of an extension, or one call of a repository rule, as MODULE.bazel could write it."""

    text: str
    location: Location


@dataclass(frozen=True, slots=True)
class ExtensionUsage:
    """What one module says to an extension. `imports` are the arguments of `use_repo`; there are
    none where the tags are calls of what `repository_rule` says, a call of `use_repo_rule`."""

    module: str
    location: Location
    tags: tuple[ExtensionTag, ...]
    imports: tuple[str, ...]
    repository_rule: str = ""


@dataclass(frozen=True, slots=True)
class MadeRepository:
    """A repository of an extension: its canonical name, and the modules that import it."""

    name: str
    canonical: str
    imported_by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ShownExtension:
    """One module extension: what it makes, and who uses it."""

    extension: str
    repositories: tuple[MadeRepository, ...]
    usages: tuple[ExtensionUsage, ...]
    unknown: Unknown | None


@dataclass(frozen=True, slots=True)
class RepositoryAttribute:
    """An attribute of a repository rule, as Starlark writes it."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class ShownRepository:
    """How a repository is made: the call of its rule, the file that has the rule (a canonical
    label), and where there the rule is defined. `attributes` are empty of one that no rule makes:
    then `rule` says what it is."""

    asked: str
    canonical: str
    rule: str
    attributes: tuple[RepositoryAttribute, ...]
    location: Location | None
    file: str = ""
    rule_location: Location | None = None
    note: str = ""
    """What of it is not known."""
    is_loaded: bool = False
    """Whether this Bazel shows it below the `load` of its rule; before, as `query` does."""


@dataclass(frozen=True, slots=True)
class RepositoryName:
    """One entry of a repository mapping."""

    apparent: str
    canonical: str


@dataclass(frozen=True, slots=True)
class RepositoryMapping:
    """What the files of a repository see, by which name."""

    repository: str
    names: tuple[RepositoryName, ...]


@dataclass(frozen=True, slots=True)
class ShownFixup:
    """What `bazel mod tidy` changes for one extension; `is_of_lock_file`: that is as the extension
    ran last, for what it does now cannot be told."""

    fixup: UseRepoFixup
    is_of_lock_file: bool


@dataclass(frozen=True, slots=True)
class ModulesAnswer(Answer):
    """What `mod SUBCOMMAND` shows; only the part of that subcommand is filled."""

    subcommand: str
    asked: tuple[str, ...] = ()
    tree: tuple[ModuleNode, ...] = ()
    explanations: tuple[ModuleExplanation, ...] = ()
    extensions: tuple[ShownExtension, ...] = ()
    repositories: tuple[ShownRepository, ...] = ()
    mappings: tuple[RepositoryMapping, ...] = ()
    fixups: tuple[ShownFixup, ...] = ()
    unknowns: tuple[Unknown, ...] = ()
    """Why there may be more modules, higher versions, or fixups."""
    problem: str = ""
    suggestions: tuple[str, ...] = ()

    @property
    def is_negative(self) -> bool:
        return bool(self.problem)

    @property
    def is_partial(self) -> bool:
        return bool(self.unknowns)
