"""An evaluated package in encoded form, and its targets, read out of that.

The encoded form is made of what `marshal` can write: the on-disk cache stores it as it is.
Targets are decoded one by one, when somebody asks for them.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import field
from itertools import count
from typing import NamedTuple, TypeGuard

from bazelscope.base.errors import Diagnostic
from bazelscope.base.label import Label, PackageId
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import CallStack, Frame, Location
from bazelscope.base.unknown import Unknown
from bazelscope.bazel.attribute_types import DEFAULT_CONDITION, RuleClass
from bazelscope.bazel.encoded_values import (
    Encoded,
    ValueDecoder,
    decode_label,
    decode_stack,
    decode_unknown,
    encode_unknown,
    selects_in,
)
from bazelscope.loading.packages.attributes import LazyAttributes
from bazelscope.loading.packages.encoded_targets import (
    ENVIRONMENTS,
    INPUT,
    OUTPUT,
    RULE,
    TargetData,
    class_number,
    computed_values,
    explicit_values,
    generating_rule,
    group_defaults,
    group_environments,
    group_includes,
    group_packages,
    is_exported,
    output_names,
    own_visibility,
    shape_of,
    stack_of,
)
from bazelscope.loading.packages.macro_homes import HomeData
from bazelscope.loading.packages.targets import (
    EnvironmentGroup,
    InputFile,
    LoadedFile,
    OutputFile,
    PackageGroup,
    Provenance,
    Rule,
    Target,
)

COMPATIBLE, RESTRICTED = "compatible_with", "restricted_to"
OF_ENVIRONMENTS = (COMPATIBLE, RESTRICTED)
"""The attributes that say for which environments a rule is. What a package says of them is no
attribute of its rules. Bazel: `DependencyResolver`."""
_NOT_INHERITED = ("features", *OF_ENVIRONMENTS)
FrameData = tuple[str, str, int, int]
"""Function, path, line, column."""


_VISIBLE_TO_ALL, _VISIBLE_TO_NONE = ("//visibility:public",), ("//visibility:private",)


@dataclass(frozen=True, slots=True)
class PackageData:
    """One evaluated BUILD file. `stacks` are call stacks as numbers of `frames`;
    `generators` gives, for rules that macros made, the macro's name and the `name` it was
    called with; `defaults` are the values that `package()` set for every rule."""

    id: PackageId
    build_file: Label
    path: str
    targets: dict[str, TargetData]
    classes: tuple[RuleClass, ...]
    stacks: tuple[tuple[int, ...], ...]
    frames: tuple[FrameData, ...]
    generators: dict[int, tuple[str, str | None]]
    """By stack number of the rule."""
    defaults: dict[str, Encoded]
    loads: tuple[LoadedFile, ...]
    diagnostics: tuple[Diagnostic, ...]
    unknowns: tuple[Unknown, ...]
    provenance: Provenance
    subpackages: tuple[PackageId, ...] = ()
    may_lack: Unknown | None = None
    may_declare: Unknown | None = None
    homes: dict[int, HomeData] = field(default_factory=dict)
    """By stack number, of what symbolic macros declare."""
    places: Mapping[str, Location] = field(default_factory=dict)
    """Of rules that do not stand where their call stacks begin: those of `//external`, which
    is made anew by every run and never kept."""


LoadRow = tuple[str, tuple[str, int, int], str, Encoded]
"""A loaded file as it is kept: its label, the place of the `load()`, its provenance, and what is
unknown of it."""


class PackageFacts(NamedTuple):
    """What is counted of a package that a question only comes by, beside its targets."""

    provenance: Provenance
    load_rows: Iterable[LoadRow]
    diagnostics: tuple[Diagnostic, ...]
    unknowns: tuple[Unknown, ...]


class KeptPackage(NamedTuple):
    """A package as an earlier run has kept it. Of one that a question only comes by, this much is
    counted; what a graph goes by are the `names` of its targets and their `classes`; `head` has
    what else there is to know but for the targets, which are in `whole`. Each is read where
    somebody looks at it."""

    id: PackageId
    size: int
    """How many targets it has."""
    provenance: Provenance
    load_rows: tuple[LoadRow, ...]
    diagnostics: tuple[Diagnostic, ...]
    unknowns: tuple[Unknown, ...]
    names: Callable[[], Iterable[str]]
    classes: Callable[[], tuple[RuleClass, ...]]
    head: Callable[[], PackageData]
    whole: Callable[[], PackageData]


def load_row(loaded: LoadedFile) -> LoadRow:
    """The loaded file as `load_of` reads it."""
    unknown = None if loaded.unknown is None else encode_unknown(loaded.unknown)
    path, line, column = loaded.location
    return (str(loaded.label), (path, line, column), loaded.provenance.value, unknown)


def load_of(row: LoadRow) -> LoadedFile:
    """The loaded file that `load_row` wrote."""
    label, location, provenance, unknown = row
    return LoadedFile(
        decode_label(label),
        Location(*location),
        Provenance(provenance),
        None if unknown is None else decode_unknown(unknown),
    )


def labels_of(texts: Encoded) -> tuple[Label, ...]:
    """The labels that an encoded list holds; none of one that is unknown as a whole."""
    if type(texts) is not tuple:
        return ()
    return tuple([decode_label(text) for text in texts if type(text) is str])


def is_wholly_known(texts: object) -> TypeGuard[tuple[str, ...]]:
    """Whether all labels of an encoded list can be told."""
    return type(texts) is tuple and all(type(text) is str for text in texts)


class _Frames(dict[int, Frame]):
    """The frames of a package, each decoded once: many stacks share them."""

    __slots__ = ("_encoded",)

    def __init__(self, encoded: Callable[[], tuple[FrameData, ...]]) -> None:
        super().__init__()
        self._encoded = encoded

    def __missing__(self, number: int) -> Frame:
        (frame,) = decode_stack((self._encoded()[number],))
        self[number] = frame
        return frame


class LazyTargets(Mapping[str, Target]):
    """The targets of a package by name, in the order in which they were declared."""

    __slots__ = (
        *("_classes_of", "_decoded", "_frames", "_names", "_numbers", "_own_classes", "_size"),
        *("_stacks", "_values", "_whole", "_written"),
    )

    def __init__(
        self,
        whole: Callable[[], PackageData],
        names: Callable[[], Iterable[str]],
        classes: Callable[[], tuple[RuleClass, ...]],
        size: int,
    ) -> None:
        """`whole` gives the package when a target is first looked at; to know the `names` and
        the `classes` does not take it, and to know how many there are, nothing."""
        self._whole = whole
        self._names = names
        self._classes_of = classes
        self._size = size
        self._numbers: dict[str, int] | None = None
        self._own_classes: tuple[RuleClass, ...] | None = None
        self._written: PackageData | None = None
        self._decoded: dict[str, Target] = {}

    @property
    def _data(self) -> PackageData:
        written = self._written
        if written is None:
            written = self._written = self._whole()
            # Of thousands of packages that a walk comes by, few get here.
            self._stacks: dict[int, CallStack] = {}
            self._frames = _Frames(lambda: self._data.frames)
            self._values = ValueDecoder(self._stack)
        return written

    @property
    def numbers(self) -> dict[str, int]:
        """The place of each target among all, by name."""
        if self._numbers is None:
            self._numbers = dict(zip(self._names(), count()))
        return self._numbers

    @property
    def _classes(self) -> tuple[RuleClass, ...]:
        if self._own_classes is None:
            self._own_classes = self._classes_of()
        return self._own_classes

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[str]:
        return iter(self.numbers)

    def __contains__(self, name: object) -> bool:
        return name in self.numbers

    def __getitem__(self, name: str) -> Target:
        target = self._decoded.get(name)
        if target is None:
            if name not in self.numbers:
                raise KeyError(name)
            target = self._decoded[name] = self._decode(name, self._data.targets[name])
        return target

    def kind(self, name: str) -> str:
        """The kind of a target (`cc_library rule`), without decoding it."""
        target = self._data.targets[name]
        shape = shape_of(target)
        if shape == RULE:
            return f"{self._classes[class_number(target)].name} rule"
        return ("", "source file", "generated file", "package group", "environment group")[shape]

    def is_rule(self, name: str) -> bool:
        return shape_of(self._data.targets[name]) == RULE

    def encoded(self, name: str) -> TargetData | None:
        """A target as it is kept; None if there is none."""
        return self._data.targets.get(name)

    def class_of(self, rule: TargetData) -> RuleClass:
        """The class of an encoded rule."""
        return self._classes[class_number(rule)]

    def class_numbered(self, number: int) -> RuleClass:
        """The class of the rules that have this number in their packages."""
        return self._classes[number]

    def inherited(self, rule: TargetData) -> dict[str, Encoded]:
        """What a rule has without having been given it: the `package()`'s values, what
        loading computed, and a visibility."""
        defined = self.class_of(rule).attributes
        written = {name for name, _ in explicit_values(rule)}
        attributes = dict(computed_values(rule))
        for name, value in self._data.defaults.items():
            if name not in written and name in defined and name not in _NOT_INHERITED:
                attributes[name] = value
        if stack_of(rule) in self._data.homes:
            attributes.pop("visibility", None)  # a package's default is none of a macro's
        if "visibility" not in written:
            own = defined.get("visibility")
            if own is not None and own.default:
                # Seen by all, whatever the package says. Bazel: `ConfigSettingVisibilityPolicy`.
                attributes["visibility"] = _VISIBLE_TO_ALL
            attributes.setdefault("visibility", _VISIBLE_TO_NONE)
        return attributes

    def generator(self, rule: TargetData) -> tuple[str, str | None] | None:
        """The macro that made an encoded rule, and the `name` that it was given."""
        return self._data.generators.get(stack_of(rule))

    def rules_of(self, classes: Container[str]) -> Iterator[Rule]:
        """The rules of certain classes, in written order, without decoding anything else."""
        return self._rules_of({n for n, c in enumerate(self._classes) if c.name in classes})

    def environment_groups(self) -> Iterator[EnvironmentGroup]:
        """Its groups of environments, without decoding anything else."""
        for name, target in self._data.targets.items():
            if shape_of(target) == ENVIRONMENTS:
                group = self[name]
                if isinstance(group, EnvironmentGroup):
                    yield group

    def of_unknown_classes(self) -> Iterator[Rule]:
        """The rules whose classes nobody can tell, without decoding anything else."""
        return self._rules_of({n for n, c in enumerate(self._classes) if not c.is_known})

    def _rules_of(self, numbers: set[int]) -> Iterator[Rule]:
        for name, target in self._data.targets.items() if numbers else ():
            if shape_of(target) == RULE and class_number(target) in numbers:
                rule = self[name]
                assert isinstance(rule, Rule)
                yield rule

    def select_keys(self) -> Iterator[tuple[str, tuple[Label, ...]]]:
        """For each select() of each rule, the rule's name and the conditions among the keys,
        without decoding anything else."""
        known: dict[tuple[str, ...], tuple[Label, ...]] = {}
        for name, target in self._data.targets.items():
            if shape_of(target) == RULE:
                for _, value in explicit_values(target):
                    for branches in selects_in(value):
                        texts = tuple([condition for condition, _ in branches])
                        keys = known.get(texts)
                        if keys is None:
                            labels = [decode_label(text) for text in texts]
                            keys = tuple([one for one in labels if one != DEFAULT_CONDITION])
                            known[texts] = keys
                        yield name, keys

    def _decode(self, name: str, target: TargetData) -> Target:
        data = self._data
        label = Label(data.id.repository, data.id.package, name)
        shape = shape_of(target)
        if shape == RULE:
            return self._rule(label, target)
        place = self._location(stack_of(target))
        if shape == INPUT:
            seen_by = own_visibility(target)
            # One that may see it and cannot be told may be anybody.
            visibility = labels_of(seen_by) if is_wholly_known(seen_by) else None
            return InputFile(label, place, is_exported=is_exported(target), visibility=visibility)
        if shape == OUTPUT:
            return OutputFile(label, label.sibling(generating_rule(target)), place)
        if shape == ENVIRONMENTS:
            environments = labels_of(group_environments(target))
            return EnvironmentGroup(label, environments, labels_of(group_defaults(target)), place)
        includes = labels_of(group_includes(target))
        return PackageGroup(label, group_packages(target), includes, place)

    def _rule(self, label: Label, target: TargetData) -> Rule:
        data = self._data
        rule_class = self.class_of(target)
        explicit, stack = explicit_values(target), stack_of(target)
        generator = data.generators.get(stack)
        call_stack = self._stack(stack)
        return Rule(
            label,
            rule_class,
            LazyAttributes(rule_class, explicit, self.inherited(target), self._values),
            tuple(label.sibling(output) for output in output_names(target)),
            data.places.get(label.name) or self._location(stack),
            call_stack,
            generator[1] or label.name if generator else None,
            generator[0] if generator else None,
        )

    def _stack(self, number: int) -> CallStack:
        frames = self._stacks.get(number)
        if frames is None:
            numbers = self._data.stacks[number] if number >= 0 else ()
            frames = self._stacks[number] = tuple([self._frames[index] for index in numbers])
        return frames

    def _location(self, stack: int) -> Location:
        frames = self._stack(stack)
        return frames[0].location if frames else Location(self._data.path, 1, 1)
