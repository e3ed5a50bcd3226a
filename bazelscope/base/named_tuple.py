"""Named tuples that cost as little as a class does.

`typing.NamedTuple` writes the text of `__new__` for each class and compiles it: a seventh of a
millisecond, of which a run that asks one question would pay for eighty classes. Here it is compiled
once for each number of fields, and the other methods are the same for all.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from functools import cache
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple

try:
    from _collections import _tuplegetter  # type: ignore[import-not-found]
except ImportError:  # Another Python than C's.
    from operator import itemgetter

    def _tuplegetter(number: int, doc: str) -> property:
        return property(itemgetter(number), doc=doc)


class _Making(type):
    """Makes a tuple of each class that is derived from `NamedTuple`."""

    def __new__(cls, name: str, bases: tuple[type, ...], written: dict[str, Any]) -> type:
        annotated = written.get("__annotations__")
        if annotated is None:
            annotated = inspect.get_annotations(type(name, (), dict(written)))
        fields = tuple(annotated)
        defaults = {one: written[one] for one in fields if one in written}
        if list(defaults) != list(fields[len(fields) - len(defaults) :]):
            raise TypeError(f"{name}: a field without a default follows one with it")
        own = {**_METHODS, **written}
        for number, field in enumerate(fields):
            own[field] = _tuplegetter(number, f"Field {number}")
        own["__slots__"] = ()
        own["_fields"] = own["__match_args__"] = fields
        own["_field_defaults"] = defaults
        own["__new__"] = _new(fields, tuple(defaults.values()))
        return type(name, (tuple,), own)


def _new(fields: tuple[str, ...], defaults: tuple[Any, ...]) -> Callable[..., Any]:
    """The `__new__` of a tuple with these fields."""
    code = _code(len(fields)).replace(co_varnames=("_cls", *fields))
    return FunctionType(code, {"_tuple_new": tuple.__new__}, "__new__", defaults)


@cache
def _code(count: int) -> CodeType:
    """The code that makes a tuple of so many arguments."""
    names = [f"field{number}" for number in range(count)]
    scope: dict[str, Any] = {}
    values = "".join(f"{one}, " for one in names)
    exec(f"def __new__({', '.join(('_cls', *names))}): return _tuple_new(_cls, ({values}))", scope)
    code: CodeType = scope["__new__"].__code__
    return code


def _make(cls: Any, values: Iterable[Any]) -> Any:
    """A tuple of as many values as there are fields."""
    made = tuple.__new__(cls, values)
    if len(made) != len(cls._fields):
        raise TypeError(f"Expected {len(cls._fields)} arguments, got {len(made)}")
    return made


def _replace(self: Any, /, **values: Any) -> Any:
    """The tuple with other values in some fields."""
    made = self._make(map(values.pop, self._fields, self))
    if values:
        raise ValueError(f"Got unexpected field names: {list(values)!r}")
    return made


def _asdict(self: Any) -> dict[str, Any]:
    return dict(zip(self._fields, self, strict=True))


def _repr(self: Any) -> str:
    values = ", ".join(
        [f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True)]
    )
    return f"{type(self).__name__}({values})"


def _arguments(self: Any) -> tuple[Any, ...]:
    """What a copy is made with."""
    return tuple(self)


_METHODS = {
    "_make": classmethod(_make),
    "_replace": _replace,
    "_asdict": _asdict,
    "__repr__": _repr,
    "__getnewargs__": _arguments,
    "__replace__": _replace,
}

if not TYPE_CHECKING:
    NamedTuple = type.__new__(_Making, "NamedTuple", (), {})
