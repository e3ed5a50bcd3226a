"""`struct`, `provider`, `depset` and namespaces such as `attr` or `cc_common`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

from bazelscope import starlark
from bazelscope.base.label import Label
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel.release import Release
from bazelscope.loading.evaluation.values.symbolic_values import UnknownValue


class Struct(starlark.Value):
    """`struct(a = 1)`, and instances of providers."""

    starlark_type: ClassVar[str] = "struct"
    __slots__ = ("_hash", "fields", "is_frozen", "provider")

    def __init__(self, fields: Mapping[str, object], provider: Provider | None = None) -> None:
        starlark.charge(len(fields) >> 3)
        self.fields = dict(fields)
        self.provider = provider
        self.is_frozen = False
        self._hash: int | None = None

    def get_attr(self, name: str) -> object:
        try:
            return self.fields[name]
        except KeyError:
            if name in ("to_json", "to_proto"):
                # How `to_proto` writes it nobody asks before analysis.
                write = starlark.json_encode if name == "to_json" else starlark.repr_of
                return starlark.Builtin(name, lambda: write(self))
            raise AttributeError(name) from None

    def attr_names(self) -> Iterable[str]:
        return sorted(self.fields)

    def binary(self, op: str, other: object, reflected: bool) -> object:
        if op != "+" or not isinstance(other, Struct) or self.provider is not other.provider:
            return NotImplemented
        left, right = (other, self) if reflected else (self, other)
        starlark.charge(len(left.fields) + len(right.fields))
        common = left.fields.keys() & right.fields.keys()
        if common:
            raise ValueError(f"cannot add struct instances with common field '{min(common)}'")
        return Struct({**left.fields, **right.fields}, self.provider)

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


class Provider(starlark.Value):
    """What `provider()` returns: calling it makes an instance."""

    starlark_type: ClassVar[str] = "Provider"
    __slots__ = ("fields", "file", "init", "name")

    def __init__(
        self,
        name: str = "",
        init: Callable[..., object] | None = None,
        fields: frozenset[str] | None = None,
    ) -> None:
        self.name = name
        self.file: Label | None = None
        """The file whose global variable it is; None for one of Bazel's own."""
        self.init = init
        self.fields = fields
        """What its instances may have; None: anything."""

    def __call__(self, *arguments: object, **fields: object) -> object:
        if self.init is not None:
            made = self.init(*arguments, **fields)
            if isinstance(made, UnknownValue):
                return made
            if not isinstance(made, dict):
                raise TypeError("a provider's init must return a dict")
            return self.raw(**made)
        if arguments:
            raise TypeError(f"{self.name or 'provider'}: unexpected positional arguments")
        return self.raw(**fields)

    def raw(self, **fields: object) -> object:
        """The constructor that goes around `init`."""
        if self.fields is not None and not self.fields.issuperset(fields):
            unexpected = next(name for name in fields if name not in self.fields)
            raise TypeError(
                f"unexpected keyword '{unexpected}' in call to {self.name or 'provider'}"
            )
        return Struct(fields, self)

    def to_repr(self) -> str:
        return f"<provider {self.name}>" if self.name else "<provider>"


class OpaqueProvider(Provider):
    """A provider of Bazel's own whose instances compute what they hold from what they are given:
    `member` makes what stands for each."""

    __slots__ = ("_member",)

    def __init__(self, name: str, member: Callable[[str], object]) -> None:
        super().__init__(name)
        self._member = member

    def __call__(self, *arguments: object, **fields: object) -> object:
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


