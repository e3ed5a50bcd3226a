"""Dataclasses whose methods are made when the first of them is called.

`dataclasses.dataclass` writes the text of five methods for a class and compiles each: a third of
a millisecond, of which a run that asks one question would pay for two hundred classes, most of
which it has no instance of. Here a class gets its slots at once, and the rest from
`dataclasses.dataclass` itself when an instance is made, or when somebody asks for its fields.
"""

from __future__ import annotations

import dataclasses
import inspect
from _thread import RLock
from collections.abc import Callable
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
    unfinished = _Unfinished(cls, made, frozen)
    for name in _MADE:
        setattr(made, name, unfinished.method(name))
    for name in _ASKED:
        setattr(made, name, _Asked(unfinished, name))
    if frozen:
        made.__setattr__, made.__delattr__ = unfinished.refusals()  # type: ignore[method-assign]
        made.__getstate__ = _state  # type: ignore[assignment,method-assign]
        made.__setstate__ = _set_state  # type: ignore[attr-defined]
    return made


def _slots_of(base: type) -> tuple[str, ...]:
    slots = base.__dict__.get("__slots__", ())
    return (slots,) if isinstance(slots, str) else tuple(slots)


class _Unfinished:
    """A class that has its slots and not yet its methods: `cls` as it was written, and `made`."""

    __slots__ = ("_cls", "_frozen", "_is_finished", "made")

    def __init__(self, cls: type, made: type, frozen: bool) -> None:
        self._cls = cls
        self.made = made
        self._frozen = frozen
        self._is_finished = False

    def finish(self) -> None:
        """Makes the methods; all at once, since who makes an instance will compare or show it."""
        with _LOCK:
            if self._is_finished:
                return
            written = set(self._cls.__dict__)
            whole: type = dataclasses.dataclass(frozen=self._frozen)(self._cls)
            refused = ("__setattr__", "__delattr__")
            for name, value in list(whole.__dict__.items()):
                if name in _ASKED or (name not in written and name not in refused):
                    setattr(self.made, name, value)
            # An unfrozen class is not hashable; Python writes that None itself.
            self.made.__hash__ = whole.__hash__  # type: ignore[method-assign]
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
