"""Starlark's values in Python: which are Python's own, which are subclasses, and host values.

None, bool, int, float, str, tuple and range are Python's own. Lists and dicts are subclasses
whose *class* is their state: a list that is being iterated over is an `IteratedList`, a frozen
one a `FrozenList`; so a value costs no more memory than Python's, and changing state copies
nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any, ClassVar, NoReturn

from bazelscope.starlark.compiler import FILE_PREFIX, demangle


class EvaluationError(Exception):
    """Raised by the runtime while a program runs; `execute` adds place and call stack."""

    def __init__(self, message: str, hint: str | None = None, code: str = "starlark-eval") -> None:
        super().__init__(message)
        self.hint = hint
        self.code = code


class LimitReached(EvaluationError):
    """A limit that the caller has set is exceeded."""

    def __init__(self, message: str) -> None:
        super().__init__(message, code="starlark-limit")


class List(list[Any]):
    """A Starlark list that may be changed."""

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        return equals(self, other)

    def __ne__(self, other: object) -> bool:
        return not equals(self, other)


class IteratedList(List):
    """A list while a loop runs over it: it cannot be changed."""

    __slots__ = ()


class FrozenList(List):
    """A list of a module that has ended: it can never be changed again."""

    __slots__ = ()


class Dict(dict[Any, Any]):
    """A Starlark dict that may be changed."""

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        return equals(self, other)

    def __ne__(self, other: object) -> bool:
        return not equals(self, other)


class IteratedDict(Dict):
    """A dict while a loop runs over it: it cannot be changed."""

    __slots__ = ()


class FrozenDict(Dict):
    """A dict of a module that has ended: it can never be changed again."""

    __slots__ = ()


Range = range
Bytes = bytes


class Value:
    """A value that the host defines; it overrides what its kind can do.

    Nothing of a Value's Python attributes can be reached from Starlark: every `x.name` of a
    program asks `get_attr`.
    """

    __slots__ = ()
    starlark_type: ClassVar[str] = "value"

    def get_attr(self, name: str) -> object:
        """The attribute `name`; AttributeError if there is none."""
        raise AttributeError(name)

    def attr_names(self) -> Iterable[str]:
        """The names that `get_attr` knows, for dir() and for suggestions."""
        return ()

    def set_attr(self, name: str, value: object) -> None:
        """Assigns an attribute; AttributeError if this value has none to assign."""
        raise AttributeError(name)

    def truth(self) -> bool:
        return True

    def binary(self, op: str, other: object, reflected: bool) -> object:
        """`self op other`, or `other op self` if `reflected`; NotImplemented to decline."""
        return NotImplemented

    def unary(self, op: str) -> object:
        return NotImplemented

    def index(self, key: object) -> object:
        """`self[key]`; TypeError if this kind of value has no elements."""
        raise TypeError(f"type '{self.starlark_type}' has no operator [](key)")

    def set_index(self, key: object, value: object) -> None:
        raise TypeError(f"type '{self.starlark_type}' does not support item assignment")

    def contains(self, key: object) -> object:
        """`key in self`; NotImplemented if this kind of value has no such operator."""
        return NotImplemented

    def iterate(self) -> Iterable[object]:
        """The elements in order; TypeError if this kind of value is not iterable."""
        raise TypeError(f"type '{self.starlark_type}' is not iterable")

    def length(self) -> int:
        raise TypeError(f"type '{self.starlark_type}' has no length")

    def freeze(self) -> None:
        """Called once the module that owns the value has ended."""

    def equals(self, other: object) -> bool:
        return self is other

    def hash(self) -> int:
        """The hash of the value; TypeError if it cannot be a key."""
        return id(self) >> 4

    def compare(self, other: object) -> int:
        """Negative, zero or positive as self sorts before, with or after other."""
        raise TypeError(f"type '{self.starlark_type}' has no ordering")

    def to_repr(self) -> str:
        return f"<{self.starlark_type}>"

    def to_str(self) -> str:
        return self.to_repr()

    # Python's own protocols, so that host values work inside lists, dicts and conditions.

    def __bool__(self) -> bool:
        return self.truth()

    def __eq__(self, other: object) -> bool:
        return self is other or self.equals(other)

    def __ne__(self, other: object) -> bool:
        return not (self is other or self.equals(other))

    def __hash__(self) -> int:
        return self.hash()

    def __iter__(self) -> Iterator[object]:
        return iter(self.iterate())

    def __repr__(self) -> str:
        return self.to_repr()


class Builtin(Value):
    """A function of the host under the name that programs know it by."""

    __slots__ = ("function", "name")
    starlark_type: ClassVar[str] = "builtin_function_or_method"

    def __init__(self, name: str, function: Callable[..., object]) -> None:
        self.name = name
        self.function = function

    def __call__(self, *args: object, **kwargs: object) -> object:
        return self.function(*args, **kwargs)

    def to_repr(self) -> str:
        return f"<built-in function {self.name}>"


class Set(Value):
    """A Starlark set: insertion-ordered, of hashable elements."""

    __slots__ = ("elements", "frozen", "iterators")
    starlark_type: ClassVar[str] = "set"

    def __init__(self, elements: Iterable[object] = ()) -> None:
        self.elements: dict[object, None] = dict.fromkeys(elements)
        self.frozen = False
        self.iterators = 0

    def truth(self) -> bool:
        return bool(self.elements)

    def iterate(self) -> Iterable[object]:
        return list(self.elements)

    def length(self) -> int:
        return len(self.elements)

    def contains(self, key: object) -> object:
        return key in self.elements

    def freeze(self) -> None:
        self.frozen = True

    def equals(self, other: object) -> bool:
        return isinstance(other, Set) and self.elements.keys() == other.elements.keys()

    def hash(self) -> int:
        raise TypeError("unhashable type: 'set'")

    def to_repr(self) -> str:
        return f"set([{', '.join(repr_of(element) for element in self.elements)}])"


_TYPE_NAMES: dict[type, str] = {
    type(None): "NoneType", bool: "bool", int: "int", float: "float", str: "string",
    tuple: "tuple", range: "range", bytes: "bytes",
    List: "list", IteratedList: "list", FrozenList: "list", list: "list",
    Dict: "dict", IteratedDict: "dict", FrozenDict: "dict", dict: "dict",
    BuiltinFunctionType: "builtin_function_or_method",
    MethodType: "builtin_function_or_method",
}  # fmt: skip


def is_function(value: object) -> bool:
    """Whether `value` is a function that a Starlark program defines."""
    return type(value) is FunctionType and value.__code__.co_filename.startswith(FILE_PREFIX)


def type_of(value: object) -> str:
    """What Starlark's `type(value)` returns."""
    name = _TYPE_NAMES.get(type(value))
    if name is not None:
        return name
    if isinstance(value, Value):
        return value.starlark_type
    if is_function(value):
        return "function"
    if callable(value):
        return "builtin_function_or_method"
    return type(value).__name__


