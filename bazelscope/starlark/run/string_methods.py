"""The methods of strings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.starlark.run.arguments import range_of, sized_list, want, want_string
from bazelscope.starlark.run.containers import List, elements_of
from bazelscope.starlark.run.faults import EvaluationError
from bazelscope.starlark.run.formatting import format_method
from bazelscope.starlark.run.state import charge, check_size
from bazelscope.starlark.run.text_of_values import (
    joined,
    letters,
    raw,
    repr_of,
    whole,
)
from bazelscope.starlark.run.unknown_operands import written
from bazelscope.starlark.run.values import Value, type_of, wrong_element, wrong_type

# Bazel's strings are bytes in disguise: of letters, only those of ASCII have a case.
_UPPER = {code: code - 32 for code in range(ord("a"), ord("z") + 1)}
_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}

_LINE = lazy_pattern(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


def string_capitalize(self: str) -> str:
    if self.isascii():
        return self.capitalize()
    text = raw(self)
    return whole(text[:1].upper() + string_lower(text[1:]))


def string_count(self: str, sub: Any, start: Any = 0, end: Any = None, /) -> int:
    want_string(sub, "count", "sub")
    if not self.isascii():
        self, sub = raw(self), raw(sub)
    low, high = range_of(self, start, end, "count")
    return self.count(sub, low, high)


def string_elems(self: str) -> List:
    check_size(len(self), "a list")
    return List(self if self.isascii() else map(whole, raw(self)))


def string_endswith(self: str, sub: Any, start: Any = None, end: Any = None, /) -> bool:
    if start is None and end is None and type(sub) is str and self.isascii():
        return self.endswith(sub)
    return _meets(str.endswith, self, sub, start, end)


def string_startswith(self: str, sub: Any, start: Any = None, end: Any = None, /) -> bool:
    if start is None and end is None and type(sub) is str and self.isascii():
        return self.startswith(sub)
    return _meets(str.startswith, self, sub, start, end)


def _meets(method: Any, self: str, sub: Any, start: Any, end: Any) -> bool:
    """Whether a part of a string begins or ends with `sub`, or with one of several."""
    sub = _affix(sub, method.__name__)
    if not self.isascii():
        self, sub = raw(self), tuple(map(raw, sub)) if type(sub) is tuple else raw(sub)
    return bool(method(self, sub, *range_of(self, start, end, method.__name__)))


def _affix(sub: Any, function: str) -> Any:
    if type(sub) is tuple:
        charge(len(sub) >> 3)
        for part in sub:
            if type(part) is not str:
                raise EvaluationError(wrong_element(0, "sub", part, "string"))
    elif type(sub) is not str:
        raise EvaluationError(wrong_type(function, "sub", sub, "string or tuple"))
    return sub


def string_find(self: str, sub: Any, start: Any = 0, end: Any = None, /) -> int:
    return _place(str.find, "find", self, sub, start, end)


def string_rfind(self: str, sub: Any, start: Any = 0, end: Any = None, /) -> int:
    return _place(str.rfind, "rfind", self, sub, start, end)


def _charge_backwards(self: str, sub: str) -> None:
    """Counts the work of a search from the end, which Python does the simple way."""
    if len(sub) > 16:
        charge(len(self) * len(sub) >> 9)


def string_index(self: str, sub: Any, start: Any = 0, end: Any = None, /) -> int:
    return _place(str.find, "index", self, sub, start, end)


def string_rindex(self: str, sub: Any, start: Any = 0, end: Any = None, /) -> int:
    return _place(str.rfind, "rindex", self, sub, start, end)


def _place(method: Any, function: str, self: str, sub: Any, start: Any, end: Any) -> int:
    """Where a part of a string has `sub`: what is not there is at no index, and found at -1."""
    want_string(sub, function, "sub")
    if not self.isascii():
        self, sub = raw(self), raw(sub)
    low, high = range_of(self, start, end, function)
    if method is str.rfind:
        _charge_backwards(self, sub)
    place = int(method(self, sub, low, high))
    if place < 0 and function.endswith("index"):
        raise EvaluationError(f"substring {repr_of(sub)} not found in {repr_of(self)}")
    return place


def string_format(self: str, /, *args: Any, **kwargs: Any) -> Any:
    return format_method(self, args, kwargs)


def string_isalnum(self: str) -> bool:
    return letters(self).isalnum()


def string_isalpha(self: str) -> bool:
    return letters(self).isalpha()


def string_isdigit(self: str) -> bool:
    return self.isascii() and self.isdigit()


def string_islower(self: str) -> bool:
    return letters(self).islower()


def string_isspace(self: str) -> bool:
    return letters(self).isspace()


def string_istitle(self: str) -> bool:
    return letters(self).istitle()


def string_isupper(self: str) -> bool:
    return letters(self).isupper()


def string_join(self: str, elements: Any, /) -> Any:
    parts = elements_of(elements.stand_in() if isinstance(elements, Value) else elements)
    if len(parts) > 32:
        check_size(len(self) * len(parts), "a string")
    try:
        if len(parts) > 32:
            check_size(sum(map(len, parts)), "a string")
        text = joined(self.join(parts))
    except TypeError:
        for position, part in enumerate(parts):
            if type(part) is not str:
                raise EvaluationError(
                    f"expected string for sequence element {position}, got '{type_of(part)}'"
                    f" ({repr_of(part)[:60]})"
                ) from None
        raise
    if len(text) > 4096:
        check_size(len(text), "a string")
    return written(text, (parts,), "....join({})")


def string_lower(self: str) -> str:
    return self.lower() if self.isascii() else self.translate(_LOWER)


def string_upper(self: str) -> str:
    return self.upper() if self.isascii() else self.translate(_UPPER)


def string_title(self: str) -> str:
    if self.isascii():
        return self.title()
    letters, is_inside = [], False
    for character in raw(self):
        # Bazel: `StringModule.title`, which knows the letters of Latin-1.
        letters.append(character.lower() if is_inside else character.upper())
        is_inside = character.isalpha()
    return whole("".join(letters))


def _characters(self: str, chars: Any, function: str) -> str:
    if chars is None:
        return " \t\n\r\v\f"
    want(chars, str, function, "chars", "string or NoneType")
    if len(chars) > 16:  # Python looks each character up in all of them
        chars = "".join(dict.fromkeys(chars))
        charge(len(self) * len(chars) >> 8)
    return str(chars)


def string_lstrip(self: str, chars: Any = None, /) -> str:
    return self.lstrip(_characters(self, chars, "lstrip"))


def string_rstrip(self: str, chars: Any = None, /) -> str:
    return self.rstrip(_characters(self, chars, "rstrip"))


def string_strip(self: str, chars: Any = None, /) -> str:
    return self.strip(_characters(self, chars, "strip"))


def string_partition(self: str, sep: Any, /) -> tuple[str, str, str]:
    want_string(sep, "partition", "sep")
    if not sep:
        raise EvaluationError("empty separator")
    return self.partition(sep)


def string_rpartition(self: str, sep: Any, /) -> tuple[str, str, str]:
    want_string(sep, "rpartition", "sep")
    if not sep:
        raise EvaluationError("empty separator")
    _charge_backwards(self, sep)
    return self.rpartition(sep)


def string_removeprefix(self: str, prefix: Any, /) -> str:
    want_string(prefix, "removeprefix", "prefix")
    return self.removeprefix(prefix)


def string_removesuffix(self: str, suffix: Any, /) -> str:
    want_string(suffix, "removesuffix", "suffix")
    return self.removesuffix(suffix)


def string_replace(self: str, old: Any, new: Any, count: Any = -1, /) -> str:
    want_string(old, "replace", "old")
    want_string(new, "replace", "new")
    if count is None:
        count = -1
    want(count, int, "replace", "count", "int")
    if len(new) > len(old):
        times = self.count(old)
        if 0 <= count < times:
            times = count
        check_size(len(self) + times * (len(new) - len(old)), "a string")
    if not old and not self.isascii():
        return whole(raw(self).replace(old, raw(new), count))
    return self.replace(old, new, count)


def _separator(sep: Any, function: str) -> str | None:
    if sep is None:
        return None
    want_string(sep, function, "sep")
    if not sep:
        raise EvaluationError("empty separator")
    return str(sep)


def string_split(self: str, sep: Any = None, maxsplit: Any = None) -> List:
    limit = -1 if maxsplit is None else maxsplit
    want(limit, int, "split", "maxsplit", "int")
    return sized_list(self.split(_separator(sep, "split"), limit))


def string_rsplit(self: str, sep: Any = None, maxsplit: Any = None) -> List:
    limit = -1 if maxsplit is None else maxsplit
    want(limit, int, "rsplit", "maxsplit", "int")
    separator = _separator(sep, "rsplit")
    _charge_backwards(self, separator or "")
    return sized_list(self.rsplit(separator, limit))


def string_splitlines(self: str, keepends: Any = False, /) -> List:
    charge(len(self) >> 1)
    want(keepends, bool, "splitlines", "keepends", "bool")
    lines = _LINE.findall(self)
    if not keepends:
        lines = [line.removesuffix("\n").removesuffix("\r") for line in lines]
    return sized_list(lines)


METHODS: dict[str, Callable[..., Any]] = {
    name.removeprefix("string_"): function
    for name, function in globals().items()
    if name.startswith("string_")
}
