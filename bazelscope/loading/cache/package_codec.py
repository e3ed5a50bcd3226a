"""Packages as bytes for the cache: `marshal` of plain tuples, read back without running code."""

from __future__ import annotations

import gc
import marshal
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from operator import eq
from typing import Any, NamedTuple

from bazelscope.base.label import Label, PackageId
from bazelscope.base.memoized import memoized
from bazelscope.base.unknown import Unknown
from bazelscope.bazel.attribute_types import (
    AspectAttribute,
    AttributeDefinition,
    AttributeType,
    Configured,
    ExecGroup,
    RuleClass,
    ToolchainRequirement,
)
from bazelscope.bazel.encoded_values import (
    ValueDecoder,
    decode_label,
    decode_stack,
    decode_unknown,
    encode_unknown,
    encode_value,
)
from bazelscope.bazel.rule_classes import NativeRules
from bazelscope.kept.pack import Pack, checksum
from bazelscope.loading.cache.diagnostic_codec import (
    decode_diagnostic,
    encode_diagnostic,
    encode_stack,
)
from bazelscope.loading.packages.macro_homes import encode_home
from bazelscope.loading.packages.package_data import (
    KeptPackage,
    PackageData,
    PackageFacts,
    load_of,
    load_row,
)
from bazelscope.loading.packages.targets import Provenance

_CLASS = "class"
_PLAIN = 2
"""The newest form of `marshal` in which equal values are written alike."""
_NOTHING = ValueDecoder(lambda number: ())


class ClassTable:
    """The rule classes of many packages, each written once. Native ones go by their name."""

    def __init__(self, rules: NativeRules, pack: Pack) -> None:
        self._rules = rules
        self._pack = pack
        self._decoded: dict[bytes, RuleClass] = {}
        self._encoded: dict[int, tuple[RuleClass, str | bytes]] = {}
        self._there: set[str | bytes] = set()

    def encode(self, rule_class: RuleClass) -> str | bytes:
        """The key under which the class is found again."""
        known = self._encoded.get(id(rule_class))
        if known is not None:
            return known[1]
        key: str | bytes
        if rule_class.is_known and self._rules.get(rule_class.name) is rule_class:
            key = rule_class.name
        else:
            data = marshal.dumps(_class_data(rule_class), _PLAIN)
            key = checksum(data)
            self._pack.put((_CLASS, key.hex()), data)
        self._encoded[id(rule_class)] = (rule_class, key)
        return key

    def data(self, key: str | bytes) -> bytes:
        """What is kept of a class under its key: nothing of a native one."""
        kept = None if isinstance(key, str) else self._pack.get((_CLASS, key.hex()))
        return kept or b""

    def require(self, keys: Iterable[str | bytes]) -> None:
        """Raises `KeyError` where one of the classes of a package is not here."""
        if not self._there.issuperset(keys):
            for key in keys:
                if not isinstance(key, str) and not self.data(key):
                    raise KeyError(key)
                self._there.add(key)

    @memoized
    def decode_all(self, keys: tuple[str | bytes, ...]) -> tuple[RuleClass, ...]:
        """The classes of keys: most packages have the same ones."""
        return tuple(map(self.decode, keys))

    def decode(self, key: str | bytes) -> RuleClass:
        """The class of a key. Raises `KeyError` for one that is not here."""
        if isinstance(key, str):
            return self._rules.get(key)
        rule_class = self._decoded.get(key)
        if rule_class is None:
            data = self.data(key)
            if not data:
                raise KeyError(key)
            rule_class = self._decoded[key] = _class_of(marshal.loads(data))
        return rule_class


def encode_package(data: PackageData, classes: ClassTable) -> bytes:
    """The package as bytes; its rule classes go into `classes`. What only its targets need is in
    a part of its own, compressed, and so is what a graph that is kept does without: it goes by
    most packages without looking at one."""
    head = (
        data.build_file.name,
        data.path,
        data.defaults,
        tuple([tuple(package) for package in data.subpackages]),
        None if data.may_lack is None else encode_unknown(data.may_lack),
        None if data.may_declare is None else encode_unknown(data.may_declare),
        {stack: encode_home(home) for stack, home in data.homes.items()},
    )
    body = (tuple(data.targets.values()), data.stacks, data.generators)
    return marshal.dumps(
        (
            tuple(data.id),
            len(data.targets),
            data.provenance.value,
            tuple([load_row(loaded) for loaded in data.loads]),
            tuple(map(encode_diagnostic, data.diagnostics)),
            tuple(map(encode_unknown, data.unknowns)),
            tuple(map(classes.encode, data.classes)),
            marshal.dumps(tuple(data.targets)),
            marshal.dumps(head),
            zlib.compress(marshal.dumps(body), 1),
            zlib.compress(marshal.dumps(data.frames), 1),
        )
    )


