"""`struct`, `provider` and namespaces such as `attr` or `cc_common`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import ClassVar

from bazelscope import starlark
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.loading.evaluation.values.depsets import Depset
from bazelscope.loading.evaluation.values.symbolic_values import UnknownValue


class Struct(starlark.Value):
    """`struct(a = 1)`, and instances of providers."""

    starlark_type: ClassVar[str] = "struct"
    methods: ClassVar[tuple[str, ...]] = ("to_json", "to_proto")
    """dir() lists them. Measured: 0.24.1, 0.26.1, 2.1.0, 4.2.3."""
    __slots__ = ("_hash", "fields", "is_frozen", "missing", "provider")

    def __init__(self, fields: Mapping[str, object], provider: Provider | None = None) -> None:
        starlark.charge(len(fields) >> 3)
        self.fields = dict(fields)
        self.provider = provider
        self.is_frozen = False
        self.missing: Callable[[str], object] | None = None
        """Makes the fields that it lacks, where a model holds it; None: they are an error."""
        self._hash: int | None = None

    def get_attr(self, name: str) -> object:
        try:
            return self.fields[name]
        except KeyError:
            if name in self.methods:
                # How `to_proto` writes it nobody asks before analysis.
                write = starlark.json_encode if name == "to_json" else starlark.repr_of
                return starlark.Builtin(name, lambda: write(self))
            if self.missing is not None:
                return self.missing(name)
            raise AttributeError(name) from None

    def attr_names(self) -> Iterable[str]:
        return sorted(self.fields)

    @property
    def is_plain(self) -> bool:
        """Whether it is what a file makes, and holds its fields alone."""
        return type(self) in (Struct, BareStruct)

    def method_names(self) -> Iterable[str]:
        return self.methods

    def binary(self, op: str, other: object, reflected: bool) -> object:
        if op != "+" or not isinstance(other, Struct):
            return NotImplemented
        left, right = (other, self) if reflected else (self, other)
        if self.provider is not other.provider:
            names = [one.provider.shown if one.provider else "struct" for one in (left, right)]
            starlark.fail_with(
                "Cannot use '+' operator on instances of different providers"
                f" ({' and '.join(names)})"
            )
        starlark.charge(len(left.fields) + len(right.fields))
        common = left.fields.keys() & right.fields.keys()
        if common:
            raise ValueError(f"cannot add struct instances with common field '{min(common)}'")
        return type(self)({**left.fields, **right.fields}, self.provider)

    def freeze(self) -> None:
        if self.is_frozen:  # Structs share what they hold: each is walked once.
            return
        self.is_frozen = True
        for value in self.fields.values():
            starlark.freeze(value)

    def equals(self, other: object) -> bool:
        starlark.charge(len(self.fields) + 1)
        return (
            isinstance(other, Struct)
            and self.provider is other.provider
            and self.fields.keys() == other.fields.keys()
            and all(starlark.equals(self.fields[key], other.fields[key]) for key in self.fields)
        )

    def hash(self) -> int:
        if self._hash is None:  # What can be hashed never changes.
            starlark.charge(len(self.fields))
            hashes = sorted((name, starlark.hash_of_part(v)) for name, v in self.fields.items())
            self._hash = hash(tuple(hashes))
        return self._hash

    def to_repr(self) -> str:
        starlark.charge(len(self.fields) + 1)
        inside = ", ".join(f"{n} = {starlark.repr_of(v)}" for n, v in sorted(self.fields.items()))
        return f"struct({inside})"


def take_for_partial(value: object, missing: Callable[[str], object]) -> None:
    """Has `missing` make the fields that a struct of a model lacks, and those in its fields."""
    if isinstance(value, Struct) and value.is_plain and value.provider is None:
        value.missing = missing
        for one in value.fields.values():
            take_for_partial(one, missing)


class BareStruct(Struct):
    """A struct or an instance of a provider in a Bazel whose structs have no methods."""

    __slots__ = ()
    methods: ClassVar[tuple[str, ...]] = ()

    def hint_of(self, name: str) -> str | None:
        encoders = {"to_json": "json.encode", "to_proto": "proto.encode_text"}
        return f"write `{encoders[name]}(...)`" if name in encoders else None


def want_fields(value: object, what: str) -> dict[str, object]:
    """Returns `value` if it is a dict whose keys are texts; else fails as Bazel's `Dict.cast`."""
    if not isinstance(value, dict):
        starlark.fail_with(f"got {starlark.type_of(value)} for '{what}', want dict")
    for key, one in value.items():
        if not isinstance(key, str):
            kinds = f"{starlark.type_of(key)}, {starlark.type_of(one)}"
            starlark.fail_with(f"got dict<{kinds}> for '{what}', want dict<string, object>")
    return value


