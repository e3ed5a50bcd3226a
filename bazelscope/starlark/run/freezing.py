"""Makes values immutable, with all that can be reached from them."""

from __future__ import annotations

from types import FunctionType
from typing import Any

from bazelscope.starlark.run.containers import DICTS, FROZEN, LISTS
from bazelscope.starlark.run.values import Value, is_function

_ATOMS = frozenset({str, int, bool, type(None), float, bytes, range})


def freeze(value: object) -> None:
    """Freezes `value`; what is frozen already is not looked into again."""
    pending: list[Any] = [value]
    seen: set[int] = set()
    while pending:
        held = pending.pop()
        kind = type(held)
        frozen = FROZEN.get(kind)
        if frozen is not None:
            held.__class__ = frozen
            if kind in LISTS:
                pending += [part for part in held if type(part) not in _ATOMS]
            elif kind in DICTS:
                pending += [part for part in dict.values(held) if type(part) not in _ATOMS]
                pending += [key for key in dict.__iter__(held) if type(key) not in _ATOMS]
        elif kind in _ATOMS or id(held) in seen:
            continue
        elif kind is tuple:
            seen.add(id(held))
            pending += [part for part in held if type(part) not in _ATOMS]
        elif isinstance(held, Value):
            seen.add(id(held))
            held.freeze()
        elif kind is FunctionType:
            seen.add(id(held))
            pending += _parts(held)


def _parts(function: Any) -> list[object]:
    """What a Starlark function holds on to: its defaults and the variables around it."""
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