def truth(value: object) -> bool:
    """Whether `value` counts as true in a condition."""
    return bool(value)


# ---- Equality


def equals(a: object, b: object) -> bool:
    """Starlark's `==`: a bool equals no number, a list no tuple, at any depth."""
    if a is b:
        return a == a if type(a) is float else True
    kind = type(a)
    if kind is str or kind is bytes or a is None:
        return bool(a == b)
    if kind is bool or type(b) is bool:
        return False  # a bool equals only itself
    if kind is int or kind is float:
        return type(b) in (int, float) and bool(a == b)
    if isinstance(a, list):
        return isinstance(b, list) and _equal_sequences(a, b)
    if kind is tuple:
        return type(b) is tuple and _equal_sequences(a, b)  # type: ignore[arg-type]
    if isinstance(a, dict):
        return isinstance(b, dict) and _equal_dicts(a, b)
    if isinstance(a, Value):
        return a.equals(b)
    if isinstance(b, Value):
        return b.equals(a)
    return bool(a == b)


def _equal_sequences(a: Any, b: Any) -> bool:
    if len(a) != len(b):
        return False
    return all(x is y or equals(x, y) for x, y in zip(a, b))


_MISSING = object()


def _equal_dicts(a: dict[Any, Any], b: dict[Any, Any]) -> bool:
    if len(a) != len(b):
        return False
    for key, value in a.items():
        other = b.get(key, _MISSING)
        if other is _MISSING or not (value is other or equals(value, other)):
            return False
    return True


# ---- Iteration


def iterate(value: object) -> Iterable[Any]:
    """The elements of an iterable value; EvaluationError for anything else (strings too)."""
    if isinstance(value, (list, tuple, dict, range)):
        return value
    if isinstance(value, Value):
        return value.iterate()
    raise EvaluationError(f"type '{type_of(value)}' is not iterable")


# ---- Text

_ESCAPES = {
    ord('"'): '\\"', ord("\\"): "\\\\", ord("\n"): "\\n", ord("\r"): "\\r", ord("\t"): "\\t",
}  # fmt: skip
_ESCAPES.update({code: f"\\x{code:02x}" for code in range(32) if code not in _ESCAPES})
_ESCAPES[127] = "\\x7f"

MAX_REPR_DEPTH = 200


def quote(text: str) -> str:
    """A string as a Starlark literal."""
    return '"' + text.translate(_ESCAPES) + '"'


def str_of(value: object) -> str:
    """What Starlark's `str(value)` returns."""
    if type(value) is str:
        return value
    if isinstance(value, Value):
        return value.to_str()
    if type(value) is bytes:
        return value.decode("utf-8", "replace")
    return repr_of(value)


