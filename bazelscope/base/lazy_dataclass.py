"""Dataclasses whose methods are made when the first of them is called.

`dataclasses.dataclass` writes the text of five methods for a class and compiles each: a third of
a millisecond, of which a run that asks one question would pay for two hundred classes, most of
which it has no instance of. Here a class gets its slots at once, and what stands for its methods
is the same for all classes: each makes the method of the class that it is found in. Values are
compared and shown by their fields without any text of their own, so that `__init__` alone is
compiled, once for each number of fields where these are all given and set as they are.
"""

from __future__ import annotations

import dataclasses
import inspect
import operator
from collections.abc import Callable
from dataclasses import MISSING, Field
from functools import partial
from reprlib import recursive_repr
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any

_FIELDS, _PARAMETERS = "__dataclass_fields__", "__dataclass_params__"
_WRITTEN = "__written__"
"""The attribute that holds what a class was written with: see `_Written`."""
_Written = tuple[dict[str, Any], dict[str, Any], bool]
"""The annotations of a class, what its attributes were, and whether it is frozen."""


def _dataclass(
    cls: type | None = None,
    /,
    *,
    frozen: bool = False,
    slots: bool = False,
    eq: bool = True,
    repr: bool = True,
    order: bool = False,
    weakref_slot: bool = False,
) -> Any:
    """Takes a class as `dataclasses.dataclass` does, and returns what that would."""
    options = {
        "frozen": frozen, "slots": slots, "eq": eq, "repr": repr, "order": order,
        "weakref_slot": weakref_slot,
    }  # fmt: skip
    if cls is None:
        return lambda one: _dataclass(one, **options)
    if "__init__" in cls.__dict__:
        return dataclasses.dataclass(**options)(cls)
    return _unfinished(cls, **options)


if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:
    dataclass = _dataclass


def _unfinished(
    cls: type, frozen: bool, slots: bool, eq: bool, repr: bool, order: bool, weakref_slot: bool
) -> type:
    """The class with slots for its fields if it is to have them, and in the place of its methods
    what makes them."""
    own = dict(cls.__dict__)
    annotated = own.get("__annotations__")
    if annotated is None:
        annotated = inspect.get_annotations(cls)
    annotated = {name: kind for name, kind in annotated.items() if "ClassVar[" not in str(kind)}
    defaults = {name: own[name] for name in annotated if name in own}
    added: dict[str, Any] = {**_ASKED, "__init__": _INIT, _WRITTEN: (annotated, defaults, frozen)}
    if repr and "__repr__" not in own:
        added["__repr__"] = _REPR
    if eq:
        added.setdefault("__eq__", own.get("__eq__", _EQ))
        if own.get("__hash__") is None:
            added["__hash__"] = _HASH if frozen else None
    if order:
        added |= _ORDERS
    if frozen:
        added |= _REFUSALS
    if not slots:
        for name, value in added.items():
            setattr(cls, name, value)
        for name, value in defaults.items():
            if isinstance(value, Field):
                _set_default(cls, name, value)
        return cls
    if frozen:
        added |= _PICKLED
    held = {name for base in cls.__mro__[1:-1] for name in _slots_of(base)}
    for name in (*annotated, "__dict__", "__weakref__"):
        own.pop(name, None)
    own.update(added)
    last = ("__weakref__",) if weakref_slot else ()
    own["__slots__"] = (*(name for name in annotated if name not in held), *last)
    made = type(cls)(cls.__name__, cls.__bases__, own)
    made.__qualname__ = cls.__qualname__
    return made


def _set_default(cls: type, name: str, value: Field[Any]) -> None:
    """Leaves of a field what the class has of it: its default, if there is one."""
    if value.default is MISSING:
        delattr(cls, name)
    else:
        setattr(cls, name, value.default)


def _slots_of(base: type) -> tuple[str, ...]:
    slots = base.__dict__.get("__slots__", ())
    return (slots,) if isinstance(slots, str) else tuple(slots)


