"""Targets, as `bazel query` knows them.

Bazel: `Package`, `Rule`, `InputFile`, `OutputFile`, `PackageGroup`, `EnvironmentGroup`. A look-up
that fails is a value too: `NoSuchTarget` and `NoSuchPackage` are Bazel's errors, `UnknownTarget`
and `UnknownPackage` are what the files cannot tell.
"""

from __future__ import annotations

import enum
from collections.abc import Collection, Mapping
from dataclasses import field

from bazelscope.base.errors import Diagnostic, Note
from bazelscope.base.label import Label, PackageId
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.nearest import nearest
from bazelscope.base.source import SHIPPED, CallStack, Location
from bazelscope.base.unknown import Unknown
from bazelscope.bazel.attribute_types import Attribute, RuleClass
from bazelscope.loading.packages.attributes import LazyAttributes

TAKEN_BRANCH = "a branch"
"""Named so, as no attribute of a rule can be, stands with a rule what its call had decided by
something unknown: with the other branch, the rule may have been given something else."""
_OF_BAZEL = f"{SHIPPED}bazel_tools/"
"""What Bazel brings along is modelled release by release."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule target.

    `attributes` holds what the BUILD file or a macro set, by name; `attribute()` adds the
    rule class's defaults. `call_stack` ends at the call that made the rule; its first
    frame is in the BUILD file. `generator_name`/`generator_function` name the macro call in
    the BUILD file, where there is one.
    """

    label: Label
    rule_class: RuleClass
    attributes: LazyAttributes
    outputs: tuple[Label, ...]
    location: Location
    call_stack: CallStack
    generator_name: str | None = None
    generator_function: str | None = None

    @property
    def kind(self) -> str:
        """As `--output=label_kind` says it: `cc_library rule`."""
        return f"{self.rule_class.name} rule"

    @property
    def is_stand_in(self) -> bool:
        """Whether a macro of a model made it that is not called as the class is: another release
        of the macro, or one that was patched, may make a rule of another class there."""
        maker = self.call_stack[-1] if self.call_stack else None
        return (
            maker is not None
            and maker.location.is_shipped
            and not maker.location.path.startswith(_OF_BAZEL)
            and maker.function != self.rule_class.name
        )

    @property
    def taken_branch(self) -> Unknown | None:
        """What was taken for granted of the branch that made the rule."""
        held = self.given(TAKEN_BRANCH)
        return held if isinstance(held, Unknown) else None

    def attribute(self, name: str) -> Attribute | None:
        """The attribute, explicit or default; None if the rule class has none such."""
        given = self.attributes.get(name)
        if given is not None:
            return given
        definition = self.rule_class.attributes.get(name)
        if definition is None:
            return None
        return Attribute(name, definition.type, definition.default, is_explicit=False)

    def value(self, name: str, absent: object = None) -> object:
        """The value of the attribute, explicit or default; `absent` if the class has none such."""
        attribute = self.attribute(name)
        return attribute.value if attribute is not None else absent

    def given(self, name: str, absent: object = None) -> object:
        """The value that the attribute was given; `absent` if it was given none."""
        attribute = self.attributes.get(name)
        return attribute.value if attribute is not None else absent

    def labels(self, name: str) -> tuple[Label, ...]:
        """The labels of an attribute that is a plain list; none of what is not."""
        value = self.value(name)
        listed = value if isinstance(value, tuple) else ()
        return tuple([label for label in listed if isinstance(label, Label)])

    def texts(self, name: str) -> tuple[str, ...]:
        """The texts of an attribute that is a plain list of them; none of what is not."""
        value = self.value(name)
        listed = value if isinstance(value, tuple) and not isinstance(value, Label) else ()
        return tuple([text for text in listed if isinstance(text, str)])

    def text(self, name: str) -> str:
        """The text of an attribute that is a plain one; empty of what is not."""
        value = self.value(name)
        return value if isinstance(value, str) else ""

    def is_true(self, name: str) -> bool:
        """Whether an attribute is surely True."""
        return self.value(name) is True


@dataclass(frozen=True, slots=True)
class InputFile:
    """A source file that is a target because a rule or `exports_files` names it."""

    label: Label
    location: Location
    is_exported: bool = False
    visibility: tuple[Label, ...] | None = None
    """What `exports_files` says; None: the package's default, or public if exported."""
    kind: str = "source file"


@dataclass(frozen=True, slots=True)
class OutputFile:
    """A file that a rule of the same package generates."""

    label: Label
    generating_rule: Label
    location: Location
    kind: str = "generated file"


@dataclass(frozen=True, slots=True)
class PackageGroup:
    """A `package_group`: package specifications as written, and included groups."""

    label: Label
    packages: tuple[str, ...]
    includes: tuple[Label, ...]
    location: Location
    kind: str = "package group"


