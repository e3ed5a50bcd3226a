"""What Starlark's operators and builtins do with unknown texts, while a repository rule runs dry.

Compiled Starlark finds its operators by name among the globals of its module, and the builtins
in one dictionary that all modules share; while a dry run lasts, some of them are replaced there.
Elsewhere nothing is slower.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from bazelscope import starlark
from bazelscope.loading.dry_run.decisions import Assumed
from bazelscope.loading.dry_run.unknown_collections import (
    UnknownMapping,
    UnknownSequence,
    first_unknown,
    same_sequence,
)
from bazelscope.loading.dry_run.unknown_text import UnknownPieces
from bazelscope.loading.dry_run.unknown_values import UnknownText

_HIGH = 9999
# Methods of a known string that may take unknown texts into their result.
_TAKE_TEXTS = frozenset({"format", "join", "replace"})
_ORDERS = {"@lt": "<", "@le": "<=", "@gt": ">", "@ge": ">="}
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}

Operation = Callable[..., Any]


@contextmanager
def aware_builtins(
    function: object, pieces: UnknownPieces, text_of: Callable[[str], str]
) -> Iterator[None]:
    """While it lasts, what `function` calls takes unknown texts for strings.

    `text_of` makes an unknown text of a string that `pieces` are inside of.
    """

    def kept(result: Any) -> Any:
        return text_of(result) if type(result) is str and pieces.inside(result) else result

    made: dict[str, Callable[[Operation], Operation]] = {
        "dict": _aware_dict,
        "int": _aware_int,
        "range": _aware_range,
        "len": _aware_len,
        "sorted": _aware_sorted,
        "@eq": _aware_equals,
        "@ne": _aware_unequal,
        "@in": _aware_contains,
        "@not_in": _aware_not_contains,
        "@mod": lambda original: _aware_percent(original, kept),
        "@attr": lambda original: _aware_attribute(original, kept),
        "str": lambda original: _aware_text(original, kept),
        "repr": lambda original: _aware_text(original, kept),
        **{name: _order_maker(op) for name, op in _ORDERS.items()},
    }
    before: list[tuple[dict[str, Any], dict[str, Any]]] = []
    try:
        for scope in _scopes(function):
            # A module's own global of the name `dict` is none of ours.
            is_module = "@eq" in scope
            kept_there = {
                name: scope[name]
                for name in made
                if name in scope and name.startswith("@") is is_module
            }
            before.append((scope, kept_there))
            for name, original in kept_there.items():
                replaced = made[name](original)
                is_operator = name.startswith("@")
                scope[name] = replaced if is_operator else starlark.Builtin(name, replaced)
        yield
    finally:
        for scope, kept_there in before:
            scope.update(kept_there)


def _scopes(function: object) -> list[dict[str, Any]]:
    """The globals of every module that `function` may run code of, and their builtins."""
    found: dict[int, dict[str, Any]] = {}
    pending = [function]
    while pending:
        value = pending.pop()
        if isinstance(value, starlark.Value):
            # A struct of functions, such as `paths`; other values have none.
            names = value.attr_names() if value.starlark_type == "struct" else ()
            pending.extend(value.get_attr(name) for name in names)
            continue
        scope = getattr(value, "__globals__", None)
        # The helpers in a module's globals are functions of Python, which have no operators.
        if not isinstance(scope, dict) or "@eq" not in scope or id(scope) in found:
            continue
        found[id(scope)] = scope
        builtins = scope.get("__builtins__")
        if isinstance(builtins, dict):
            found[id(builtins)] = builtins
        pending.extend(scope.values())
    return list(found.values())


def _aware_text(original: Operation, kept: Operation) -> Operation:
    def text(x: Any, /) -> Any:
        return kept(original(x))

    return text


def _aware_percent(original: Operation, kept: Operation) -> Operation:
    def percent(a: Any, b: Any) -> Any:
        operands = b if isinstance(b, tuple) else (b,)
        if isinstance(a, str) and any(isinstance(item, Assumed) for item in operands):
            # Unknown numbers are written as the text that stands for them.
            a = a.replace("%d", "%s")
        return kept(original(a, b))

    return percent


def _aware_attribute(original: Operation, kept: Operation) -> Operation:
    def attr(value: Any, name: str) -> Any:
        found = original(value, name)
        if type(value) is str and name in _TAKE_TEXTS:
            return starlark.Builtin(
                name,
                lambda *arguments, **keywords: kept(
                    found(*map(_plain, arguments), **{k: _plain(v) for k, v in keywords.items()})
                ),
            )
        return found

    return attr


def _plain(value: Any) -> Any:
    """An argument of a method of strings: unknown texts as the strings that stand for them."""
    if isinstance(value, UnknownText):
        return value.plain
    if isinstance(value, UnknownSequence):
        return starlark.List([_plain(item) for item in value.elements])
    if isinstance(value, list) and first_unknown(value) is not None:
        return starlark.List([_plain(item) for item in value])
    return value


def _same(original: Operation, a: Any, b: Any) -> bool:
    if isinstance(b, Assumed | UnknownSequence):
        return b.equals(a)
    if isinstance(a, list) and isinstance(b, list) and first_unknown((*a, *b)) is not None:
        return bool(original(a, b)) if len(a) == len(b) == 0 else same_sequence((*a,), (*b,))
    return bool(original(a, b))


def _aware_equals(original: Operation) -> Operation:
    return lambda a, b: _same(original, a, b)


def _aware_unequal(original: Operation) -> Operation:
    return lambda a, b: not _same(starlark.equals, a, b)


def _order_maker(op: str) -> Callable[[Operation], Operation]:
    return lambda original: _aware_order(original, op)


def _aware_order(original: Operation, op: str) -> Operation:
    def order(a: Any, b: Any) -> Any:
        if isinstance(a, tuple) and isinstance(b, tuple):
            # The first elements that differ decide, as in any other comparison.
            for one, other in zip(a, b, strict=False):
                if _is_unknown(one) or _is_unknown(other):
                    if not _same(starlark.equals, one, other):
                        return order(one, other)
                elif not starlark.equals(one, other):
                    break
            return original(a, b)
        if isinstance(a, Assumed) and type(b) is int:
            return a.ordered(op, b)
        if isinstance(b, Assumed) and type(a) is int:
            return b.ordered(_MIRRORED[op], a)
        if isinstance(a, UnknownText) and isinstance(b, str):
            return _holds(op, a.compare(b))
        if isinstance(b, UnknownText) and isinstance(a, str):
            return _holds(op, -b.compare(a))
        return original(a, b)

    return order


def _is_unknown(value: Any) -> bool:
    return isinstance(value, UnknownText | Assumed)


def _holds(op: str, order: int) -> bool:
    return order == 0 if op in ("<=", ">=") and order == 0 else (order < 0) is (op[0] == "<")


def _aware_contains(original: Operation) -> Operation:
    def contains(a: Any, b: Any) -> Any:
        if isinstance(a, UnknownText) and type(b) is str:
            if a.plain in b:
                return True
            return a.ask(f"lies in `{b}`", False)
        return original(a, b)

    return contains


def _aware_not_contains(original: Operation) -> Operation:
    inside = _aware_contains(lambda a, b: not original(a, b))
    return lambda a, b: not inside(a, b)


def _aware_dict(original: Operation) -> Operation:
    def dict_(pairs: object = (), /, **keywords: object) -> object:
        if not isinstance(pairs, Mapping):
            listed = list(starlark.iterate(pairs))
            for pair in listed:
                inside = (pair,) if isinstance(pair, str) else starlark.iterate(pair)
                unknown = first_unknown(inside)
                if unknown is not None:
                    return UnknownMapping(unknown)
            pairs = listed
        return original(pairs, **keywords)

    return dict_


def _aware_int(original: Operation) -> Operation:
    def int_(x: object, /, *arguments: object, **keywords: object) -> object:
        if isinstance(x, Assumed):
            return x
        if isinstance(x, UnknownText):
            # Numbers are compared with thresholds, of versions mostly: a high one is likelier.
            return Assumed(x.decisions, x.unknown, x.about, _HIGH, x.plain)
        return original(x, *arguments, **keywords)

    return int_


def _aware_range(original: Operation) -> Operation:
    def range_(*arguments: Any) -> Any:
        return original(*(x.value if isinstance(x, Assumed) else x for x in arguments))

    return range_


def _aware_len(original: Operation) -> Operation:
    def len_(x: Any, /) -> Any:
        return x.length() if isinstance(x, UnknownText) else original(x)

    return len_


def _aware_sorted(original: Operation) -> Operation:
    def sorted_(iterable: Any, /, **keywords: Any) -> Any:
        elements = list(starlark.iterate(iterable))
        if first_unknown(elements) is not None:
            # Their order is as unknown as they are.
            return starlark.List(elements)
        return original(iterable, **keywords)

    return sorted_