class _Later:
    """What stands for an attribute of any class until somebody asks for it."""

    __slots__ = ("_make", "_name")

    def __init__(self, name: str, make: Callable[[type], Any]) -> None:
        self._name = name
        self._make = make

    def __get__(self, instance: object, owner: type) -> Any:
        made: Any = None
        for cls in reversed(owner.__mro__):
            if cls.__dict__.get(self._name) is self:
                made = self._make(cls)
                setattr(cls, self._name, made)
        if made is None:  # Another thread has made it.
            return getattr(owner if instance is None else instance, self._name)
        # What overrides this may be who asks for it, by `super()`.
        return made.__get__(instance, owner) if hasattr(made, "__get__") else made


# ---- What is made ----


def _fields_of(cls: type) -> dict[str, Field[Any]]:
    """The fields of a class and of those that it is derived from."""
    fields: dict[str, Field[Any]] = {}
    for base in cls.__mro__[-1:0:-1]:
        fields.update(getattr(base, _FIELDS, {}))
    annotated, defaults, _ = _written(cls)
    for name, kind in annotated.items():
        default = defaults.get(name, MISSING)
        one: Any = default if isinstance(default, Field) else dataclasses.field(default=default)
        one.name, one.type, one.kw_only = name, kind, False
        one._field_type = dataclasses._FIELD  # type: ignore[attr-defined]
        fields[name] = one
    return fields


def _written(cls: type) -> _Written:
    written: _Written = cls.__dict__[_WRITTEN]
    return written


def _fields(cls: type) -> list[Field[Any]]:
    return list(getattr(cls, _FIELDS).values())


def _parameters_of(cls: type) -> Any:
    """What the class was made with, as `dataclasses` has it."""
    frozen, order = _written(cls)[2], "__lt__" in cls.__dict__
    alike: Any = dataclasses.dataclass(frozen=frozen, order=order)(type("_", (), {}))
    return getattr(alike, _PARAMETERS)


def _matched(cls: type) -> tuple[str, ...]:
    return tuple([one.name for one in _fields(cls) if one.init])


def _init_of(cls: type) -> Callable[..., None]:
    fields, frozen = _fields(cls), _written(cls)[2]
    given = [one for one in fields if one.init]
    # Of a field that is made, that it is missing.
    last = tuple([one.default for one in given if _has_default(one)])
    if any(map(_has_default, given[: len(given) - len(last)])):
        raise TypeError(f"{cls.__qualname__}: a field without a default follows one with it")
    names = [one.name for one in fields]
    ends = hasattr(cls, "__post_init__")
    if ends or len(given) < len(fields) or any(one.default_factory is not MISSING for one in given):
        code, scope = _code_with_factories(fields, frozen, ends)
    else:
        code, scope = _code_of_init(names, frozen), _SCOPE
    init = FunctionType(code, scope, "__init__", last)
    init.__qualname__ = f"{cls.__qualname__}.__init__"
    return init


def _has_default(field: Field[Any]) -> bool:
    return field.default is not MISSING or field.default_factory is not MISSING


_SCOPE = {"_set": object.__setattr__, "_missing": MISSING}
_CODE: dict[tuple[int, bool], CodeType] = {}
"""By the number of fields, and whether the class is frozen, an `__init__` that was compiled."""


def _code_of_init(names: list[str], frozen: bool) -> CodeType:
    """The code that sets fields of these names: that of as many others, which is compiled once,
    with the names exchanged."""
    stand_ins = [f"field{number}" for number in range(len(names))]
    code = _CODE.get((len(names), frozen))
    if code is None:
        lines = [_setting(name, name, frozen) for name in stand_ins]
        code = _CODE[len(names), frozen] = _compiled(stand_ins, lines)
    exchanged = dict(zip(stand_ins, names, strict=True))
    return code.replace(
        co_varnames=("self", *names),
        co_names=tuple([exchanged.get(name, name) for name in code.co_names]),
        co_consts=tuple(
            [exchanged.get(one, one) if isinstance(one, str) else one for one in code.co_consts]
        ),
    )


