"""`select()` as Starlark sees it: opaque to macros, concatenated with `+`.

Bazel: `SelectorValue` and `SelectorList`. The dictionary is kept as it was written; labels
are resolved where a rule takes the value.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from bazelscope import starlark
from bazelscope.loading.evaluation.values.opaque import Opaque


class SelectCall:
    """One `select()` call: its entries in order, and where it was called."""

    __slots__ = ("entries", "no_match_error", "stack")

    def __init__(
        self,
        entries: tuple[tuple[object, object], ...],
        no_match_error: str,
        stack: starlark.RawStack,
    ) -> None:
        self.entries = entries
        self.no_match_error = no_match_error
        self.stack = stack


class SelectValue(starlark.Value):
    """`a + select(...) + b`: the parts, each a `SelectCall`, a plain value or an `Opaque`."""

    starlark_type: ClassVar[str] = "select"
    __slots__ = ("parts",)

    def __init__(self, parts: tuple[object, ...]) -> None:
        self.parts = parts

    @property
    def has_select(self) -> bool:
        """Whether there is a select in it at all; else it is a sum with something unknown."""
        return any(isinstance(part, SelectCall) for part in self.parts)

    @property
    def is_unconditional(self) -> bool:
        """Whether it is one select() that has nothing but a default."""
        call = self.parts[0]
        return (
            len(self.parts) == 1
            and isinstance(call, SelectCall)
            and len(call.entries) == 1
            and str(call.entries[0][0]) == "//conditions:default"
            and call.entries[0][1] is not None
        )

    def binary(self, op: str, other: object, reflected: bool) -> object:
        if op != "+" and not (op == "|" and isinstance(other, dict | SelectValue)):
            return self.in_place_of(f"... {op} {{}}" if reflected else f"{{}} {op} ...")
        return concatenate(other, self) if reflected else concatenate(self, other)

    def truth(self) -> bool:
        return True

    def iterate(self) -> Iterable[object]:
        """A select has no elements; of `unknown + [...]` those that are known."""
        self._known("a loop")
        return [
            item for part in self.parts if isinstance(part, list | tuple | dict) for item in part
        ]

    def length(self) -> int:
        self._known("a length")
        return sum(len(part) for part in self.parts if isinstance(part, list | tuple | dict))

    def index(self, key: object) -> object:
        return self._known("a value").derive("(... + ...)[...]")

    def contains(self, key: object) -> object:
        self._known("a condition")
        return any(key in part for part in self.parts if isinstance(part, list | tuple | dict))

    def _known(self, what: str) -> Opaque:
        """The unknown part of a sum in which there is no select at all."""
        unknown = self._unknown
        if unknown is None:
            raise TypeError("type 'select' is not iterable")
        unknown.decides(what)
        return unknown

    @property
    def _unknown(self) -> Opaque | None:
        """What is unknown in a sum without a select, which may be a string as well as a list."""
        if self.has_select:
            return None
        return next((part for part in self.parts if isinstance(part, Opaque)), None)

    def in_place_of(self, form: str) -> object:
        unknown = self._unknown
        return NotImplemented if unknown is None else unknown.in_place_of(form)

    def in_text(self, form: str) -> object:
        unknown = self._unknown
        return NotImplemented if unknown is None else unknown.in_text(form)

    def get_attr(self, name: str) -> object:
        found = self.in_place_of(f"{{}}.{name}")
        if found is NotImplemented:
            raise AttributeError(name)
        return found

    def attr_names(self) -> Iterable[str]:
        return ()

    def freeze(self) -> None:
        for part in self.parts:
            if isinstance(part, SelectCall):
                for _, value in part.entries:
                    starlark.freeze(value)
            else:
                starlark.freeze(part)

    def equals(self, other: object) -> bool:
        return self is other

    def hash(self) -> int:
        return id(self)

    def to_repr(self) -> str:
        return " + ".join(_part_text(part) for part in self.parts)

    def to_str(self) -> str:
        return self.to_repr()


def select(entries: object, no_match_error: object = "", **unexpected: object) -> object:
    """The builtin `select(dict, no_match_error = "")`."""
    if isinstance(entries, Opaque):
        return entries.derive(f"select({entries.text})")
    if unexpected:
        raise TypeError(f"select() got unexpected keyword argument '{next(iter(unexpected))}'")
    if not isinstance(entries, dict):
        kind = starlark.type_of(entries)
        raise TypeError(
            f"in call to select(), parameter 'x' got value of type '{kind}', want 'dict'"
        )
    if not entries:
        raise ValueError(
            "select({}) with an empty dictionary can never resolve because it includes no"
            " conditions to match"
        )
    message = no_match_error if isinstance(no_match_error, str) else ""
    call = SelectCall(tuple(entries.items()), message, starlark.capture_stack())
    return SelectValue((call,))


def concatenate(left: object, right: object) -> object:
    """`left + right` where at least one is a select or unknown; NotImplemented if Bazel refuses."""
    left_kind, right_kind = _native_kind(left), _native_kind(right)
    if left_kind is NotImplemented or right_kind is NotImplemented:
        return NotImplemented
    if left_kind is not None and right_kind is not None and left_kind is not right_kind:
        raise TypeError(
            "'+' operator applied to incompatible types "
            f"({_kind_text(left, left_kind)}, {_kind_text(right, right_kind)})"
        )
    return SelectValue(_parts(left) + _parts(right))


def _parts(value: object) -> tuple[object, ...]:
    if isinstance(value, SelectValue):
        return value.parts
    if type(value) in (list, starlark.List):
        # A later change of the list does not reach the attribute.
        return (starlark.List(value),)  # type: ignore[call-overload]
    return (value,)


def _native_kind(value: object) -> object:
    """The type whose values a select yields; None where it cannot be told."""
    if isinstance(value, Opaque):
        return None
    if isinstance(value, SelectValue):
        for part in value.parts:
            if isinstance(part, SelectCall):
                # Bazel: SelectorValue.getType: the first branch alone counts.
                branch = part.entries[0][1]
                return type(None) if branch is None else _native_kind(branch)
            return _native_kind(part)
        return None
    if isinstance(value, bool):
        return bool
    for kind in (str, int, dict, list):
        if isinstance(value, kind):
            return kind
    if value is None or isinstance(value, tuple):
        return NotImplemented
    return type(value) if isinstance(value, starlark.Value) else NotImplemented


def _kind_text(value: object, kind: object) -> str:
    names: dict[type, str] = {
        str: "string",
        list: "list",
        dict: "dict",
        int: "int",
        bool: "bool",
        type(None): "NoneType",
    }
    name = names.get(kind, "unknown") if isinstance(kind, type) else "unknown"
    return f"select of {name}" if isinstance(value, SelectValue) else name


def _part_text(part: object) -> str:
    if not isinstance(part, SelectCall):
        return starlark.repr_of(part)
    entries = ", ".join(
        f"{starlark.repr_of(key)}: {starlark.repr_of(value)}" for key, value in part.entries
    )
    error = ""
    if part.no_match_error:
        error = f", no_match_error = {starlark.repr_of(part.no_match_error)}"
    return f"select({{{entries}}}{error})"
