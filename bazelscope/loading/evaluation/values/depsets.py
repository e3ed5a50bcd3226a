"""The builtin `depset`, and what each release takes one for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, ClassVar

from bazelscope import starlark
from bazelscope.bazel.release import Release
from bazelscope.loading.evaluation.values.symbolic_values import UnknownValue


class Depset(starlark.Value):
    """`depset(direct, order, transitive)`; flattened when it is asked for."""

    starlark_type: ClassVar[str] = "depset"
    __slots__ = ("direct", "is_empty", "kind", "order", "transitive")

    def __init__(
        self, direct: Iterable[object], order: str, transitive: tuple[object, ...]
    ) -> None:
        self.direct = tuple(dict.fromkeys(direct))
        self.order = order
        self.transitive = transitive
        self.is_empty = not self.direct and not any(map(bool, transitive))
        self.kind = _kind_of(self.direct[0]) if self.direct else _kind_below(transitive)
        """What its elements are, if they may not be with others."""

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
        if release.refuses_depset_items and keywords.get("items") is not None:
            # Before 4, the message names an option that there never was (measured).
            call, name = (
                ("in call to depset(), ", "items") if release.has_floats else ("", "inputs")
            )
            starlark.fail_with(
                f"{call}parameter 'items' is deprecated and will be removed soon. It may be"
                f" temporarily re-enabled by setting --incompatible_disable_depset_{name}=false"
            )
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
    if direct is not None and not (x is None and items is None):
        raise TypeError("Do not pass both 'direct' and 'items' argument to depset constructor.")
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
    for index, child in enumerate(children):
        kind = starlark.type_of(child)
        if not isinstance(child, starlark.Value) or kind in _NO_DEPSETS:
            raise TypeError(starlark.wrong_element(index, "transitive", child, "depset"))
    if isinstance(given, dict):
        raise TypeError(f"in call to depset(), got value of type '{starlark.type_of(given)}'")
    elements = tuple(starlark.iterate(given))
    starlark.charge((len(elements) >> 1) + len(children))
    for element in elements:
        starlark.hash_of(element)
    _check_kinds(elements, children)
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
_ALONE = frozenset(
    {"File", "Label", "NoneType", "bool", "int", "range", "string", "tuple"}
    | {"depset", "function", "struct"}
)
"""Types whose values are in a depset with their like alone; what others Bazel takes for one type
is not known."""
_NO_DEPSETS = frozenset({"File", "Label", "Target", "struct"})


def _kind_of(element: object) -> str:
    kind = starlark.type_of(element)
    return kind if kind in _ALONE else ""


def _kind_below(transitive: Iterable[object]) -> str:
    below = (one.kind for one in transitive if isinstance(one, Depset))
    return next(filter(None, below), "")


def _check_kinds(elements: tuple[object, ...], children: Iterable[object]) -> None:
    """Elements are of one type."""
    kinds = [*map(_kind_of, elements)]
    kinds += [one.kind for one in children if isinstance(one, Depset)]
    first, *others = dict.fromkeys(filter(None, kinds)) or ("",)
    if others:
        raise TypeError(f"cannot add an item of type '{others[0]}' to a depset of '{first}'")


def elements_of(value: object) -> Iterable[object]:
    """The elements of a depset, or of a list; for functions of Bazel's own that take both."""
    return value.depset_elements() if isinstance(value, Depset) else starlark.iterate(value)
