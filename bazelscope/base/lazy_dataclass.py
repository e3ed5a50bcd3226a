"""Dataclasses whose methods are made when the first of them is called.

`dataclasses.dataclass` writes the text of five methods for a class and compiles each: a third of
a millisecond, of which a run that asks one question would pay for two hundred classes, most of
which it has no instance of. Here a class gets its slots at once, and the rest from
`dataclasses.dataclass` itself when an instance is made, or when somebody asks for its fields.
Values are compared and shown by their fields without any text of their own, so that `__init__`
alone is compiled, once for each number of fields; of a plain class, whose fields are all its own
and have values for defaults if any, without asking `dataclasses`.
"""

from __future__ import annotations

import dataclasses
import inspect
from _thread import RLock
from collections.abc import Callable
from operator import attrgetter
from reprlib import recursive_repr
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any

_MADE = ("__init__", "__repr__", "__eq__", "__hash__")
_ASKED = ("__dataclass_fields__", "__dataclass_params__", "__match_args__")
_LOCK = RLock()


def _dataclass(
    cls: type | None = None,
    /,
    *,
    frozen: bool = False,
    slots: bool = False,
    eq: bool = True,
    order: bool = False,
    weakref_slot: bool = False,
) -> Any:
    """Takes a class as `dataclasses.dataclass` does, and returns what that would."""
    if cls is None:
        options = {"frozen": frozen, "slots": slots, "eq": eq, "order": order}
        return lambda one: _dataclass(one, **options, weakref_slot=weakref_slot)
    own = cls.__dict__
    if not slots or not eq or order or weakref_slot or not own.keys().isdisjoint(_MADE):
        usual = dataclasses.dataclass(
            frozen=frozen, slots=slots, eq=eq, order=order, weakref_slot=weakref_slot
        )
        return usual(cls)
    return _slotted(cls, frozen)


if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:
    dataclass = _dataclass


def _slotted(cls: type, frozen: bool) -> type:
    """The class with slots for its fields, and in the place of its methods what makes them."""
    annotated = [
        name for name, kind in inspect.get_annotations(cls).items() if "ClassVar[" not in str(kind)
    ]
    held = {name for base in cls.__mro__[1:-1] for name in _slots_of(base)}
    body = dict(cls.__dict__)
    for name in (*annotated, "__dict__", "__weakref__"):
        body.pop(name, None)
    body["__slots__"] = tuple([name for name in annotated if name not in held])
    made = type(cls)(cls.__name__, cls.__bases__, body)
    made.__qualname__ = cls.__qualname__
    defaults = {name: cls.__dict__[name] for name in annotated if name in cls.__dict__}
    is_plain = not any(isinstance(one, dataclasses.Field) for one in defaults.values())
    is_plain = is_plain and not any(_ASKED[0] in base.__dict__ for base in cls.__mro__[1:])
    unfinished = _Unfinished(cls, made, frozen, is_plain)
    for name in _MADE:
        setattr(made, name, unfinished.method(name))
    for name in _ASKED:
        setattr(made, name, _Asked(unfinished, name))
    if is_plain:
        made.__init__ = _first_init(made, annotated, defaults, frozen)  # type: ignore[misc]
        made.__eq__, hashed = _comparison(annotated)  # type: ignore[assignment,method-assign]
        made.__hash__ = hashed if frozen else None  # type: ignore[assignment,method-assign]
    if frozen:
        made.__setattr__, made.__delattr__ = unfinished.refusals()  # type: ignore[method-assign]
        made.__getstate__ = _state  # type: ignore[assignment,method-assign]
        made.__setstate__ = _set_state  # type: ignore[attr-defined]
    return made


def _slots_of(base: type) -> tuple[str, ...]:
    slots = base.__dict__.get("__slots__", ())
    return (slots,) if isinstance(slots, str) else tuple(slots)


def _first_init(
    made: type, names: list[str], defaults: dict[str, Any], frozen: bool
) -> Callable[..., None]:
    """What stands for `__init__` until it is called."""

    def first_call(instance: object, /, *values: Any, **named: Any) -> None:
        last = tuple([defaults[name] for name in names if name in defaults])
        if any(name in defaults for name in names[: len(names) - len(last)]):
            raise TypeError(f"{made.__qualname__}: a field without a default follows one with it")
        init: Any = FunctionType(_code_of_init(names, frozen), _SCOPE, "__init__", last)
        init.__qualname__ = f"{made.__qualname__}.__init__"
        made.__init__ = init  # type: ignore[misc]
        init(instance, *values, **named)

    return first_call


_SCOPE = {"_set": object.__setattr__}
_CODE: dict[tuple[int, bool], CodeType] = {}
"""By the number of fields, and whether the class is frozen, an `__init__` that was compiled."""


