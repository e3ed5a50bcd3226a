"""What a Starlark function may come to, as far as its code tells without running it.

Followed are the global names that code reads, and what structs of functions hold: more than a
run calls, never less, but for functions that are handed over as values of attributes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dis import get_instructions
from inspect import CO_VARARGS, CO_VARKEYWORDS
from types import CodeType, FunctionType
from typing import Any

from bazelscope import starlark
from bazelscope.base.identity_table import IdentityTable
from bazelscope.base.named_tuple import NamedTuple
from bazelscope.base.source import SHIPPED
from bazelscope.loading.evaluation.values.structs import Provider, Struct

_MODEL = f"starlark!{SHIPPED}"
"""How the file name of the code of a model's functions begins."""


class Reach(NamedTuple):
    """What may be called from a function."""

    may_provide_flag: bool
    """Whether `config_common` is, which alone makes a `FeatureFlagInfo`."""
    stub: str | None
    """The name of a function of a model that does nothing of what the original does, if one
    is among it."""


def reach(function: Any) -> Reach:
    """What may be called from `function`, itself included."""
    return _REACH[function]


def _followed(function: Any) -> Reach:
    may_provide_flag, stub = False, None
    seen: set[int] = set()
    pending: list[Any] = [function]
    while pending:
        value = pending.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, Struct):
            pending += value.fields.values()
        elif isinstance(value, Provider):
            pending.append(value.init)
        elif starlark.is_function(value):
            names = frozenset(_names(value.__code__))
            may_provide_flag = may_provide_flag or "config_common" in names
            if value.__code__.co_filename.startswith(_MODEL) and _reads_nothing(value.__code__):
                stub = stub or value.__name__
            held = value.__globals__
            pending += [held[name] for name in names if name in held]
            pending += _cells(value)
    return Reach(may_provide_flag, stub)


_REACH: IdentityTable[Any, Reach] = IdentityTable(_followed)


def _names(code: CodeType) -> Iterator[str]:
    for name in code.co_names:
        if not name.startswith("@"):  # Those are helpers of the runtime.
            yield name
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _reads_nothing(code: CodeType) -> bool:
    """Whether a function has parameters and looks at none of them."""
    count = code.co_argcount + code.co_kwonlyargcount
    count += bool(code.co_flags & CO_VARARGS) + bool(code.co_flags & CO_VARKEYWORDS)
    parameters = frozenset(code.co_varnames[:count])
    read = []
    before = None
    for one in get_instructions(code):
        # What `**kwargs` holds is made a dict of Starlark's before anything is run.
        if one.opname in _READING and before != "@dict":
            read.append(one.argval)
        before = one.argval
    return bool(parameters) and parameters.isdisjoint(read) and not code.co_cellvars


_READING = frozenset({"LOAD_FAST", "LOAD_FAST_CHECK", "LOAD_FAST_BORROW", "LOAD_DEREF"})


def _cells(function: FunctionType) -> Iterator[object]:
    for cell in function.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:  # a variable that was never assigned
            continue
    yield from function.__defaults__ or ()
    yield from (function.__kwdefaults__ or {}).values()