def are_alike(one: bytes, other: bytes) -> bool:
    """Whether two packages that `encode_package` wrote are equal. Their bytes may differ all the
    same: `marshal` writes what is there twice as it is there, and that hangs on what a process has
    made before."""
    return one == other or _plain(one) == _plain(other)


def _plain(content: bytes) -> bytes:
    *parts, names, head, body, frames = _load(content)
    unpacked = (
        _load(names),
        _load(head),
        _load(zlib.decompress(body)),
        _load(zlib.decompress(frames)),
    )
    return marshal.dumps((parts, unpacked), _PLAIN)


def changed_targets(one: bytes, other: bytes) -> frozenset[str] | None:
    """Returns which targets differ between two packages that `encode_package` wrote, by more than
    their places and the macros that made them; None where there is more that differs."""
    (rest, classes, before), (rest_of_other, other_classes, now) = _parts(one), _parts(other)
    if rest != rest_of_other or not all(map(eq, classes, other_classes)):
        return None  # Targets have the numbers of their classes.
    names = before.keys() | now.keys()
    return frozenset([name for name in names if before.get(name) != now.get(name)])


def _parts(content: bytes) -> tuple[bytes, tuple[str | bytes, ...], dict[str, Any]]:
    """Returns what a package says besides targets, its classes, and its targets."""
    package, _, provenance, load_rows, *said, classes, names, head, body, _ = _load(content)
    rest = package, provenance, _without_places(load_rows), said, _load(head)
    targets, _, _ = _load(zlib.decompress(body))
    return marshal.dumps(rest, _PLAIN), classes, dict(zip(_load(names), targets, strict=True))


class MovedLines(NamedTuple):
    """A BUILD file, and for each of its lines that has code the number that it has now."""

    path: str
    lines: Mapping[int, int]


def with_moved_lines(content: bytes, classes: ClassTable, moved: MovedLines) -> bytes | None:
    """Returns a package that `encode_package` wrote as it is where lines of its BUILD file have
    moved; None where more than its targets and loads may tell lines of that."""
    package, size, provenance, load_rows, *said, keys, names, head, body, frames = _load(content)
    _, path, *others = _load(head)
    file = moved.path.encode("utf-8", "surrogatepass")
    others = marshal.dumps((said, others)), zlib.decompress(body), *map(classes.data, keys)
    if path != moved.path or any(file in one for one in others):
        return None
    lines = moved.lines
    try:
        load_rows = tuple(
            [
                (label, (at, lines[line], column) if at == path else (at, line, column), *rest)
                for label, (at, line, column), *rest in load_rows
            ]
        )
        frames = tuple(
            [
                (name, at, lines[line], column) if at == path else (name, at, line, column)
                for name, at, line, column in _load(zlib.decompress(frames))
            ]
        )
    except KeyError:
        return None
    places = zlib.compress(marshal.dumps(frames), 1)
    own = package, size, provenance, load_rows, *said, keys, names, head, body, places
    return marshal.dumps(own)


def decode_package(content: bytes, classes: ClassTable) -> KeptPackage:
    """The package that `encode_package` wrote."""
    package, size, provenance, load_rows, diagnostics, unknowns, *rest = _load(content)
    class_keys, encoded_names, encoded, body, places = rest
    classes.require(class_keys)
    read: list[PackageData] = []

    def names() -> tuple[str, ...]:
        return marshal.loads(encoded_names)  # type: ignore[no-any-return]

    def own_classes() -> tuple[RuleClass, ...]:
        return classes.decode_all(class_keys)

    def head() -> PackageData:
        if not read:
            read.append(_head_of(kept, encoded))
        return read[0]

    def whole() -> PackageData:
        targets, stacks, generators = _load(zlib.decompress(body))
        return replace(
            head(),
            targets=dict(zip(names(), targets, strict=True)),
            stacks=stacks,
            frames=_load(zlib.decompress(places)),
            generators=generators,
        )

    kept = KeptPackage(
        PackageId(*package),
        size,
        Provenance(provenance),
        load_rows,
        tuple([decode_diagnostic(problem) for problem in diagnostics]),
        tuple([decode_unknown(unknown) for unknown in unknowns]),
        names,
        own_classes,
        head,
        whole,
    )
    return kept


_NOWHERE = ("", 0, 0)
"""Where a file is loaded does not count, and many packages differ by that alone."""


def counts_in(content: bytes) -> tuple[int, bytes]:
    """How many targets a package has that `encode_package` wrote, and what else is counted."""
    _, size, provenance, load_rows, *wrong = _load(content)[:6]
    return size, marshal.dumps((provenance, _without_places(load_rows), *wrong), _PLAIN)


def _without_places(load_rows: Iterable[tuple[Any, ...]]) -> tuple[tuple[Any, ...], ...]:
    return tuple([(label, _NOWHERE, origin, unknown) for label, _, origin, unknown in load_rows])


