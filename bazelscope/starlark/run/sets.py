"""Starlark's sets, of newer Bazel: hashable elements, in the order of their insertion."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sized
from types import MethodType
from typing import Any, ClassVar

from bazelscope.starlark.run import containers
from bazelscope.starlark.run.containers import Dict, check_mutable_set, elements_of, has_key
from bazelscope.starlark.run.faults import EvaluationError
from bazelscope.starlark.run.state import charge, check_size
from bazelscope.starlark.run.text_of_values import repr_of
from bazelscope.starlark.run.values import Value, type_of

_MISSING = object()


class Set(Value):
    """A set: a dict without values, whose state is that dict's."""

    __slots__ = ("elements",)
    starlark_type: ClassVar[str] = "set"

    def __init__(self, elements: Iterable[Any] = ()) -> None:
        if isinstance(elements, Sized):
            charge(len(elements) >> 1)
        self.elements = containers.dict_of_pairs((element, None) for element in elements)
        check_size(len(self.elements), "a set")

    def get_attr(self, name: str) -> object:
        method = _METHODS.get(name)
        if method is None:
            raise AttributeError(name)
        return MethodType(method, self)

    def attr_names(self) -> Iterable[str]:
        return _METHODS

    def truth(self) -> bool:
        return bool(self.elements)

    def iterate(self) -> Iterable[object]:
        return self.elements

    def length(self) -> int:
        return len(self.elements)

    def contains(self, key: object) -> object:
        return has_key(self.elements, key)

    def freeze(self) -> None:
        self.elements.__class__ = containers.FROZEN.get(type(self.elements), type(self.elements))

    def equals(self, other: object) -> bool:
        return isinstance(other, Set) and containers.equals(self.elements, other.elements)

    def hash(self) -> int:
        raise TypeError("unhashable type: 'set'")

    def compare(self, other: object) -> int:
        """Sets are ordered by inclusion only, so only as far as `<=` can tell."""
        raise TypeError(f"unsupported comparison: set <=> {type_of(other)}")

    def to_repr(self) -> str:
        return "set(" + repr_of(list(self.elements)) + ")"

    def binary(self, op: str, other: object, reflected: bool) -> object:
        function = _OPERATORS.get(op)
        if function is None or reflected or not isinstance(other, Set):
            return NotImplemented
        return function(self, other)


def _members(value: Any) -> Dict:
    """The elements of any iterable, as the keys of a dict."""
    if isinstance(value, Set):
        return value.elements
    return Set(elements_of(value)).elements


def _charge_for(self: Set, others: tuple[Any, ...] = ()) -> None:
    """Counts the work of looking each element of a set up in `others`."""
    charge((len(self.elements) >> 1) * max(1, len(others)))


def union(self: Set, *others: Any) -> Set:
    made = Set(self.elements)
    for other in others:
        charge(len(made.elements) >> 4)
        for element in _members(other):
            containers.put(made.elements, element, None)
        check_size(len(made.elements), "a set")
    return made


def intersection(self: Set, *others: Any) -> Set:
    _charge_for(self, others)
    sets = [_members(other) for other in others]
    return Set(
        element for element in self.elements if all(has_key(other, element) for other in sets)
    )


def difference(self: Set, *others: Any) -> Set:
    _charge_for(self, others)
    sets = [_members(other) for other in others]
    return Set(
        element for element in self.elements if not any(has_key(other, element) for other in sets)
    )


def symmetric_difference(self: Set, other: Any, /) -> Set:
    _charge_for(self)
    members = _members(other)
    left = [element for element in self.elements if not has_key(members, element)]
    return Set([*left, *(element for element in members if not has_key(self.elements, element))])


def _replace(self: Set, new: Set) -> None:
    check_mutable_set(self.elements)
    self.elements = new.elements


def update(self: Set, *others: Any) -> None:
    _replace(self, union(self, *others))


def intersection_update(self: Set, *others: Any) -> None:
    _replace(self, intersection(self, *others))


def difference_update(self: Set, *others: Any) -> None:
    _replace(self, difference(self, *others))


def symmetric_difference_update(self: Set, other: Any, /) -> None:
    _replace(self, symmetric_difference(self, other))


def issubset(self: Set, other: Any, /) -> bool:
    _charge_for(self)
    members = _members(other)
    return all(has_key(members, element) for element in self.elements)


def issuperset(self: Set, other: Any, /) -> bool:
    elements = elements_of(other)
    charge(len(elements) >> 1)
    return all(has_key(self.elements, element) for element in elements)


def isdisjoint(self: Set, other: Any, /) -> bool:
    elements = elements_of(other)
    charge(len(elements) >> 1)
    return not any(has_key(self.elements, element) for element in elements)


def add(self: Set, element: Any, /) -> None:
    check_mutable_set(self.elements)
    containers.put(self.elements, element, None)


def discard(self: Set, element: Any, /) -> None:
    check_mutable_set(self.elements)
    containers.take(self.elements, element, None)


def remove(self: Set, element: Any, /) -> None:
    check_mutable_set(self.elements)
    if containers.take(self.elements, element, _MISSING) is _MISSING:
        raise EvaluationError(f"element {repr_of(element)} not found in set")


def pop(self: Set) -> Any:
    check_mutable_set(self.elements)
    if not self.elements:
        raise EvaluationError("set is empty")
    return containers.pop_first(self.elements)[0]


def clear(self: Set) -> None:
    check_mutable_set(self.elements)
    self.elements.clear()


_METHODS: dict[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (
        add, clear, difference, difference_update, discard, intersection, intersection_update,
        isdisjoint, issubset, issuperset, pop, remove, symmetric_difference,
        symmetric_difference_update, union, update,
    )
}  # fmt: skip
_OPERATORS: dict[str, Callable[..., Any]] = {
    "|": union,
    "&": intersection,
    "-": difference,
    "^": symmetric_difference,
    "<=": issubset,
    ">=": issuperset,
}