def repr_of(value: object) -> str:
    """What Starlark's `repr(value)` returns."""
    out: list[str] = []
    _write_repr(value, out, [], [0])
    return "".join(out)


def _write_repr(value: object, out: list[str], outer: list[int], size: list[int]) -> None:
    kind = type(value)
    if kind is str:
        text = quote(value)  # type: ignore[arg-type]
    elif value is None or kind is bool:
        text = str(value)
    elif kind is int:
        text = int_text(value)  # type: ignore[arg-type]
    elif kind is float:
        text = float_text(value)  # type: ignore[arg-type]
    elif isinstance(value, (list, tuple, dict)):
        _write_container(value, out, outer, size)
        return
    elif isinstance(value, Value):
        text = value.to_repr()
    elif kind is range:
        assert isinstance(value, range)
        text = f"range({value.start}, {value.stop}"
        text += f", {value.step})" if value.step != 1 else ")"
    elif kind is bytes:
        text = "b" + quote(value.decode("latin-1"))  # type: ignore[union-attr]
    elif is_function(value):
        name = demangle(value.__name__)  # type: ignore[attr-defined]
        text = "lambda" if name == "<lambda>" else name
        text = f"<function {text}>"
    else:
        text = f"<built-in function {getattr(value, '__name__', '?')}>"
    size[0] += len(text)
    if size[0] > MAX_TEXT:
        raise LimitReached(f"the text of a value exceeds {MAX_TEXT} characters")
    out.append(text)


MAX_TEXT = 1 << 25


def _write_container(value: Any, out: list[str], outer: list[int], size: list[int]) -> None:
    opening, closing = ("[", "]") if isinstance(value, list) else ("(", ")")
    if isinstance(value, dict):
        opening, closing = "{", "}"
    if id(value) in outer:
        out.append(f"{opening}...{closing}")
        return
    if len(outer) > MAX_REPR_DEPTH:
        raise LimitReached("a value is nested too deeply to be printed")
    outer.append(id(value))
    out.append(opening)
    first = True
    for item in value:
        size[0] += 2
        if not first:
            out.append(", ")
        first = False
        _write_repr(item, out, outer, size)
        if isinstance(value, dict):
            out.append(": ")
            _write_repr(value[item], out, outer, size)
    if type(value) is tuple and len(value) == 1:
        out.append(",")
    out.append(closing)
    outer.pop()


def int_text(value: int) -> str:
    """The decimal digits of an integer of any size that the runtime allows."""
    try:
        return str(value)
    except ValueError:  # Python limits the digits that it converts at once
        if value < 0:
            return "-" + int_text(-value)
        half = value.bit_length() * 3 // 20
        high, low = divmod(value, 10**half)
        return int_text(high) + int_text(low).rjust(half, "0")


def float_text(value: float) -> str:
    """A float as Starlark prints it: always with a point or an exponent."""
    if value != value:
        return "nan"
    if value in (float("inf"), float("-inf")):
        return "+inf" if value > 0 else "-inf"
    text = repr(value)
    return text


# ---- Freezing


def freeze(value: object) -> None:
    """Makes `value`, and all that can be reached from it, immutable."""
    pending: list[object] = [value]
    seen: set[int] = set()
    while pending:
        item = pending.pop()
        kind = type(item)
        if kind is List or kind is IteratedList:
            assert isinstance(item, List)
            item.__class__ = FrozenList
            pending += [part for part in item if type(part) is not str]
        elif kind is Dict or kind is IteratedDict:
            assert isinstance(item, Dict)
            item.__class__ = FrozenDict
            for key, part in item.items():
                if type(part) is not str:
                    pending.append(part)
                if type(key) is not str:
                    pending.append(key)
        elif kind is tuple:
            assert isinstance(item, tuple)
            if id(item) not in seen:
                seen.add(id(item))
                pending += [part for part in item if type(part) is not str]
        elif isinstance(item, Value):
            if id(item) not in seen:
                seen.add(id(item))
                item.freeze()
        elif kind is FunctionType and id(item) not in seen:
            seen.add(id(item))
            pending += _function_parts(item)


def _function_parts(function: Any) -> list[object]:
    if not is_function(function):
        return []
    parts: list[object] = list(function.__defaults__ or ())
    parts += (function.__kwdefaults__ or {}).values()
    for cell in function.__closure__ or ():
        try:
            parts.append(cell.cell_contents)
        except ValueError:  # a variable that was never assigned
            continue
    return parts


def check_mutable(value: object) -> None:
    """EvaluationError if `value`, a list or dict, may not be changed now."""
    kind = type(value)
    if kind is List or kind is Dict:
        return
    _refuse(value)


def _refuse(value: object) -> NoReturn:
    what = type_of(value)
    if isinstance(value, (IteratedList, IteratedDict)):
        raise EvaluationError(
            f"{what} value is temporarily immutable due to active for-loop iteration"
        )
    raise EvaluationError(f"trying to mutate a frozen {what} value")