class Depset(starlark.Value):
    """`depset(direct, order, transitive)`; flattened when it is asked for."""

    starlark_type: ClassVar[str] = "depset"
    __slots__ = ("direct", "is_empty", "order", "transitive")

    def __init__(
        self, direct: Iterable[object], order: str, transitive: tuple[object, ...]
    ) -> None:
        self.direct = tuple(direct)
        self.order = order
        self.transitive = transitive
        self.is_empty = not self.direct and not any(map(bool, transitive))

    def depset_elements(self) -> tuple[object, ...]:
        """The elements in the depset's order, each once.

        Every depset lays out its own, whatever those above it do: what is below first, but in
        preorder; a topological one from the right to the left, and turns the whole round at the
        end. Bazel: `NestedSet`.
        """
        elements: dict[object, None] = {}
        visited: set[int] = set()
        pending: list[tuple[Depset, bool]] = [(self, False)]
        while pending:
            node, is_open = pending.pop()
            is_turned = node.order == "topological"
            if is_open:
                elements.update(dict.fromkeys(reversed(node.direct) if is_turned else node.direct))
                continue
            if id(node) in visited:
                continue
            visited.add(id(node))
            starlark.charge(1 + len(node.transitive) + (len(node.direct) >> 1))
            if node.order == "preorder":
                elements.update(dict.fromkeys(node.direct))
            else:
                pending.append((node, True))
            below = [(child, False) for child in node.transitive if isinstance(child, Depset)]
            pending += below if is_turned else reversed(below)
        return tuple(reversed(elements)) if self.order == "topological" else tuple(elements)

    def get_attr(self, name: str) -> object:
        if name == "to_list":
            return starlark.Builtin("to_list", lambda: starlark.List(self.depset_elements()))
        if name == "union" and "union" in self.attr_names():
            return starlark.Builtin("union", self._union)
        raise AttributeError(name)

    def attr_names(self) -> Iterable[str]:
        return ("to_list", "union")

    def binary(self, op: str, other: object, reflected: bool) -> object:
        if op not in ("+", "|") or reflected:
            return NotImplemented
        return self.joined(other)

    def joined(self, other: object) -> object:
        """This and the elements of another, or of a list: a depset comes before what it is
        added to."""
        if isinstance(other, Depset):
            return Depset((), self.order, (other, self))
        if isinstance(other, list | tuple):
            return Depset(other, self.order, (self,))
        return NotImplemented

    def _union(self, new_elements: object, /) -> object:
        if isinstance(new_elements, UnknownValue):
            return new_elements.derive(f"depset.union({new_elements.text})")
        made = self.joined(new_elements)
        if made is NotImplemented:
            kind = starlark.type_of(new_elements)
            raise TypeError(f"cannot union value of type '{kind}' to a depset")
        return made

    def length(self) -> int:
        return len(self.depset_elements())

    def contains(self, key: object) -> object:
        return any(starlark.equals(key, element) for element in self.depset_elements())

    def truth(self) -> bool:
        return not self.is_empty

    def iterate(self) -> Iterable[object]:
        return self.depset_elements()

    def freeze(self) -> None:
        """Immutable already; its elements are hashable."""

    def to_repr(self) -> str:
        inside = ", ".join(starlark.repr_of(element) for element in self.depset_elements())
        order = "" if self.order == "default" else f", order = {starlark.repr_of(self.order)}"
        return f"depset([{inside}]{order})"


class _ListedDepset(Depset):
    """A depset to which nothing is added."""

    __slots__ = ()

    def attr_names(self) -> Iterable[str]:
        return ("to_list",)

    def joined(self, other: object) -> object:
        return NotImplemented


class _OpaqueDepset(_ListedDepset):
    """A depset of later Bazels, which is no list either."""

    __slots__ = ()

    def length(self) -> int:
        raise TypeError("type 'depset' has no length")

    def contains(self, key: object) -> object:
        return NotImplemented

    def iterate(self) -> Iterable[object]:
        raise TypeError("type 'depset' is not iterable")


def depset_of(release: Release) -> Callable[..., object]:
    """The builtin `depset` of a release."""
    if release.depsets_are_sums and release.depsets_are_lists:
        return depset
    kind = _ListedDepset if release.depsets_are_lists else _OpaqueDepset

    def made_by(*arguments: Any, **keywords: Any) -> object:
        made = depset(*arguments, **keywords)
        if type(made) is Depset:
            return kind(made.direct, made.order, made.transitive)
        return made

    return made_by


