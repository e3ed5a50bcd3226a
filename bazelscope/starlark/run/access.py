"""Attributes, elements and slices of values: reading them and assigning to them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MethodType
from typing import Any

from bazelscope.starlark.run.containers import (
    Dict,
    List,
    OddDict,
    check_mutable,
    elements_of,
    later_unknown_keys,
    put,
    stored_key,
)
from bazelscope.starlark.run.faults import EvaluationError
from bazelscope.starlark.run.methods import TABLES, no_attribute
from bazelscope.starlark.run.state import charge, check_size
from bazelscope.starlark.run.text_of_values import (
    raw,
    repr_of,
    whole,
)
from bazelscope.starlark.run.unknown_operands import is_unknown, result_or_error
from bazelscope.starlark.run.values import Value, type_of


def attr_in(tables: Mapping[type, Mapping[str, Callable[..., Any]]]) -> Callable[..., Any]:
    """The helper for `value.name` where the values that are Python's own have the methods of
    `tables`."""
    table_of = tables.get

    def attr(value: Any, name: str) -> Any:
        """`value.name`."""
        table = table_of(type(value))
        if table is not None:
            function = table.get(name)
            if function is not None:
                if type(value) is str and len(value) > 256:
                    charge(len(value) >> 5)
                return MethodType(function, value)
        elif isinstance(value, Value):
            try:
                return value.get_attr(name)
            except AttributeError:
                pass
        raise no_attribute(value, name)

    return attr


attr = attr_in(TABLES)


def set_attr(value: Any, name: str, new: Any) -> None:
    """`value.name = new`."""
    if isinstance(value, Value):
        try:
            value.set_attr(name, new)
        except AttributeError:
            pass
        else:
            return
    raise EvaluationError(f"cannot set field '{name}' of '{type_of(value)}' value")


_MISSING = object()


def index(value: Any, key: Any) -> Any:
    """`value[key]`."""
    if isinstance(value, dict):
        element = dict.get(value, key if type(key) is str else stored_key(key), _MISSING)
        if element is _MISSING:
            if isinstance(key, Value) and (known := key.as_key_of(value)) is not key:
                return index(value, known)
            error = EvaluationError(f"key {repr_of(key)} not found in dictionary")
            if isinstance(key, Value):
                return result_or_error(error, "...[{}]", key)
            return result_or_error(error, "{{}: ...}[...]", *value)
        for unknown in later_unknown_keys(value, key) if isinstance(value, OddDict) else ():
            return unknown.in_place_of("{{}: ...}[...]")
        return element
    if isinstance(value, (list, tuple, str, range, bytes)):
        if type(key) is not int:
            what = "string" if type(value) is str else "sequence"
            error = EvaluationError(f"got {type_of(key)} for {what} index, want int")
            return result_or_error(error, "...[{}]", key)
        if type(value) is str and not value.isascii():
            value = raw(value)
        try:
            element = value[key]
            return element if type(value) is not str or element.isascii() else whole(element)
        except IndexError:
            raise _out_of_range(key, len(value)) from None
    if isinstance(value, Value):
        return value.index(key)
    raise EvaluationError(f"type '{type_of(value)}' has no operator []({type_of(key)})")


def _out_of_range(key: int, size: int) -> EvaluationError:
    return EvaluationError(f"index out of range (index is {key}, but sequence has {size} elements)")


def set_index(value: Any, key: Any, new: Any) -> None:
    """`value[key] = new`."""
    if isinstance(value, dict):
        if type(value) is not Dict:
            check_mutable(value)
        put(value, key, new)
    elif isinstance(value, list):
        check_mutable(value)
        if type(key) is not int:
            raise EvaluationError(f"got {type_of(key)} for list index, want int")
        try:
            value[key] = new
        except IndexError:
            raise _out_of_range(key, len(value)) from None
    elif isinstance(value, Value):
        value.set_index(key, new)
    else:
        raise EvaluationError(
            f"can only assign an element in a dictionary or a list, not in a '{type_of(value)}'"
        )


def slice_(value: Any, low: Any, high: Any, step: Any) -> Any:
    """`value[low:high:step]`, None standing for what is left out."""
    for part in (low, high, step):
        if part is not None and type(part) is not int:
            error = EvaluationError(f"got {type_of(part)} for slice index, want int")
            return result_or_error(error, "...[... {} ...]", part)
    if step == 0:
        raise EvaluationError("slice step cannot be zero")
    if isinstance(value, list):
        part = List(value[low:high:step])
        check_size(len(part), "a list")
        return part
    if isinstance(value, (tuple, str, range, bytes)):
        if type(value) is str and not value.isascii():
            piece: Any = whole(raw(value)[low:high:step])
        else:
            piece = value[low:high:step]
        if not isinstance(piece, range) and len(piece) > 32:
            check_size(len(piece), f"a {type_of(value)}")
        return piece
    error = EvaluationError(f"invalid slice operand: {type_of(value)}")
    return result_or_error(error, "{}[... : ...]", value)


def unpack(value: Any, count: int) -> Any:
    """The elements of `value`, which must be `count`."""
    elements: Any
    if isinstance(value, (list, tuple)):
        elements = value
    elif isinstance(value, Value):
        elements = value.unpack(count)
    elif isinstance(value, (dict, range)):
        elements = elements_of(value)
    else:
        raise EvaluationError(
            f"got '{type_of(value)}' in sequence assignment (want {count}-element sequence)"
        )
    if len(elements) != count:
        few = "few" if len(elements) < count else "many"
        raise EvaluationError(f"too {few} values to unpack (got {len(elements)}, want {count})")
    return elements if isinstance(elements, (list, tuple)) else tuple(elements)


def _unhashable(key: Any) -> Any:
    """The part of an unhashable key that makes it so."""
    if type(key) is tuple:
        for part in key:
            try:
                hash(part)
            except TypeError:
                return _unhashable(part)
    return key


def dict_display(parts: tuple[Any, ...], colons: bytes) -> Dict:
    """The dict of an expression whose keys are not all different strings.

    `parts` are its keys and values in turn; `colons` the places of its entries.
    """
    keys = parts[::2]
    for key in keys:
        if type(key) is not str:
            break
    else:
        made = Dict(zip(keys, parts[1::2], strict=True))
        if len(made) == len(keys):
            return made
    made = Dict()
    for key, value, colon in zip(keys, parts[1::2], map(int, colons.split()), strict=True):
        try:
            duplicate = dict.__contains__(made, stored_key(key))
        except TypeError:
            message = f"unhashable type: '{type_of(_unhashable(key))}'"
            raise EvaluationError(message, word=colon) from None
        if duplicate:
            message = f"dictionary expression has duplicate key: {repr_of(key)}"
            raise EvaluationError(message, word=colon)
        put(made, key, value)
    return made


def rest_arguments(value: Any) -> Any:
    """The operand of `*` in a call."""
    if isinstance(value, (list, tuple, dict, range, Value)):
        elements = elements_of(value)
        check_size(len(elements), "a list of arguments")
        return elements
    raise EvaluationError(f"argument after * must be an iterable, not {type_of(value)}")


def keyword_arguments(value: Any) -> dict[str, Any]:
    """The operand of `**` in a call. Of one that nobody knows, none is there; and no key that
    nobody knows."""
    if isinstance(value, Value) and value.in_place_of("**{}") is not NotImplemented:
        return dict.fromkeys(elements_of(value))
    if not isinstance(value, dict):
        raise EvaluationError(f"argument after ** must be a dict, not {type_of(value)}")
    check_size(len(value) << 2, "a dict of arguments")
    unknown = []
    for name in value:
        if type(name) is not str:
            if not is_unknown(name) or isinstance(name, str):
                raise EvaluationError(f"keywords must be strings, not {type_of(name)}")
            unknown.append(name)
    for name in unknown:
        elements_of(name)  # Notes that it is taken for none.
    return {key: one for key, one in value.items() if type(key) is str} if unknown else value
