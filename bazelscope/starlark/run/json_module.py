"""The `json` module: encode, decode and indent, as Bazel has them."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable
from typing import Any, ClassVar

from bazelscope.starlark.run.arguments import want_string
from bazelscope.starlark.run.containers import Dict, List
from bazelscope.starlark.run.faults import EvaluationError
from bazelscope.starlark.run.state import RUNNING, charge, check_size
from bazelscope.starlark.run.text_of_values import int_text
from bazelscope.starlark.run.unknown_operands import tolerant_functions, written
from bazelscope.starlark.run.values import Value, type_of


class Json(Value):
    """The module as a value."""

    __slots__ = ("_takes_default",)
    starlark_type: ClassVar[str] = "json"

    def __init__(self, takes_default: bool = True) -> None:
        self._takes_default = takes_default

    def attr_names(self) -> Iterable[str]:
        return _METHODS

    def get_attr(self, name: str) -> object:
        if name == "decode" and not self._takes_default:
            return _DECODE_ALONE
        try:
            return _METHODS[name]
        except KeyError:
            raise AttributeError(name) from None

    def to_repr(self) -> str:
        return "<module json>"


def encode(x: Any, /) -> Any:
    """The text of `x`, or what stands for it where texts in it cannot be told."""
    text, unknown = _encoded(x)
    return written(text, unknown, "json.encode({})")


def _encoded(x: Any) -> tuple[str, list[Value]]:
    out = _Output()
    _write(x, out, 0)
    check_size(sum(map(len, out)), "a string")
    return "".join(out), out.unknown


class _Output(list[str]):
    """The pieces of a text, and the values in it that nobody can tell."""

    __slots__ = ("unknown",)

    def __init__(self) -> None:
        super().__init__()
        self.unknown: list[Value] = []


def _write(value: Any, out: _Output, depth: int) -> None:
    kind = type(value)
    charge(2)
    if depth > 150:
        raise EvaluationError("json.encode: value is nested too deeply")
    if value is None or kind is bool:
        out.append("null" if value is None else str(value).lower())
    elif kind is int:
        out.append(int_text(value))
    elif kind is float:
        if not math.isfinite(value):
            raise EvaluationError("cannot encode non-finite float")
        out.append(repr(value))
    elif kind is str:
        if len(value) > 256:
            check_size(len(value), "a string")
        out.append(json.dumps(value, ensure_ascii=False))
    elif isinstance(value, dict):
        pairs = value
        for key in pairs:
            if type(key) is not str:
                raise EvaluationError(f"dict has {type_of(key)} key, want string")
        _write_object(sorted(pairs), pairs.__getitem__, out, depth)
    elif isinstance(value, (list, tuple, range)):
        _write_array(value, out, depth)
    elif isinstance(value, Value):
        known = value.stand_in()
        if type(known) is str:
            out.unknown.append(value)
            _write(known, out, depth)
        elif value.starlark_type == "struct":
            _write_object(sorted(value.attr_names()), value.get_attr, out, depth)
        else:
            try:
                elements = value.iterate()
            except TypeError:
                raise EvaluationError(f"cannot encode {type_of(value)} as JSON") from None
            _write_array(elements, out, depth)
    else:
        raise EvaluationError(f"cannot encode {type_of(value)} as JSON")


def _write_object(names: list[str], get: Callable[[str], Any], out: _Output, depth: int) -> None:
    separator = "{"
    for name in names:
        out.append(separator + json.dumps(name, ensure_ascii=False) + ":")
        _write(get(name), out, depth + 1)
        separator = ","
    out.append("{}" if separator == "{" else "}")


def _write_array(elements: Iterable[Any], out: _Output, depth: int) -> None:
    separator = "["
    for element in elements:
        out.append(separator)
        _write(element, out, depth + 1)
        separator = ","
    out.append("[]" if separator == "[" else "]")


_DEFAULT: Any = object()


def decode(x: Any, /, default: Any = _DEFAULT) -> Any:
    want_string(x, "decode", "x")
    charge(len(x) >> 3)
    try:
        decoded = json.loads(x, object_pairs_hook=_Pairs, parse_constant=_constant)
        return _to_starlark(decoded)
    except (ValueError, RecursionError) as error:
        if default is not _DEFAULT:
            return default
        deep = isinstance(error, RecursionError)
        reason = "the text is nested too deeply" if deep else error
        raise EvaluationError(f"json.decode: {reason}") from None


class _Pairs(list[Any]):
    """A JSON object, before its keys are known to differ."""


def _constant(name: str) -> Any:
    raise ValueError(f"unexpected {name}")


def _to_starlark(value: Any) -> Any:
    if type(value) is _Pairs:
        made = Dict()
        for key, element in value:
            if key in made:
                raise ValueError(f'object has duplicate key: "{key}"')
            made[key] = _to_starlark(element)
        return made
    if type(value) is list:
        return List(_to_starlark(element) for element in value)
    return value


def indent(s: Any, /, *, prefix: str = "", indent: str = "\t") -> str:
    """Re-indents JSON text without judging its values."""
    want_string(s, "indent", "s")
    want_string(prefix, "indent", "prefix")
    want_string(indent, "indent", "indent")
    charge(len(s))
    out: list[str] = []
    depth = 0
    position = 0
    size = length = len(s)

    def line() -> None:
        nonlocal length
        length += 1 + len(prefix) + len(indent) * max(depth, 0)
        if length > RUNNING.max_size:
            check_size(length, "a string")
        out.append("\n" + prefix + indent * depth)

    while position < size:
        character = s[position]
        if character in " \t\r\n":
            position += 1
            continue
        if character == '"':
            end = position + 1
            while end < size and s[end] != '"':
                end += 2 if s[end] == "\\" else 1
            out.append(s[position : end + 1])
            position = end + 1
            continue
        if character in "{[":
            closing = "}" if character == "{" else "]"
            after = position + 1
            while after < size and s[after] in " \t\r\n":
                after += 1
            if after < size and s[after] == closing:
                out.append(character + closing)
                position = after + 1
                continue
            depth += 1
            out.append(character)
            line()
        elif character in "}]":
            depth -= 1
            line()
            out.append(character)
        elif character == ",":
            out.append(",")
            line()
        elif character == ":":
            out.append(": ")
        else:
            out.append(character)
        position += 1
    return "".join(out)


def encode_indent(x: Any, /, *, prefix: str = "", indent: str = "\t") -> Any:
    text, unknown = _encoded(x)
    indented = _indent(text, prefix=prefix, indent=indent)
    return written(indented, unknown, "json.encode_indent({})")


_indent = indent

_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "encode": encode,
    "decode": decode,
    "indent": indent,
    "encode_indent": encode_indent,
}
_METHODS = tolerant_functions(_FUNCTIONS, _FUNCTIONS, "json.NAME({})")


def _decode_alone(x: Any, /) -> Any:
    """As 4.2.3 has it: what is no JSON is an error."""
    return decode(x)


_decode_alone.__name__ = _decode_alone.__qualname__ = "decode"
_DECODE_ALONE = tolerant_functions({"decode": _decode_alone}, ["decode"], "json.NAME({})")["decode"]