def decode_facts(encoded: bytes) -> PackageFacts:
    """What `counts_in` took from a package."""
    provenance, load_rows, diagnostics, unknowns = marshal.loads(encoded)
    return PackageFacts(
        Provenance(provenance),
        load_rows,
        tuple([decode_diagnostic(problem) for problem in diagnostics]),
        tuple([decode_unknown(unknown) for unknown in unknowns]),
    )


def _head_of(kept: KeptPackage, encoded: bytes) -> PackageData:
    """The package without its targets."""
    build_file, path, defaults, subpackages, *doubts, homes = _load(encoded)
    may_lack, may_declare = doubts
    return PackageData(
        id=kept.id,
        build_file=Label(*kept.id, build_file),
        path=path,
        targets={},
        classes=kept.classes(),
        stacks=(),
        frames=(),
        generators={},
        defaults=defaults,
        loads=tuple(map(load_of, kept.load_rows)),
        diagnostics=kept.diagnostics,
        unknowns=kept.unknowns,
        provenance=kept.provenance,
        subpackages=tuple([PackageId(*below) for below in subpackages]),
        may_lack=None if may_lack is None else decode_unknown(may_lack),
        may_declare=None if may_declare is None else decode_unknown(may_declare),
        homes=homes,
    )


def _load(content: bytes) -> Any:
    """`marshal.loads` without the garbage collector, which would walk again and again through
    the thousands of tuples that it makes, none of which is garbage."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        return marshal.loads(content)
    finally:
        if was_enabled:
            gc.enable()


def _class_data(rule_class: RuleClass) -> tuple[Any, ...]:
    attributes = tuple(
        [
            (
                attribute.name,
                attribute.type.value,
                encode_value(attribute.default),
                attribute.mandatory,
                attribute.configurable,
                attribute.configured.value,
                attribute.nodep,
                attribute.executable,
                attribute.transition,
                attribute.aspects,
                attribute.computed_default,
                attribute.is_sorted,
                attribute.allowed,
            )
            for attribute in rule_class.attributes.values()
        ]
    )
    return (
        rule_class.name,
        attributes,
        encode_stack(rule_class.defined_at),
        rule_class.is_known,
        rule_class.is_executable,
        rule_class.is_test,
        rule_class.is_build_setting,
        rule_class.is_flag,
        rule_class.is_repeatable,
        rule_class.keeps_toolchains,
        rule_class.transition,
        tuple([_aspect_data(one) for one in rule_class.aspect_attributes]),
        tuple([_requirement_data(requirement) for requirement in rule_class.toolchains]),
        tuple(map(str, rule_class.constraints)),
        tuple([_group_data(group) for group in rule_class.exec_groups]),
    )


def _group_data(group: ExecGroup) -> tuple[Any, ...]:
    toolchains = tuple(map(_requirement_data, group.toolchains))
    return (group.name, toolchains, tuple(map(str, group.constraints)))


def _group_of(data: tuple[Any, ...]) -> ExecGroup:
    name, toolchains, constraints = data
    return ExecGroup(
        name, tuple(map(_requirement_of, toolchains)), tuple(map(decode_label, constraints))
    )


def _aspect_data(attribute: AspectAttribute) -> tuple[Any, ...]:
    labels = tuple(map(str, attribute.labels))
    return (attribute.name, attribute.type.value, labels, attribute.configured.value)


def _aspect_attribute_of(data: tuple[Any, ...]) -> AspectAttribute:
    name, kind, labels, configured = data
    decoded = tuple(map(decode_label, labels))
    return AspectAttribute(name, AttributeType(kind), decoded, Configured(configured))


def _requirement_data(requirement: ToolchainRequirement | Unknown) -> tuple[Any, ...]:
    if isinstance(requirement, Unknown):
        return (encode_unknown(requirement),)
    return (str(requirement.type), requirement.mandatory)


def _requirement_of(data: tuple[Any, ...]) -> ToolchainRequirement | Unknown:
    if len(data) == 1:
        return decode_unknown(data[0])
    return ToolchainRequirement(decode_label(data[0]), data[1])


def _class_of(data: tuple[Any, ...]) -> RuleClass:
    name, attributes, defined_at, *plain = data[:-4]
    aspect_attributes, toolchains, constraints, groups = data[-4:]
    decoded: list[Any] = [
        tuple(map(_aspect_attribute_of, aspect_attributes)),
        tuple(map(_requirement_of, toolchains)),
        tuple(map(decode_label, constraints)),
        tuple(map(_group_of, groups)),
    ]
    definitions = {row[0]: _definition_of(row) for row in attributes}
    return RuleClass(name, definitions, decode_stack(defined_at), *plain, *decoded)


def _definition_of(data: tuple[Any, ...]) -> AttributeDefinition:
    name, kind, default, mandatory, configurable, configured, *plain = data
    return AttributeDefinition(
        name,
        AttributeType(kind),
        _NOTHING.value(default, AttributeType.UNKNOWN),
        mandatory,
        configurable,
        Configured(configured),
        *plain,
    )