def depset(
    x: object = None,
    order: object = "default",
    *,
    direct: object = None,
    transitive: object = None,
    items: object = None,
) -> object:
    """The builtin `depset`."""
    for value in (x, direct, transitive, items):
        if isinstance(value, UnknownValue):
            return value.derive(f"depset({value.text})")
    given = next((value for value in (direct, x, items) if value is not None), ())
    children: list[object] = []
    if isinstance(given, Depset):
        children.append(given)
        given = ()
    if transitive is not None:
        children.extend(starlark.iterate(transitive))
    unknown = next((child for child in children if isinstance(child, UnknownValue)), None)
    if unknown is not None:
        return unknown.derive(f"depset({unknown.text})")
    if isinstance(given, dict):
        raise TypeError(f"in call to depset(), got value of type '{starlark.type_of(given)}'")
    elements = tuple(starlark.iterate(given))
    starlark.charge((len(elements) >> 1) + len(children))
    for element in elements:
        starlark.hash_of(element)
    _check_kinds(elements)
    if not isinstance(order, str):
        kind = starlark.type_of(order)
        raise TypeError(f"in call to depset(), parameter 'order' got value of type '{kind}'")
    if order not in _ORDERS and not isinstance(order, starlark.Value):
        raise ValueError(f"Invalid order: {order}")
    chosen = order
    for child in children:
        if not isinstance(child, Depset) or child.is_empty or child.order == chosen:
            continue
        if "default" not in (child.order, chosen):
            raise ValueError(f"Order '{chosen}' is incompatible with order '{child.order}'")
    # Bazel: `NestedSetBuilder` keeps each depset once, by identity, and makes no copy of one.
    kept = {id(one): one for one in children if not (isinstance(one, Depset) and one.is_empty)}
    only = next(iter(kept.values()), None)
    if not elements and len(kept) == 1 and isinstance(only, Depset) and only.order == chosen:
        return only
    return Depset(elements, chosen, tuple(kept.values()))


_ORDERS = frozenset({"default", "postorder", "preorder", "topological"})
_PLAIN_KINDS = frozenset({str, int, bool, tuple})


def _check_kinds(elements: tuple[object, ...]) -> None:
    """Elements are of one type. Only types that are Python's own are compared: what others
    Bazel takes for one is not known."""
    kinds = dict.fromkeys(map(type, elements))
    if len(kinds) > 1 and kinds.keys() <= _PLAIN_KINDS:
        first = starlark.type_of(elements[0])
        other = next(one for one in elements if type(one) is not type(elements[0]))
        raise TypeError(
            f"cannot add an item of type '{starlark.type_of(other)}' to a depset of '{first}'"
        )


class Namespace(starlark.Value):
    """A module of builtins: `attr`, `native`, `cc_common`. `missing` makes the members that
    bazelscope does not model (None: an unknown member is an error)."""

    __slots__ = ("members", "missing", "name")

    starlark_type: ClassVar[str] = "struct"

    def __init__(
        self,
        name: str,
        members: Mapping[str, object],
        missing: Callable[[str], object] | None = None,
    ) -> None:
        self.name = name
        self.members = members
        self.missing = missing

    def get_attr(self, name: str) -> object:
        member = self.members.get(name)
        if member is not None:
            return member
        if self.missing is None:
            raise AttributeError(name)
        return self.missing(f"{self.name}.{name}")

    def attr_names(self) -> Iterable[str]:
        return sorted(self.members)

    def freeze(self) -> None:
        """Builtins are immutable."""

    def to_repr(self) -> str:
        return f"<{self.name}>"


def struct(*arguments: object, **fields: object) -> object:
    """The builtin `struct`."""
    if arguments:
        raise TypeError("struct() takes keyword arguments only")
    return Struct(fields)


def elements_of(value: object) -> Iterable[object]:
    """The elements of a depset, or of a list; for functions of Bazel's own that take both."""
    return value.depset_elements() if isinstance(value, Depset) else starlark.iterate(value)


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