@dataclass(slots=True, eq=False, repr=False)
class Provider(starlark.Value):
    """What `provider()` returns: calling it makes an instance."""

    starlark_type: ClassVar[str] = "Provider"
    name: str = ""
    init: Callable[..., object] | None = None
    fields: frozenset[str] | None = None
    """What its instances may have; None: anything."""
    kind: type[Struct] = Struct
    file: Label | None = None
    """The file whose global variable it is; None for one of Bazel's own."""
    check: Callable[[tuple[object, ...], Mapping[str, object]], None] | None = None
    """Fails if a provider of Bazel's own does not take what it is called with."""

    def __call__(self, /, *arguments: object, **fields: object) -> object:
        if self.check is not None:
            self.check(arguments, fields)
        if self.init is not None:
            made = self.init(*arguments, **fields)
            if isinstance(made, UnknownValue):
                return made
            return self.raw(**want_fields(made, "return value of provider init()"))
        if arguments:
            raise TypeError(f"{self.name or 'provider'}: unexpected positional arguments")
        return self.raw(**fields)

    def raw(self, /, **fields: object) -> object:
        """The constructor that goes around `init`."""
        if self.fields is not None and not self.fields.issuperset(fields):
            unexpected = next(name for name in fields if name not in self.fields)
            raise TypeError(
                f"unexpected keyword '{unexpected}' in call to {self.name or 'provider'}"
            )
        return self.kind(fields, self)

    @property
    def shown(self) -> str:
        """The name as errors have it."""
        return self.name or starlark.global_name(self) or "<no name>"

    def to_repr(self) -> str:
        return f"<provider {self.name}>" if self.name else "<provider>"


class DefaultInfo(Provider):
    """Bazel's provider of that name."""

    __slots__ = ()

    def raw(self, /, **fields: object) -> object:
        return DefaultInstance(fields, self)


class DefaultInstance(Struct):
    """An instance of `DefaultInfo` before its target has it: `fields` are what it was made of,
    which it shows otherwise. Bazel: `DefaultInfo`. Measured: 0.26.1, 2.1.0, 4.2.3."""

    __slots__ = ()
    _SHOWN: ClassVar[tuple[str, ...]] = (
        *("data_runfiles", "default_runfiles", "files", "files_to_run"),
    )

    def get_attr(self, name: str) -> object:
        shown = {one: self.fields.get(one) for one in self._SHOWN}
        if shown["data_runfiles"] is None and shown["default_runfiles"] is None:
            runfiles = self.fields.get("runfiles")
            shown |= {"data_runfiles": runfiles, "default_runfiles": runfiles}
        return Struct(shown).get_attr(name)

    def attr_names(self) -> Iterable[str]:
        return self._SHOWN


class OpaqueProvider(Provider):
    """A provider of Bazel's own whose instances compute what they hold from what they are given:
    `member` makes what stands for each."""

    __slots__ = ("_member",)

    def __init__(self, name: str, member: Callable[[str], object]) -> None:
        super().__init__(name)
        self._member = member

    def __call__(self, /, *arguments: object, **fields: object) -> object:
        if self.check is not None:
            self.check(arguments, fields)
        return OpaqueInstance(self, self._member)


class OpaqueInstance(Struct):
    """An instance of an `OpaqueProvider`."""

    __slots__ = ("_member",)

    def __init__(self, provider: OpaqueProvider, member: Callable[[str], object]) -> None:
        super().__init__({}, provider)
        self._member = member

    def get_attr(self, name: str) -> object:
        assert self.provider is not None
        return self._member(f"{self.provider.name}.{name}")

    def equals(self, other: object) -> bool:
        return self is other

    def hash(self) -> int:
        return id(self)


@dataclass(slots=True, eq=False, repr=False)
class Namespace(starlark.Value):
    """A module of builtins: `attr`, `native`, `cc_common`. `missing` makes the members that
    bazelscope does not model (None: an unknown member is an error); `hints` says of a member that
    there is none of any more what to write instead."""

    starlark_type: ClassVar[str] = "struct"
    name: str
    members: Mapping[str, object]
    missing: Callable[[str], object] | None = None
    hints: Callable[[str], str | None] | None = None
    listed: Callable[[str], Collection[str] | None] | None = None
    """Tells all that the module has, modelled or not; None where that is not known."""

    def get_attr(self, name: str) -> object:
        member = self.members.get(name)
        if member is not None:
            return member
        if self.missing is None:
            raise AttributeError(name)
        return self.missing(f"{self.name}.{name}")

    def attr_names(self) -> Iterable[str]:
        return sorted(self.members)

    def dir_names(self) -> Iterable[str]:
        listed = self.listed(self.name) if self.listed is not None else None
        return self.attr_names() if listed is None else listed

    def hint_of(self, name: str) -> str | None:
        return self.hints(name) if self.hints is not None else None

    def to_repr(self) -> str:
        return f"<{self.name}>"


def struct_of(kind: type[Struct]) -> Callable[..., object]:
    """Returns the builtin `struct`, which makes values of that kind."""

    def struct(*arguments: object, **fields: object) -> object:
        if arguments:
            raise TypeError("struct() takes keyword arguments only")
        return kind(fields)

    return struct


_UNKNOWN_TEXT = "<unknown "


def unknown_in(value: object, only_texts: bool = False) -> Unknown | None:
    """What is unknown in a value, or in what it holds: unknown values (unless `only_texts`), and
    texts into which one was written."""
    pending, seen = [value], set()
    while pending:
        one = pending.pop()
        if isinstance(one, UnknownValue) and not only_texts:
            return one.as_unknown()
        if isinstance(one, str) and _UNKNOWN_TEXT in one:
            return Unknown(Reason.DEPENDS_ON_UNKNOWN, "a text", "something unknown is in it")
        if id(one) in seen:
            continue
        seen.add(id(one))
        if isinstance(one, dict):
            pending += [*one, *one.values()]
        elif isinstance(one, list | tuple):
            pending += one
        elif isinstance(one, Struct):
            pending += one.fields.values()
        elif isinstance(one, Depset):
            pending += one.depset_elements()
    return None