@dataclass(frozen=True, slots=True)
class EnvironmentGroup:
    """An `environment_group`: its environments, and those that rules are for by default."""

    label: Label
    environments: tuple[Label, ...]
    defaults: tuple[Label, ...]
    location: Location
    kind: str = "environment group"


Target = Rule | InputFile | OutputFile | PackageGroup | EnvironmentGroup


@dataclass(frozen=True, slots=True)
class NoSuchPackage:
    """The package does not exist, or a file that it loads fails, as `diagnostics` tell:
    `message` is Bazel's wording."""

    id: PackageId
    message: str
    diagnostics: tuple[Diagnostic, ...] = ()
    remedy: str = ""
    """What would bring it, if the workspace's files tell."""

    @property
    def notes(self) -> tuple[Note, ...]:
        """What is wrong in it, for an error that says that it is not there."""
        return tuple(Note(error.message, error.span) for error in self.diagnostics[:1])


@dataclass(frozen=True, slots=True)
class UnknownPackage:
    """Whether and how the package exists cannot be told."""

    id: PackageId
    unknown: Unknown


@dataclass(frozen=True, slots=True)
class NoSuchTarget:
    """The package exists and has no such target; `others` are the names that it has, where one of
    them may be meant."""

    label: Label
    message: str
    others: Collection[str] = field(default=(), compare=False, repr=False)

    @property
    def suggestions(self) -> tuple[str, ...]:
        """The names that are most like it. They are looked for when they are told: who names
        thousands that are not there is told of a few."""
        return nearest(self.label.name, self.others)

    @property
    def remedy(self) -> str:
        """What was perhaps meant, if anything is near."""
        near = " or ".join(f"`{name}`" for name in self.suggestions)
        return f"did you mean {near}?" if near else ""


@dataclass(frozen=True, slots=True)
class UnknownTarget:
    """Whether and how the target exists cannot be told. Where it is more likely a slip of the pen,
    `message` says so: nothing known declares it. `suggestions` are nearest names then."""

    label: Label
    unknown: Unknown
    message: str = ""
    suggestions: tuple[str, ...] = ()


Absent = NoSuchPackage | NoSuchTarget
"""What a look-up finds where Bazel surely finds nothing."""
UnknownResult = UnknownPackage | UnknownTarget
"""What a look-up finds where nobody can tell what Bazel finds."""
TargetResult = Target | Absent | UnknownResult


def unknown_of(result: TargetResult) -> Unknown | None:
    """Why nobody can tell what a look-up finds; None where it is known."""
    return result.unknown if isinstance(result, UnknownResult) else None


class Provenance(enum.Enum):
    """Where the content of a package's repository came from."""

    WORKSPACE = "workspace"
    OVERRIDE = "override"
    LOCAL = "local"
    VENDORED = "vendored"
    OUTPUT_BASE = "output-base"
    OVERLAY = "overlay"
    DRY_RUN = "dry-run"
    MODEL = "model"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class LoadedFile:
    """One `load()` of a package, direct or transitive, and what became of it."""

    label: Label
    location: Location
    provenance: Provenance
    unknown: Unknown | None = None


@dataclass(frozen=True, slots=True)
class RepositoryDefinition:
    """One definition of an external repository, as WORKSPACE evaluation made it.

    `attributes` holds the call's arguments as plain values (urls, sha256, build_file...).
    `shadowed` are definitions of the same name that did not count, and why is in each
    one's place in WORKSPACE order.
    """

    name: str
    rule_class: str
    attributes: Mapping[str, object]
    location: Location
    call_stack: CallStack
    shadowed: tuple[RepositoryDefinition, ...] = ()


@dataclass(frozen=True, slots=True)
class Repository:
    """An external repository: its definition, and where its content is found."""

    name: str
    definition: RepositoryDefinition | None
    provenance: Provenance
    root: str | None = None
    """The directory of its files, where there is one on this machine."""
    build_file: Label | None = None
    """The overlay laid over its root package, where there is one."""
    unknown: Unknown | None = None


@dataclass(frozen=True, slots=True)
class UnreadRegistration(Unknown):
    """What may register something, and cannot be read: a pattern, or the call of one of the
    `functions` of a file, most of which register nothing. `rule_set` is the repository whose file
    would tell; empty where that is not known."""

    rule_set: str = ""
    functions: tuple[str, ...] = ()


def unread(unknown: Unknown, rule_set: str, functions: tuple[str, ...] = ()) -> UnreadRegistration:
    """Returns what cannot be told as the registration of a rule set, by one of the `functions`."""
    subject, detail = unknown.subject, unknown.detail
    return UnreadRegistration(
        unknown.reason, subject, detail, unknown.location, rule_set, functions
    )
