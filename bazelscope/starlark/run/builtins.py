"""The functions that every Starlark program may use, whatever its host."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

from bazelscope.starlark.run import operators
from bazelscope.starlark.run.access import attr
from bazelscope.starlark.run.arguments import want, want_string
from bazelscope.starlark.run.containers import Dict, List, elements_of, merge, put, size_of
from bazelscope.starlark.run.faults import EvaluationError
from bazelscope.starlark.run.json_module import Json
from bazelscope.starlark.run.methods import TABLES, attribute_names, no_attribute, pairs_of
from bazelscope.starlark.run.sets import Set
from bazelscope.starlark.run.state import RUNNING, charge, check_size
from bazelscope.starlark.run.text_of_values import (
    float_text,
    raw,
    repr_of,
    str_of,
)
from bazelscope.starlark.run.unknown_operands import tolerant_functions, with_stand_in, written
from bazelscope.starlark.run.values import Value, type_of, wrong_type

_REQUIRED: Any = object()


def _sequence(value: Any, function: str, parameter: str) -> Any:
    """The elements of an argument whose declared type is `iterable`."""
    if isinstance(value, (str, int, float, bytes)) or value is None:
        raise EvaluationError(wrong_type(function, parameter, value, "iterable"))
    return _elements(value)


def _elements(value: Any) -> Any:
    """The elements of `value`, charged for."""
    elements = elements_of(value)
    size = len(elements)
    if size > 32:
        check_size(size, "a sequence")
        charge(size)
    return elements


def abs_(x: Any, /) -> Any:
    if type(x) not in (int, float):
        raise EvaluationError(wrong_type("abs", "x", x, "int or float"))
    return abs(x)


def all_(elements: Any, /) -> bool:
    return all(_elements(elements))


def any_(elements: Any, /) -> bool:
    return any(_elements(elements))


def bool_(x: Any = False, /) -> bool:
    return bool(x)


def bytes_(x: Any, /) -> bytes:
    if type(x) is str:
        check_size(len(x), "a bytes value")
        return x.encode("utf-8", "replace")
    if type(x) is bytes:
        return x
    made = bytearray()
    for position, element in enumerate(_elements(x)):
        if type(element) is not int or not 0 <= element <= 255:
            raise EvaluationError(
                f"at index {position}, got {repr_of(element)}, want int in the range [0, 255]"
            )
        made.append(element)
    return bytes(made)


def dict_(pairs: Any = (), /, **kwargs: Any) -> Any:
    made = Dict()
    if isinstance(pairs, dict):
        merge(made, pairs)
    else:
        if isinstance(pairs, Value) and type_of(pairs) == "dict":
            items: Any = pairs.get_attr("items")
            pairs = items()
        if isinstance(pairs, (str, int, float)) or pairs is None:
            raise EvaluationError(f"in dict, got {type_of(pairs)}, want iterable")
        for key, value in pairs_of(pairs, "dict"):
            if isinstance(key, str) and isinstance(key, Value):
                # It may be any key: whether another is there, nobody can tell.
                return key.in_place_of("dict({})")
            put(made, key, value)
    made.update(kwargs)
    return made


def dir_(x: Any, /) -> List:
    names = attribute_names(x)
    charge(len(names))
    return List(names)


def enumerate_(list: Any, start: Any = 0) -> List:
    want(start, int, "enumerate", "start", "int")
    return List(enumerate(_elements(list), start))


def fail(*args: Any, msg: Any = None, attr: Any = None, sep: Any = " ") -> None:
    words = [str_of(arg) for arg in args]
    if msg is not None:
        words.insert(0, str_of(msg))
    message = (sep if type(sep) is str else " ").join(words)
    if attr is not None:
        message = f"attribute {attr}: {message}"
    raise EvaluationError(message, code="starlark-fail")


def float_(x: Any = 0.0, /) -> float:
    if type(x) is bool:
        return float(x)
    if type(x) in (int, float):
        try:
            return float(x)
        except OverflowError:
            raise EvaluationError("int too large to convert to float") from None
    if type(x) is str:
        try:
            value = float(x) if "_" not in x and x == x.strip() else None
        except ValueError:
            value = None
        if value is None:
            raise EvaluationError(f"invalid float literal: {repr_of(x)}")
        return value
    raise EvaluationError(f"got {type_of(x)}, want string, int, float, or bool")


def getattr_(x: Any, name: Any, default: Any = _REQUIRED, /) -> Any:
    want_string(name, "getattr", "name")
    table = TABLES.get(type(x))
    if table is not None and name in table:
        return attr(x, name)
    if isinstance(x, Value):
        try:
            return x.get_attr(name)
        except AttributeError:
            pass
    if default is _REQUIRED:
        raise no_attribute(x, name)
    return default


def hasattr_(x: Any, name: Any, /) -> bool:
    want_string(name, "hasattr", "name")
    marker = object()
    return getattr_(x, name, marker) is not marker


def hash_(value: Any, /) -> int:
    want_string(value, "hash", "value")
    result = 0
    units = raw(value)
    charge(len(units) >> 1)
    for unit in map(ord, units):
        result = (31 * result + unit) & 0xFFFFFFFF
    return result - (1 << 32) if result >> 31 else result


BASES = {"0x": 16, "0o": 8, "0b": 2}
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def int_(x: Any, base: Any = _REQUIRED) -> int:
    if type(x) is not str:
        if base is not _REQUIRED:
            raise EvaluationError("can't convert non-string with explicit base")
        if type(x) is bool or type(x) is int:
            return int(x)
        if type(x) is float:
            if not math.isfinite(x):
                raise EvaluationError(f"cannot convert float {float_text(x)} to integer")
            return int(x)
        raise EvaluationError(f"got {type_of(x)}, want string, int, float, or bool")
    number = 10 if base is _REQUIRED else base
    want(number, int, "int", "base", "int")
    return _parse_int(x, number)


def _parse_int(text: str, base: int) -> int:
    invalid = EvaluationError(f"invalid base-{base} literal: {repr_of(text)}")
    if base != 0 and not 2 <= base <= 36:
        raise EvaluationError(f"invalid base {base} (want 2 <= base <= 36)")
    if not text:
        raise EvaluationError("empty string")
    if len(text) > 4000:
        raise EvaluationError("int: the string is too long")
    digits = text[1:] if text[:1] in ("+", "-") else text
    prefix = BASES.get(digits[:2].lower())
    if prefix is not None and base in (0, prefix):
        base, digits = prefix, digits[2:]
    elif base == 0:
        if len(digits) > 1 and digits[0] == "0":
            raise EvaluationError(f"cannot infer base when string begins with a 0: {repr_of(text)}")
        base = 10
    allowed = _DIGITS[:base]
    if not digits or any(character not in allowed for character in digits.lower()):
        raise invalid
    value = int(digits, base)
    return -value if text[0] == "-" else value


def len_(x: Any, /) -> int:
    if isinstance(x, Value):
        return x.length()
    if isinstance(x, dict):
        return size_of(x)
    if isinstance(x, (str, list, tuple, range, bytes)):
        return len(raw(x) if type(x) is str and not x.isascii() else x)
    raise EvaluationError(f"{type_of(x)} is not iterable")


def list_(x: Any = (), /) -> List:
    return List(_sequence(x, "list", "x"))


def tuple_(x: Any = (), /) -> tuple[Any, ...]:
    return x if type(x) is tuple else tuple(_sequence(x, "tuple", "x"))


_PLAIN = ({str}, {int})
"""Types that Python orders as Starlark does, as long as they are not mixed."""


def _extreme(
    args: tuple[Any, ...],
    key: Any,
    better: Callable[[Any, Any], bool],
    plainly: Callable[[Any], Any],
) -> Any:
    elements = _elements(args[0]) if len(args) == 1 else args
    if not elements:
        raise EvaluationError("expected at least one item")
    if key is None and set(map(type, elements)) in _PLAIN:
        return plainly(elements)
    charge(2 * len(elements))
    best: Any = _REQUIRED
    best_key: Any = None
    for element in elements:
        measured = element if key is None else key(element)
        if best is _REQUIRED or better(measured, best_key):
            best, best_key = element, measured
    return best


def max_(*args: Any, key: Any = None) -> Any:
    return _extreme(args, key, operators.gt, max)


def min_(*args: Any, key: Any = None) -> Any:
    return _extreme(args, key, operators.lt, min)


def print_(*args: Any, sep: Any = " ") -> None:
    want_string(sep, "print", "sep")
    line = sep.join(str_of(arg) for arg in args)
    check_size(len(line), "a string")
    RUNNING.thread.print_handler(line)


def range_(start_or_stop: Any, stop_or_none: Any = _REQUIRED, step: Any = 1, /) -> range:
    want(start_or_stop, int, "range", "start_or_stop", "int")
    start, stop = start_or_stop, stop_or_none
    if stop is _REQUIRED or stop is None:
        start, stop = 0, start
    elif type(stop) is not int:
        raise EvaluationError(wrong_type("range", "stop_or_none", stop, "int or NoneType"))
    want(step, int, "range", "step", "int")
    for value, name in ((start, "start"), (stop, "stop"), (step, "step")):
        if not -(1 << 31) <= value < 1 << 31:
            raise EvaluationError(f"got {value} for {name}, want value in signed 32-bit range")
    if step == 0:
        raise EvaluationError("step cannot be 0")
    return range(start, stop, step)


def repr_(x: Any, /) -> Any:
    return written(repr_of(x), (x,), "repr({})")


def reversed_(sequence: Any, /) -> List:
    return List(reversed(list(_sequence(sequence, "reversed", "sequence"))))


def sorted_(iterable: Any, /, *, key: Any = None, reverse: Any = False) -> List:
    elements = _sequence(iterable, "sorted", "iterable")
    if type(reverse) is not bool:
        raise EvaluationError(wrong_type("sorted", "reverse", reverse, "bool"))
    if isinstance(elements, dict):
        elements = list(elements)
    keys = elements if key is None else [key(element) for element in elements]
    if set(map(type, keys)) not in _PLAIN:
        size = len(elements)
        charge(size * size.bit_length())
        # What is not known is sorted as what stands for it, if anything does.
        keys = [operators.Ordered(with_stand_in(measured)) for measured in keys]
    elif key is None:
        return List(sorted(elements, reverse=reverse))
    order = sorted(range(len(elements)), key=keys.__getitem__, reverse=reverse)
    return List([elements[position] for position in order])


def set_(elements: Any = (), /) -> Set:
    return Set(_sequence(elements, "set", "elements"))


def str_(x: Any, /) -> Any:
    return x if type(x) is str else written(str_of(x), (x,), "str({})")


def type_(x: Any, /) -> Any:
    return x.type_name() if isinstance(x, Value) else type_of(x)


def zip_(*args: Any) -> List:
    return List(zip(*(_elements(arg) for arg in args), strict=False))


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "abs": abs_, "all": all_, "any": any_, "bool": bool_, "bytes": bytes_, "dict": dict_,
    "dir": dir_, "enumerate": enumerate_, "fail": fail, "float": float_, "getattr": getattr_,
    "hasattr": hasattr_, "hash": hash_, "int": int_, "len": len_, "list": list_, "max": max_,
    "min": min_, "print": print_, "range": range_, "repr": repr_, "reversed": reversed_,
    "set": set_, "sorted": sorted_, "str": str_, "tuple": tuple_, "type": type_, "zip": zip_,
}  # fmt: skip

for _name, _function in _FUNCTIONS.items():
    _function.__name__ = _function.__qualname__ = _name


@functools.lru_cache(maxsize=1)
def _universe() -> dict[str, object]:
    names: dict[str, object] = {"None": None, "True": True, "False": False, "json": Json()}
    names.update(tolerant_functions(_FUNCTIONS, _FUNCTIONS.keys() - {"fail"}, "NAME({})"))
    return names


def universe() -> dict[str, object]:
    """The predeclared names of every dialect, for a host to add its own to."""
    return dict(_universe())
