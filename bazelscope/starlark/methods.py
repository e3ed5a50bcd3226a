"""The methods of Starlark's own values, and attribute look-up on them.

A method is a Python function whose first parameter is the value. Parameters that Starlark
takes by position only are marked so in Python too.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable
from typing import Any

from bazelscope.starlark.containers import (
    DICTS,
    LISTS,
    Dict,
    List,
    check_mutable,
    elements_of,
    equals,
    merge,
    pop_first,
    put,
    stored_key,
    take,
)
from bazelscope.starlark.faults import EvaluationError
from bazelscope.starlark.formatting import format_method
from bazelscope.starlark.state import RUNNING, charge, check_size
from bazelscope.starlark.text import repr_of
from bazelscope.starlark.values import Value, type_of


def _want(value: Any, kind: type, function: str, parameter: str, name: str) -> None:
    if type(value) is not kind:
        raise EvaluationError(
            f"in call to {function}(), parameter '{parameter}' got value of type"
            f" '{type_of(value)}', want '{name}'"
        )


def _want_string(value: Any, function: str, parameter: str) -> None:
    _want(value, str, function, parameter, "string")


def _range_of(self: Any, start: Any, end: Any, function: str) -> tuple[int, int]:
    """The bounds that `start` and `end` mean for `self`: an empty range is still a place."""
    size = len(self)
    if start is None:
        start = 0
    elif type(start) is not int:
        _want(start, int, function, "start", "int or NoneType")
    if end is None:
        end = size
    elif type(end) is not int:
        _want(end, int, function, "end", "int or NoneType")
    low = max(0, min(size, start + size if start < 0 else start))
    high = max(0, min(size, end + size if end < 0 else end))
    return low, max(low, high)


# ---- string

# Bazel's strings are bytes in disguise: of letters, only those of ASCII have a case.
_UPPER = {code: code - 32 for code in range(ord("a"), ord("z") + 1)}
_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}
_WORD = re.compile("[A-Za-z]+")


def _capitalized(match: re.Match[str]) -> str:
    return match[0].capitalize()


def string_capitalize(self: str) -> str:
    return string_upper(self[:1]) + string_lower(self[1:])


def string_count(self: str, sub: Any, start: Any = 0, end: Any = None, /) -> int:
    _want_string(sub, "count", "sub")
    low, high = _range_of(self, start, end, "count")
    return self.count(sub, low, high)


def string_elems(self: str) -> List:
    check_size(len(self), "a list")
    return List(self)


def string_endswith(self: str, sub: Any, start: Any = 0, end: Any = None, /) -> bool:
    low, high = _range_of(self, start, end, "endswith")
    return self.endswith(_affix(sub, "endswith"), low, high)


def _affix(sub: Any, function: str) -> Any:
    if type(sub) is tuple:
        for part in sub:
            if type(part) is not str:
                raise EvaluationError(
                    f"at index 0 of sub, got element of type {type_of(part)}, want string"
                )
    elif type(sub) is not str:
        raise EvaluationError(
            f"in call to {function}(), parameter 'sub' got value of type"
            f" '{type_of(sub)}', want 'string or tuple'"
        )
    return sub


def string_find(self: str, sub: Any, start: Any = 0, end: Any = None, /) -> int:
    _want_string(sub, "find", "sub")
    low, high = _range_of(self, start, end, "find")
    return self.find(sub, low, high)


def string_rfind(self: str, sub: Any, start: Any = 0, end: Any = None, /) -> int:
    _want_string(sub, "rfind", "sub")
    low, high = _range_of(self, start, end, "rfind")
    return self.rfind(sub, low, high)


def _found(position: int, sub: str, self: str) -> int:
    if position < 0:
        raise EvaluationError(f"substring {repr_of(sub)} not found in {repr_of(self)}")
    return position


def string_index(self: str, sub: Any, start: Any = 0, end: Any = None, /) -> int:
    _want_string(sub, "index", "sub")
    low, high = _range_of(self, start, end, "index")
    return _found(self.find(sub, low, high), sub, self)


def string_rindex(self: str, sub: Any, start: Any = 0, end: Any = None, /) -> int:
    _want_string(sub, "rindex", "sub")
    low, high = _range_of(self, start, end, "rindex")
    return _found(self.rfind(sub, low, high), sub, self)


def string_format(self: str, /, *args: Any, **kwargs: Any) -> str:
    return format_method(self, args, kwargs)


def string_isalnum(self: str) -> bool:
    return self.isalnum()


def string_isalpha(self: str) -> bool:
    return self.isalpha()


def string_isdigit(self: str) -> bool:
    return self.isascii() and self.isdigit()


def string_islower(self: str) -> bool:
    return self.islower()


def string_isspace(self: str) -> bool:
    return self.isspace()


def string_istitle(self: str) -> bool:
    return self.istitle()


def string_isupper(self: str) -> bool:
    return self.isupper()


def string_join(self: str, elements: Any, /) -> str:
    parts = elements_of(elements)
    if len(parts) > 32:
        check_size(len(self) * len(parts), "a string")
    try:
        if len(parts) > 32:
            check_size(sum(map(len, parts)), "a string")
        joined = self.join(parts)
    except TypeError:
        for position, part in enumerate(parts):
            if type(part) is not str:
                raise EvaluationError(
                    f"expected string for sequence element {position}, got '{type_of(part)}'"
                    f" ({repr_of(part)[:60]})"
                ) from None
        raise
    if len(joined) > 4096:
        check_size(len(joined), "a string")
    return joined


def string_lower(self: str) -> str:
    return self.lower() if self.isascii() else self.translate(_LOWER)


def string_upper(self: str) -> str:
    return self.upper() if self.isascii() else self.translate(_UPPER)


def string_title(self: str) -> str:
    return self.title() if self.isascii() else _WORD.sub(_capitalized, self)


def _characters(chars: Any, function: str) -> str | None:
    if chars is not None:
        _want(chars, str, function, "chars", "string or NoneType")
    return chars if chars is not None else " \t\n\r\v\f"


def string_lstrip(self: str, chars: Any = None, /) -> str:
    return self.lstrip(_characters(chars, "lstrip"))


def string_rstrip(self: str, chars: Any = None, /) -> str:
    return self.rstrip(_characters(chars, "rstrip"))


def string_strip(self: str, chars: Any = None, /) -> str:
    return self.strip(_characters(chars, "strip"))


def string_partition(self: str, sep: Any, /) -> tuple[str, str, str]:
    _want_string(sep, "partition", "sep")
    if not sep:
        raise EvaluationError("empty separator")
    return self.partition(sep)


def string_rpartition(self: str, sep: Any, /) -> tuple[str, str, str]:
    _want_string(sep, "rpartition", "sep")
    if not sep:
        raise EvaluationError("empty separator")
    return self.rpartition(sep)


def string_removeprefix(self: str, prefix: Any, /) -> str:
    _want_string(prefix, "removeprefix", "prefix")
    return self.removeprefix(prefix)


def string_removesuffix(self: str, suffix: Any, /) -> str:
    _want_string(suffix, "removesuffix", "suffix")
    return self.removesuffix(suffix)


def string_replace(self: str, old: Any, new: Any, count: Any = -1, /) -> str:
    _want_string(old, "replace", "old")
    _want_string(new, "replace", "new")
    if count is None:
        count = -1
    _want(count, int, "replace", "count", "int")
    if len(new) > len(old):
        times = self.count(old)
        if 0 <= count < times:
            times = count
        check_size(len(self) + times * (len(new) - len(old)), "a string")
    return self.replace(old, new, count)


def _sized(elements: Iterable[Any]) -> List:
    """A new list, counted by its size."""
    made = List(elements)
    if len(made) > 32:
        check_size(len(made), "a list")
    return made


def _separator(sep: Any, function: str) -> str | None:
    if sep is None:
        return None
    _want_string(sep, function, "sep")
    if not sep:
        raise EvaluationError("empty separator")
    return str(sep)


def string_split(self: str, sep: Any = None, maxsplit: Any = None) -> List:
    limit = -1 if maxsplit is None else maxsplit
    _want(limit, int, "split", "maxsplit", "int")
    return _sized(self.split(_separator(sep, "split"), limit))


def string_rsplit(self: str, sep: Any = None, maxsplit: Any = None) -> List:
    limit = -1 if maxsplit is None else maxsplit
    _want(limit, int, "rsplit", "maxsplit", "int")
    return _sized(self.rsplit(_separator(sep, "rsplit"), limit))


def string_splitlines(self: str, keepends: Any = False, /) -> List:
    charge(len(self) >> 1)
    _want(keepends, bool, "splitlines", "keepends", "bool")
    lines = List()
    position = 0
    size = len(self)
    while position < size:
        end = position
        while end < size and self[end] not in "\r\n":
            end += 1
        after = end + (2 if self.startswith("\r\n", end) else 1) if end < size else end
        lines.append(self[position : after if keepends else end])
        position = after
    return lines


def string_startswith(self: str, sub: Any, start: Any = 0, end: Any = None, /) -> bool:
    low, high = _range_of(self, start, end, "startswith")
    return self.startswith(_affix(sub, "startswith"), low, high)


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
    more = elements_of(items)
    if len(self) + len(more) > RUNNING.max_size:
        check_size(len(self) + len(more), "a list")
    check_size(len(more), "a list")
    self.extend(more)


def list_index(self: List, x: Any, start: Any = 0, end: Any = None, /) -> int:
    low, high = _range_of(self, start, end, "index")
    charge(high - low)
    for position in range(low, high):
        if equals(self[position], x):
            return position
    raise EvaluationError(f"item {repr_of(x)} not found in list")


def list_insert(self: List, index: Any, item: Any, /) -> None:
    check_mutable(self)
    _want(index, int, "insert", "index", "int")
    charge(len(self) >> 8)
    self.insert(index, item)


def list_pop(self: List, i: Any = -1, /) -> Any:
    check_mutable(self)
    _want(i, int, "pop", "i", "int")
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
    for position, item in enumerate(self):
        if equals(item, x):
            del self[position]
            return
    raise EvaluationError(f"item {repr_of(x)} not found in list")


# ---- dict


def dict_clear(self: Dict) -> None:
    check_mutable(self)
    self.clear()


def dict_get(self: Dict, key: Any, default: Any = None, /) -> Any:
    return dict.get(self, key if type(key) is str else stored_key(key), default)


def dict_items(self: Dict) -> List:
    charge(len(self) >> 1)  # a tuple for each
    return _sized(self.items())


def dict_keys(self: Dict) -> List:
    return _sized(self)


def dict_values(self: Dict) -> List:
    return _sized(self.values())


_REQUIRED: Any = object()


def dict_pop(self: Dict, key: Any, default: Any = _REQUIRED, /) -> Any:
    # Bazel looks the key up first: without one, a frozen dictionary gives the default, too.
    if dict.get(self, stored_key(key), _REQUIRED) is _REQUIRED:
        if default is _REQUIRED:
            raise EvaluationError(f"KeyError: {repr_of(key)}")
        return default
    check_mutable(self)
    return take(self, key, default)


def dict_popitem(self: Dict) -> tuple[Any, Any]:
    check_mutable(self)
    if not self:
        raise EvaluationError("popitem: empty dictionary")
    return pop_first(self)


def dict_setdefault(self: Dict, key: Any, default: Any = None, /) -> Any:
    check_mutable(self)
    found = dict.get(self, stored_key(key), _REQUIRED)
    if found is not _REQUIRED:
        return found
    put(self, key, default)
    return default


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
    """The key-value pairs of an iterable of two-element sequences."""
    for position, pair in enumerate(elements_of(pairs)):
        if not isinstance(pair, (list, tuple, Value, dict, range)):
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
        name[len(prefix) :]: function
        for name, function in globals().items()
        if name.startswith(prefix) and callable(function)
    }


TABLES: dict[type, dict[str, Callable[..., Any]]] = {
    str: _table("string_"),
    bytes: _table("bytes_"),
    **dict.fromkeys(LISTS, _table("list_")),
    **dict.fromkeys(DICTS, _table("dict_")),
}
"""The methods of each type of value that is Python's own."""


def attribute_names(value: Any) -> list[str]:
    """What `dir(value)` lists."""
    if isinstance(value, Value):
        return sorted(value.attr_names())
    return sorted(TABLES.get(type(value), ()))


def no_attribute(value: Any, name: str) -> EvaluationError:
    """The error for `value.name`, which does not exist."""
    message = f"'{type_of(value)}' value has no field or method '{name}'"
    near = difflib.get_close_matches(name, attribute_names(value), 1, 0.7)
    return EvaluationError(message, f"did you mean `{near[0]}`?" if near else None)
