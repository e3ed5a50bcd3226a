"""Attribute values after loading: what a rule's attribute holds before selects resolve.

A plain value is `str`, `int`, `bool`, `Label`, a tuple of those, a `DictValue`, or an
`Unknown`. Where a BUILD file says `a + select({...}) + b`, it is a `SelectorList` whose
parts are plain values and `Selector`s in order. Bazel: `BuildType.SelectorList`.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import cast

from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.named_tuple import NamedTuple
from bazelscope.base.source import CallStack, Location
from bazelscope.base.unknown import Unknown

DEFAULT_CONDITION = Label("", "conditions", "default")


class AttributeType(enum.Enum):
    """Bazel's attribute types, by the names that `bazel info build-language` prints."""

    BOOLEAN = "boolean"
    DISTRIBUTION_SET = "distribution_set"
    INTEGER = "integer"
    INTEGER_LIST = "integer_list"
    LABEL = "label"
    LABEL_DICT_UNARY = "label_dict_unary"
    LABEL_KEYED_STRING_DICT = "label_keyed_string_dict"
    LABEL_LIST = "label_list"
    LABEL_LIST_DICT = "label_list_dict"
    LICENSE = "license"
    OUTPUT = "output"
    OUTPUT_LIST = "output_list"
    STRING = "string"
    STRING_DICT = "string_dict"
    STRING_KEYED_LABEL_DICT = "string_keyed_label_dict"
    STRING_LIST = "string_list"
    STRING_LIST_DICT = "string_list_dict"
    TRISTATE = "tristate"
    UNKNOWN = "unknown"
    """An attribute of a rule whose class is not known: strings stay strings, and those
    that look like labels count as labels."""


OUTPUT_TYPES = frozenset({AttributeType.OUTPUT, AttributeType.OUTPUT_LIST})
"""Attributes that name files which the rule makes; they are never select()s."""
INPUT_TYPES = frozenset(one for one in AttributeType if "label" in one.value)
"""Attributes that name targets."""
LABEL_TYPES = INPUT_TYPES | OUTPUT_TYPES
DICT_TYPES = frozenset(one for one in AttributeType if "dict" in one.value)


@dataclass(frozen=True, slots=True)
class DictValue:
    """A dictionary attribute; keys are strings or labels, in written order."""

    items: tuple[tuple[str | Label, object], ...]


def labels_in(value: object) -> Iterator[Label]:
    """The labels of a plain attribute value."""
    if isinstance(value, Label):
        yield value
    elif isinstance(value, tuple):
        for element in value:
            if isinstance(element, Label):
                yield element
            elif isinstance(element, tuple | DictValue):
                yield from labels_in(element)
    elif isinstance(value, DictValue):
        for key, element in value.items:
            if isinstance(key, Label):
                yield key
            yield from labels_in(element)


@dataclass(frozen=True, slots=True)
class Branch:
    """One entry of a select: the condition as a label, and a plain value (None: default)."""

    condition: Label
    value: object

    @property
    def is_default(self) -> bool:
        return self.condition == DEFAULT_CONDITION


@dataclass(frozen=True, slots=True)
class Selector:
    """One `select()`, its branches in written order, and where it was called."""

    branches: tuple[Branch, ...]
    no_match_error: str = ""
    call_stack: CallStack = ()

    @property
    def location(self) -> Location | None:
        """Where it was called, if a file says so."""
        return self.call_stack[-1].location if self.call_stack else None


@dataclass(frozen=True, slots=True)
class SelectorList:
    """`a + select(...) + b`: the parts, in order."""

    parts: tuple[object, ...]


def with_labels(value: object, changed: Callable[[Label], Label]) -> object:
    """The value with each label in it changed, those of conditions among them."""
    if isinstance(value, Label):
        return changed(value)
    if isinstance(value, tuple):
        return tuple([with_labels(element, changed) for element in value])
    if isinstance(value, SelectorList):
        return SelectorList(tuple([with_labels(part, changed) for part in value.parts]))
    if isinstance(value, Selector):
        branches = [
            Branch(changed(branch.condition), with_labels(branch.value, changed))
            for branch in value.branches
        ]
        return replace(value, branches=tuple(branches))
    if isinstance(value, DictValue):
        items = with_labels(value.items, changed)
        return DictValue(cast("tuple[tuple[str | Label, object], ...]", items))
    return value


def parts_of(value: object) -> tuple[object, ...]:
    """The parts of a value, in order: what is no sum is its own only part."""
    return value.parts if isinstance(value, SelectorList) else (value,)


