"""The methods of lists, dicts and bytes, and look-up of methods on all of Starlark's values.

A method is a Python function whose first parameter is the value. Parameters that Starlark
takes by position only are marked so in Python too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from bazelscope.base.nearest import did_you_mean
from bazelscope.starlark.run import string_methods
from bazelscope.starlark.run.arguments import range_of, sized_list, want
from bazelscope.starlark.run.containers import (
    DICTS,
    LISTS,
    Dict,
    List,
    OddDict,
    check_mutable,
    elements_of,
    equals,
    extend_list,
    later_unknown_keys,
    merge,
    pop_first,
    put,
    stored_key,
    take,
    unknown_keys,
)
from bazelscope.starlark.run.faults import EvaluationError
from bazelscope.starlark.run.state import charge
from bazelscope.starlark.run.text_of_values import repr_of
from bazelscope.starlark.run.unknown_operands import result_or_error, tolerant_functions
from bazelscope.starlark.run.values import Value, type_of

# ---- list


def list_append(self: List, item: Any, /) -> None:
    if type(self) is not List:
        check_mutable(self)
    self.append(item)


def list_clear(self: List) -> None:
    check_mutable(self)
    self.clear()


def list_extend(self: List, items: Any, /) -> None:
    check_mutable(self)
    extend_list(self, elements_of(items))


def list_index(self: List, x: Any, /, start: Any = 0, end: Any = None) -> int:
    low, high = range_of(self, start, end, "index")
    charge(high - low)
    for position in range(low, high):
        if equals(self[position], x):
            return position
    raise EvaluationError(f"item {repr_of(x)} not found in list")


def list_insert(self: List, index: Any, item: Any, /) -> None:
    check_mutable(self)
    want(index, int, "insert", "index", "int")
    charge(len(self) >> 8)
    self.insert(index, item)


def list_pop(self: List, i: Any = -1, /) -> Any:
    check_mutable(self)
    if i is None:
        i = -1
    want(i, int, "pop", "i", "int")
    size = len(self)
    if not -size <= i < size:
        raise EvaluationError(
            f"index out of range (index is {i}, but sequence has {size} elements)"
        )
    charge(len(self) >> 8)
    return self.pop(i)


def list_remove(self: List, x: Any, /) -> None:
    check_mutable(self)
    charge(len(self))
    for position, element in enumerate(self):
        if equals(element, x):
            del self[position]
            return
    raise EvaluationError(f"item {repr_of(x)} not found in list")


# ---- dict


def dict_clear(self: Dict) -> None:
    check_mutable(self)
    self.clear()


def dict_get(self: Dict, key: Any, /, default: Any = None) -> Any:
    if type(key) is str and not isinstance(self, OddDict):
        return dict.get(self, key, default)
    if isinstance(key, Value):
        key = key.as_key_of(self)
    value = dict.get(self, stored_key(key), _REQUIRED)
    return _instead(self, key, "get", default) if value is _REQUIRED else _told(self, key, value)


def _told(self: Dict, key: Any, value: Any) -> Any:
    """What a look-up that found `value` gives: what nobody can tell, if nobody can tell whether a
    key that came later is the same."""
    for unknown in later_unknown_keys(self, key):
        return unknown.in_place_of("{{}: ...}[...]")
    return value


def _instead(self: Dict, key: Any, method: str, default: Any) -> Any:
    """What a look-up that found nothing gives: the default, or what nobody can tell if nobody can
    tell the key, or one of those that are there."""
    result = key.in_place_of(f"....{method}({{}})") if isinstance(key, Value) and self else default
    for unknown in unknown_keys(self, key) if isinstance(self, OddDict) else ():
        return unknown.in_place_of(f"{{{{}}: ...}}.{method}(...)")
    return default if result is NotImplemented else result


def dict_items(self: Dict) -> List:
    charge(len(self) >> 1)  # a tuple for each
    return sized_list(self.items())


def dict_keys(self: Dict) -> List:
    return sized_list(self)


def dict_values(self: Dict) -> List:
    return sized_list(self.values())


_REQUIRED: Any = object()


def dict_pop(self: Dict, key: Any, /, default: Any = _REQUIRED) -> Any:
    # Bazel looks the key up first: without one, a frozen dictionary gives the default, too.
    try:
        is_there = dict.get(self, stored_key(key), _REQUIRED) is not _REQUIRED
    except TypeError:
        if default is _REQUIRED:
            raise
        is_there = False  # what can be no key is none
    if not is_there:
        if default is _REQUIRED:
            error = EvaluationError(f"KeyError: {repr_of(key)}")
            unknown = unknown_keys(self, key) if isinstance(self, OddDict) else ()
            return result_or_error(error, "....pop({})", key, *unknown)
        return _instead(self, key, "pop", default)
    check_mutable(self)
    told = _told(self, key, dict.get(self, stored_key(key)))
    take(self, key, default)
    return told


def dict_popitem(self: Dict) -> tuple[Any, Any]:
    check_mutable(self)
    if not self:
        raise EvaluationError("popitem: empty dictionary")
    return pop_first(self)


def dict_setdefault(self: Dict, key: Any, /, default: Any = None) -> Any:
    check_mutable(self)
    value = dict.get(self, stored_key(key), _REQUIRED)
    if value is not _REQUIRED:
        return _told(self, key, value)
    value = _instead(self, key, "setdefault", default)
    put(self, key, value)
    return value


def dict_update(self: Dict, pairs: Any = (), /, **kwargs: Any) -> None:
    check_mutable(self)
    if isinstance(pairs, dict):
        merge(self, pairs)
    else:
        if isinstance(pairs, (str, int, float)) or pairs is None:
            raise EvaluationError(f"in update, got {type_of(pairs)}, want iterable")
        for key, value in pairs_of(pairs, "update"):
            put(self, key, value)
    self.update(kwargs)


def pairs_of(pairs: Any, function: str) -> Iterable[tuple[Any, Any]]:
    """The key-value pairs of an iterable of two-element sequences; of one that nobody knows, one
    that stands for them all."""
    entry = pairs.unknown_entry() if isinstance(pairs, Value) else None
    if entry is not None:
        yield entry
    for position, pair in enumerate(elements_of(pairs)):
        if not isinstance(pair, (list, tuple, Value, dict, range)) or isinstance(pair, str):
            raise EvaluationError(
                f"in {function}, dictionary update sequence element #{position} is not"
                f" iterable ({type_of(pair)})"
            )
        elements = tuple(elements_of(pair))
        if len(elements) != 2:
            raise EvaluationError(
                f"in {function}, item #{position} has length {len(elements)},"
                " but exactly two elements are required"
            )
        yield elements[0], elements[1]


def bytes_elems(self: bytes) -> List:
    return List(self)


def _table(prefix: str) -> dict[str, Callable[..., Any]]:
    return {
        name.removeprefix(prefix): function
        for name, function in globals().items()
        if name.startswith(prefix)
    }


TABLES: dict[type, dict[str, Callable[..., Any]]] = {
    str: tolerant_functions(string_methods.METHODS, string_methods.METHODS, "....NAME({})"),
    bytes: _table("bytes_"),
    **dict.fromkeys(LISTS, tolerant_functions(_table("list_"), ("index",), "....NAME({})")),
    **dict.fromkeys(DICTS, _table("dict_")),
}
"""The methods of each type of value that is Python's own."""


def attribute_names(value: Any) -> list[str]:
    """What `dir(value)` lists."""
    if isinstance(value, Value):
        return sorted({*value.dir_names(), *value.method_names()})
    return sorted(TABLES.get(type(value), ()))


def no_attribute(value: Any, name: str) -> EvaluationError:
    """The error for `value.name`, which does not exist."""
    message = f"'{type_of(value)}' value has no field or method '{name}'"
    hint = None
    if isinstance(value, Value):
        hint, message = value.hint_of(name), value.words_of_missing(name) or message
    return EvaluationError(message, hint or did_you_mean(name, attribute_names(value)))
