"""Starlark's types in Python, and the protocol of the values that a host defines.

None, bool, int, float, str, bytes, tuple and range are Python's own; lists and dicts are
subclasses (`containers.py`), and so are functions Python functions. Everything else is a
`Value`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import ClassVar

from bazelscope.starlark.compile.emitter import FILE_PREFIX
from bazelscope.starlark.run.state import charge

_CALL = 4
"""The steps of a call of a host's function, which takes as long as so many of a program's."""

Range = range
Bytes = bytes

TYPE_NAMES: dict[type, str] = {
    type(None): "NoneType",
    bool: "bool",
    int: "int",
    float: "float",
    str: "string",
    tuple: "tuple",
    range: "range",
    bytes: "bytes",
    list: "list",
    dict: "dict",
    BuiltinFunctionType: "builtin_function_or_method",
    MethodType: "builtin_function_or_method",
}
"""What `type(x)` returns for the types that are Python's own; `containers.py` adds some."""


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
        """The names that `get_attr` knows: what the value holds."""
        return ()

    def dir_names(self) -> Iterable[str]:
        """The names that dir() lists, but for those of methods."""
        return self.attr_names()

    def method_names(self) -> Iterable[str]:
        """The methods that dir() lists where a dialect has them."""
        return ()

    def hint_of(self, name: str) -> str | None:
        """What to do about an attribute that the value lacks; None: what is spelt nearly so."""
        return None

    def words_of_missing(self, name: str) -> str | None:
        """How to say that the value has no such attribute; None: as of any other value."""
        return None

    def set_attr(self, name: str, value: object) -> None:
        """Assigns an attribute; AttributeError if this value has none to assign."""
        raise AttributeError(name)

    def truth(self) -> bool:
        return True

    def binary(self, op: str, other: object, reflected: bool) -> object:
        """`self op other`, or `other op self` if `reflected`; NotImplemented to decline."""
        return NotImplemented

    def unary(self, op: str) -> object:
        """`op self`; NotImplemented to decline."""
        return NotImplemented

    def index(self, key: object) -> object:
        """`self[key]`; TypeError if this kind of value has no elements."""
        raise TypeError(f"type '{self.starlark_type}' has no operator []({type_of(key)})")

    def set_index(self, key: object, value: object) -> None:
        """`self[key] = value`; TypeError if this kind of value has none to assign."""
        raise TypeError(
            f"can only assign an element in a dictionary or a list, not in a '{self.starlark_type}'"
        )

    def contains(self, key: object) -> object:
        """`key in self`; NotImplemented if this kind of value has no such operator."""
        return NotImplemented

    def is_key_of(self, table: Collection[object]) -> bool:
        """Whether a value that a dict does not have as a key may yet be one of its keys."""
        return False

    def as_key_of(self, table: Collection[object]) -> object:
        """The key of a dict that this value was found to be; itself if none."""
        return self

    def iterate(self) -> Iterable[object]:
        """The elements in order; TypeError if this kind of value is not iterable."""
        raise TypeError(f"type '{self.starlark_type}' is not iterable")

    def unknown_entry(self) -> tuple[object, object] | None:
        """A key and a value that stand for all entries of this value, because nobody can tell them;
        None for a value that is known."""
        return None

    def unpack(self, count: int) -> tuple[object, ...]:
        """The elements for `count` variables; the caller refuses another number of them."""
        return tuple(self.iterate())

    def length(self) -> int:
        """What `len(self)` returns; TypeError if this kind of value has no length."""
        raise TypeError(f"type '{self.starlark_type}' has no length")

    def in_place_of(self, form: str) -> object:
        """What stands for the result of an operation that cannot be done with this value, because
        nobody can tell what it is; NotImplemented for a value that is known. `form` is the
        operation's text, with `{}` for the value."""
        return NotImplemented

    def in_text(self, text: str, form: str) -> object:
        """What stands for `text`, into which this value was written, because nobody can tell it;
        NotImplemented for a value that is known. `form` as in `in_place_of`."""
        return NotImplemented

    def stand_in(self) -> object:
        """A known value with which operations can be done that cannot be done with this one, and
        whose text stands for it; the value itself if there is none."""
        return self

    def freeze(self) -> None:
        """Makes a value immutable, once the module that owns it has ended; most are already."""

    def equals(self, other: object) -> bool:
        return self is other

    def hash(self) -> int:
        """The hash of the value; TypeError if it cannot be a key."""
        return id(self) >> 4

    def equals_part_of(self, one: Sequence[object], other: Sequence[object]) -> object:
        """Whether two sequences are equal, this value being an element of one of them;
        NotImplemented unless it stands for any number of elements."""
        return NotImplemented

    def type_name(self) -> object:
        """What `type()` returns of the value."""
        return self.starlark_type

    def compare(self, other: object) -> int:
        """Negative, zero or positive as self sorts before, with or after other."""
        raise TypeError(f"unsupported comparison: {self.starlark_type} <=> {type_of(other)}")

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

    def __call__(self, /, *args: object, **kwargs: object) -> object:
        charge(_CALL)
        return self.function(*args, **kwargs)

    def to_repr(self) -> str:
        return f"<built-in function {self.name}>"


def is_function(value: object) -> bool:
    """Whether `value` is a function that a Starlark program defines."""
    return type(value) is FunctionType and value.__code__.co_filename.startswith(FILE_PREFIX)


def type_of(value: object) -> str:
    """What Starlark's `type(value)` returns."""
    name = TYPE_NAMES.get(type(value))
    if name is not None:
        return name
    if isinstance(value, Value):
        return value.starlark_type
    if is_function(value):
        return "function"
    if callable(value):
        return "builtin_function_or_method"
    return type(value).__name__


def wrong_type(function: str, parameter: str, value: object, wanted: str) -> str:
    """What Bazel says of an argument that is of another type than is wanted."""
    got = f"got value of type '{type_of(value)}', want '{wanted}'"
    return f"in call to {function}(), parameter '{parameter}' {got}"


def wrong_element(index: int, parameter: str, value: object, wanted: str) -> str:
    """What Bazel says of an element of an argument that is of another type than is wanted."""
    return f"at index {index} of {parameter}, got element of type {type_of(value)}, want {wanted}"