def _code_with_factories(
    fields: list[Field[Any]], frozen: bool, ends: bool
) -> tuple[CodeType, dict[str, Any]]:
    """The code that sets fields of which some are made or not given, and what it looks up."""
    scope: dict[str, Any] = dict(_SCOPE)
    lines: list[str] = []
    for number, one in enumerate(fields):
        value = one.name
        if one.default_factory is not MISSING:
            made = f"_made{number}"
            scope[made] = one.default_factory
            value = f"{made}() if {value} is _missing else {value}" if one.init else f"{made}()"
        elif not one.init:
            if one.default is MISSING:
                continue
            value = f"_default{number}"
            scope[value] = one.default
        lines.append(_setting(one.name, value, frozen))
    if ends:
        lines.append("self.__post_init__()")
    return _compiled([one.name for one in fields if one.init], lines), scope


def _setting(name: str, value: str, frozen: bool) -> str:
    return f"_set(self, {name!r}, {value})" if frozen else f"self.{name} = {value}"


def _compiled(names: list[str], lines: list[str]) -> CodeType:
    scope: dict[str, Any] = {}
    exec(f"def __init__({', '.join(('self', *names))}):\n " + "\n ".join(lines or ["pass"]), scope)
    code: CodeType = scope["__init__"].__code__
    return code


def _compared(cls: type) -> Callable[[Any], Any]:
    """What two values of a class are compared by, and hashed."""
    names = [one.name for one in _fields(cls) if one.compare]
    if len(names) > 1:
        return operator.attrgetter(*names)
    if not names:
        return lambda instance: ()
    (only,) = names
    return lambda instance: (getattr(instance, only),)


def _eq_of(cls: type) -> Callable[[Any, object], Any]:
    fields = _compared(cls)

    def equals(instance: Any, other: object) -> Any:
        if other.__class__ is instance.__class__:
            return fields(instance) == fields(other)
        return NotImplemented

    return equals


def _order_of(cls: type, compare: Callable[[Any, Any], bool]) -> Callable[[Any, object], Any]:
    fields = _compared(cls)

    def compared(instance: Any, other: object) -> Any:
        if other.__class__ is instance.__class__:
            return compare(fields(instance), fields(other))
        return NotImplemented

    return compared


def _hash_of(cls: type) -> Callable[[Any], int]:
    fields = _compared(cls)
    return lambda instance: hash(fields(instance))


def _repr_of(cls: type) -> Callable[[Any], str]:
    names = [one.name for one in _fields(cls) if one.repr]

    @recursive_repr()
    def shown(instance: Any) -> str:
        values = ", ".join([f"{name}={getattr(instance, name)!r}" for name in names])
        return f"{type(instance).__qualname__}({values})"

    return shown


def _set_attribute(instance: Any, name: str, value: object) -> None:
    if _WRITTEN in type(instance).__dict__ or name in getattr(instance, _FIELDS):
        raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
    object.__setattr__(instance, name, value)


def _delete_attribute(instance: Any, name: str) -> None:
    if _WRITTEN in type(instance).__dict__ or name in getattr(instance, _FIELDS):
        raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
    object.__delattr__(instance, name)


def _state(instance: Any) -> list[object]:
    return [getattr(instance, field.name) for field in dataclasses.fields(instance)]


def _set_state(instance: Any, state: list[object]) -> None:
    for field, value in zip(dataclasses.fields(instance), state, strict=True):
        object.__setattr__(instance, field.name, value)


_INIT, _REPR = _Later("__init__", _init_of), _Later("__repr__", _repr_of)
_EQ, _HASH = _Later("__eq__", _eq_of), _Later("__hash__", _hash_of)
_ASKED = {
    name: _Later(name, make)
    for name, make in (
        (_FIELDS, _fields_of),
        (_PARAMETERS, _parameters_of),
        ("__match_args__", _matched),
    )
}
_ORDERS = {
    name: _Later(name, partial(_order_of, compare=compare))
    for name, compare in (
        ("__lt__", operator.lt),
        ("__le__", operator.le),
        ("__gt__", operator.gt),
        ("__ge__", operator.ge),
    )
}
_REFUSALS = {"__setattr__": _set_attribute, "__delattr__": _delete_attribute}
_PICKLED = {"__getstate__": _state, "__setstate__": _set_state}