def _code_of_init(names: list[str], frozen: bool) -> CodeType:
    """The code that sets fields of these names: that of as many others, which is compiled once,
    with the names exchanged."""
    stand_ins = [f"field{number}" for number in range(len(names))]
    code = _CODE.get((len(names), frozen))
    if code is None:
        sets = "_set(self, {0!r}, {0})" if frozen else "self.{0} = {0}"
        lines = [sets.format(name) for name in stand_ins] or ["pass"]
        scope: dict[str, Any] = {}
        exec(f"def __init__(self, {', '.join(stand_ins)}):\n " + "\n ".join(lines), scope)
        code = _CODE[len(names), frozen] = scope["__init__"].__code__
    exchanged = dict(zip(stand_ins, names, strict=True))
    return code.replace(
        co_varnames=("self", *names),
        co_names=tuple([exchanged.get(name, name) for name in code.co_names]),
        co_consts=tuple(
            [exchanged.get(one, one) if isinstance(one, str) else one for one in code.co_consts]
        ),
    )


def _comparison(
    names: list[str],
) -> tuple[Callable[[Any, object], Any], Callable[[Any], int]]:
    """`__eq__` and `__hash__` by fields."""
    if len(names) > 1:
        fields: Callable[[Any], tuple[Any, ...]] = attrgetter(*names)
    elif names:
        (only,) = names

        def fields(instance: Any) -> tuple[Any, ...]:
            return (getattr(instance, only),)
    else:

        def fields(instance: Any) -> tuple[Any, ...]:
            return ()

    def equals(instance: Any, other: object) -> Any:
        if other.__class__ is instance.__class__:
            return fields(instance) == fields(other)
        return NotImplemented

    def hashed(instance: Any) -> int:
        return hash(fields(instance))

    return equals, hashed


def _shown(names: list[str]) -> Callable[[Any], str]:
    """`__repr__` by fields."""

    @recursive_repr()
    def shown(instance: Any) -> str:
        values = ", ".join([f"{name}={getattr(instance, name)!r}" for name in names])
        return f"{type(instance).__qualname__}({values})"

    return shown


class _Unfinished:
    """A class that has its slots and not yet its methods: `cls` as it was written, and `made`."""

    __slots__ = ("_cls", "_frozen", "_is_finished", "_is_plain", "made")

    def __init__(self, cls: type, made: type, frozen: bool, is_plain: bool) -> None:
        self._cls = cls
        self._is_plain = is_plain
        self.made = made
        self._frozen = frozen
        self._is_finished = False

    def finish(self) -> None:
        """Makes the methods; all at once, since who makes an instance will compare or show it."""
        with _LOCK:
            if self._is_finished:
                return
            cls, made, is_plain = self._cls, self.made, self._is_plain
            # Of a class without one, `dataclasses` would write its signature there.
            cls.__doc__ = cls.__doc__ or cls.__name__
            written = set(cls.__dict__)
            frozen = self._frozen and not is_plain
            whole: Any = dataclasses.dataclass(
                init=not is_plain, repr=False, eq=False, frozen=frozen
            )(cls)
            refused = ("__setattr__", "__delattr__")
            for name, value in list(whole.__dict__.items()):
                if name in _ASKED or (name not in written and name not in refused):
                    setattr(made, name, value)
            parameters = whole.__dataclass_params__
            parameters.init = parameters.repr = parameters.eq = True
            parameters.frozen = self._frozen
            fields = dataclasses.fields(whole)
            made.__repr__ = _shown(  # type: ignore[method-assign,assignment]
                [one.name for one in fields if one.repr]
            )
            if not is_plain:
                compared = [one.name for one in fields if one.compare]
                made.__eq__, hashed = _comparison(compared)  # type: ignore[method-assign,assignment]
                # An unfrozen class is not hashable; Python writes that None itself.
                made.__hash__ = hashed if self._frozen else None  # type: ignore[method-assign,assignment]
            self._is_finished = True

    def method(self, name: str) -> Callable[..., Any]:
        """What stands for a method until it is called."""

        def first_call(instance: object, /, *values: Any, **named: Any) -> Any:
            self.finish()
            return getattr(self.made, name)(instance, *values, **named)

        return first_call

    def refusals(self) -> tuple[Callable[..., None], Callable[..., None]]:
        """`__setattr__` and `__delattr__` of a frozen class."""
        made: Any = self.made

        def set_attribute(instance: object, name: str, value: object) -> None:
            if type(instance) is made or name in made.__dataclass_fields__:
                raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
            super(made, instance).__setattr__(name, value)  # type: ignore[misc]

        def delete_attribute(instance: object, name: str) -> None:
            if type(instance) is made or name in made.__dataclass_fields__:
                raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
            super(made, instance).__delattr__(name)  # type: ignore[misc]

        return set_attribute, delete_attribute


class _Asked:
    """An attribute of a class that is there once its methods are."""

    __slots__ = ("_name", "_unfinished")

    def __init__(self, unfinished: _Unfinished, name: str) -> None:
        self._unfinished = unfinished
        self._name = name

    def __get__(self, instance: object, owner: type) -> Any:
        self._unfinished.finish()
        return getattr(self._unfinished.made, self._name)


def _state(instance: Any) -> list[object]:
    return [getattr(instance, field.name) for field in dataclasses.fields(instance)]


def _set_state(instance: Any, state: list[object]) -> None:
    for field, value in zip(dataclasses.fields(instance), state, strict=True):
        object.__setattr__(instance, field.name, value)