def selectors_of(value: object) -> Iterator[Selector]:
    """The `select()`s that a value is a sum of."""
    return (part for part in parts_of(value) if isinstance(part, Selector))


class Configured(enum.Enum):
    """The configuration in which an attribute's targets are built."""

    TARGET = "target"
    EXEC = "exec"
    """`cfg = "exec"`, and `exec_tools` of a genrule."""
    HOST = "host"
    """`cfg = "host"`, and `tools` of a genrule; the same as `EXEC` since Bazel 6."""
    TRANSITION = "transition"
    """A Starlark or built-in transition; `AttributeDefinition.transition` is its name. Of what is
    for `EXEC`, it is the name of the execution group, if it is not the rule's own."""
    NONE = "none"


@dataclass(frozen=True, slots=True)
class AttributeDefinition:
    """What a rule class says about one attribute."""

    name: str
    type: AttributeType
    default: object = None
    mandatory: bool = False
    configurable: bool = True
    configured: Configured = Configured.TARGET
    nodep: bool = False
    """Its labels are no dependencies (`visibility`)."""
    executable: bool = False
    transition: str | None = None
    aspects: tuple[str, ...] = ()
    computed_default: bool = False
    is_sorted: bool = False
    """Bazel keeps its list in order when it loads a rule (`orderIndependent`); selects stay as
    they were written."""
    allowed: tuple[str | int, ...] = ()
    """The only values that it may have (`attr.string(values = ...)`); empty: any."""

    @property
    def is_implicit(self) -> bool:
        """Whether BUILD files cannot set it (`$x`, `:x`, and `_x` of Starlark rules)."""
        return self.name[:1] in "$:_"


@dataclass(frozen=True, slots=True)
class ToolchainRequirement:
    """A toolchain type that a rule asks for."""

    type: Label
    mandatory: bool = True


class ExecGroup(NamedTuple):
    """An execution group: what runs on a platform of its own. The rule's own has no name."""

    name: str
    toolchains: tuple[ToolchainRequirement | Unknown, ...]
    constraints: tuple[Label, ...]


class AspectAttribute(NamedTuple):
    """An attribute of an aspect that some attribute of a rule carries, with what it holds.

    `name` is empty for those of native rules' aspects, of which the labels alone are known.
    """

    name: str
    type: AttributeType
    labels: tuple[Label, ...]
    configured: Configured = Configured.TARGET


KEEPS_TOOLCHAINS = "incompatible_use_toolchain_transition"
"""The argument of `rule()` and `aspect()` that has toolchains keep the configuration."""


@dataclass(frozen=True, slots=True, weakref_slot=True)
class RuleClass:
    """A kind of rule: `cc_library`, or what `rule()` returned."""

    name: str
    attributes: Mapping[str, AttributeDefinition]
    defined_at: CallStack = ()
    """Where `rule()` was called; empty for a native rule."""
    is_known: bool = True
    """False for a symbol of an unknown file that was called like a rule."""
    is_executable: bool = False
    is_test: bool = False
    is_build_setting: bool = False
    is_flag: bool = False
    """A build setting that the command line may set."""
    is_repeatable: bool = False
    """A flag of which every setting on the command line counts, not the last alone."""
    keeps_toolchains: bool = False
    """Whether its toolchains have the configuration of a target."""
    transition: str | None = None
    """Name of the rule-level `cfg` transition, if any."""
    aspect_attributes: tuple[AspectAttribute, ...] = ()
    """What the aspects of its attributes depend on by themselves."""
    toolchains: tuple[ToolchainRequirement | Unknown, ...] = ()
    """What `toolchains` of `rule()` and of its execution groups name, each once."""
    constraints: tuple[Label, ...] = ()
    """What `exec_compatible_with` of `rule()` names, as far as it can be told."""
    exec_groups: tuple[ExecGroup, ...] = ()
    """Its execution groups, after what the rule itself asks for; none where that is all."""

    @property
    def aspect_labels(self) -> tuple[Label, ...]:
        """The labels in `aspect_attributes`."""
        return tuple(label for one in self.aspect_attributes for label in one.labels)


@dataclass(frozen=True, slots=True)
class Attribute:
    """One attribute of one target. `value` is a plain value or a `SelectorList`."""

    name: str
    type: AttributeType
    value: object
    is_explicit: bool
    """Set by the BUILD file or a macro, as opposed to a default."""
