"""String formatting: the `%` operator and `str.format`."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.starlark.run.faults import EvaluationError, LimitExceededError
from bazelscope.starlark.run.state import check_size
from bazelscope.starlark.run.text_of_values import float_text, int_text, repr_of, str_of
from bazelscope.starlark.run.unknown_operands import result_or_error, written
from bazelscope.starlark.run.values import Value, type_of

_DIRECTIVE = lazy_pattern(r"%(.?)", re.DOTALL)


_plain: dict[str, int] = {}
"""How many `%s` the templates have that have no other directive; for others, -1."""


def _count_plain(template: str) -> int:
    letters = _DIRECTIVE.findall(template)
    count = len(letters) if all(letter == "s" for letter in letters) else -1
    if len(template) < 200:
        if len(_plain) > 5000:
            _plain.clear()
        _plain[template] = count
    return count


@lru_cache(maxsize=1024)
def _split(template: str) -> list[str]:
    """Text and directive letters in turn; the same templates are used again and again."""
    return _DIRECTIVE.split(template)


def percent(template: str, operand: Any) -> Any:
    """`template % operand`: a string, if the host knows what is written into it."""
    count = _plain.get(template)
    if count is None:
        count = _count_plain(template)
    if count == 1 and type(operand) is str and len(operand) < 1000:
        return template % operand
    operands = operand if type(operand) is tuple else (operand,)
    try:
        return written(_filled(template, operands), operands, " % {}", template)
    except LimitExceededError:
        raise
    except EvaluationError as error:
        return result_or_error(error, f"{repr_of(template)} % {{}}", *operands)


def _filled(template: str, operands: tuple[Any, ...]) -> str:
    parts = _split(template) if len(template) < 1000 else _DIRECTIVE.split(template)
    if len(parts) == 1:
        if operands:
            raise EvaluationError("not all arguments converted during string formatting")
        return template
    out = [parts[0]]
    used = 0
    for position in range(1, len(parts), 2):
        letter = parts[position]
        if letter == "%":
            out.append("%")
        else:
            if letter not in _CONVERSIONS:
                if not letter:
                    raise EvaluationError(
                        f"incomplete format pattern ends with %: {repr_of(template)}"
                    )
                index = sum(map(len, parts[:position])) + 1 + position // 2
                raise EvaluationError(
                    f"unsupported format character {repr_of(letter)} at index {index}"
                    f" in {repr_of(template)}"
                )
            if used == len(operands):
                raise EvaluationError(
                    f"not enough arguments for format pattern {repr_of(template)}:"
                    f" {repr_of(operands)}"
                )
            value = operands[used]
            used += 1
            if letter == "s" or (isinstance(value, Value) and type(value.stand_in()) is int):
                out.append(value if type(value) is str else str_of(value))
            else:
                out.append(_CONVERSIONS[letter](value))
        out.append(parts[position + 1])
    if used != len(operands):
        raise EvaluationError("not all arguments converted during string formatting")
    size = sum(map(len, out))
    if size > 4096:
        check_size(size, "a string")
    return "".join(out)


def _decimal(value: Any) -> str:
    if type(value) is int:
        return int_text(value)
    if type(value) is float:
        if not math.isfinite(value):
            raise EvaluationError(f"cannot convert float {float_text(value)} to integer")
        return int_text(int(value))
    raise EvaluationError(f"got {type_of(value)} for '%d' format, want int or float")


def _in_base(value: Any, letter: str) -> str:
    if type(value) is not int:
        raise EvaluationError(f"got {type_of(value)} for '%{letter}' format, want int")
    return format(value, letter)


def _floating(value: Any, letter: str) -> str:
    if type(value) not in (int, float):
        raise EvaluationError(f"got {type_of(value)} for '%{letter}' format, want int or float")
    number = float(value)
    if letter == "g" or not math.isfinite(number):
        return float_text(number)
    return format(number, letter)


_CONVERSIONS: dict[str, Callable[[Any], str]] = {
    "s": str_of,
    "r": repr_of,
    "d": _decimal,
    **{letter: partial(_in_base, letter=letter) for letter in "oxX"},
    **{letter: partial(_floating, letter=letter) for letter in "eEfFgG"},
}


_LITERAL = lazy_pattern(r"(?:[^{}]++|\{\{|\}\})++")
"""What stands for itself, with braces that are written twice: a whole run in one match, however
long a hostile template is."""


def format_method(template: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`template.format(*args, **kwargs)`: plain names and numbers, no attributes, no specs."""
    operands = (*args, *kwargs.values())
    try:
        return written(_formatted(template, args, kwargs), operands, ".format({})", template)
    except LimitExceededError:
        raise
    except EvaluationError as error:
        return result_or_error(error, f"{repr_of(template)}.format({{}})", *operands)


def _formatted(template: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    out: list[str] = []
    position = 0
    fields = _Fields(args, kwargs)
    while position < len(template):
        literal = _LITERAL.match(template, position)
        if literal is not None:
            out.append(literal[0].replace("{{", "{").replace("}}", "}"))
            position = literal.end()
            continue
        if template[position] == "}":
            raise EvaluationError("found '}' without matching '{'")
        end = template.find("}", position)
        if end < 0:
            raise EvaluationError("found '{' without matching '}'")
        out.append(str_of(fields.value(template[position + 1 : end])))
        position = end + 1
    total = sum(map(len, out))
    if total > 256:
        check_size(total, "a string")
    return "".join(out)


class _Fields:
    """The values of the replacement fields of one template."""

    def __init__(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self._args = args
        self._kwargs = kwargs
        self._automatic = 0
        self._manual = False

    def value(self, field: str) -> Any:
        """The value of `{field}`."""
        if field == "" or (field.isascii() and field.isdigit()):
            return self._positional(field)
        if "{" in field:
            raise EvaluationError("nested replacement fields are not supported")
        for character in field:
            if character in "[].,:!":
                raise EvaluationError(f"invalid character '{character}' inside replacement field")
        if field not in self._kwargs:
            raise EvaluationError(f"missing argument '{field}'")
        return self._kwargs[field]

    def _positional(self, field: str) -> Any:
        if self._manual if field == "" else self._automatic:
            raise EvaluationError("cannot mix manual and automatic numbering of positional fields")
        if field == "":
            number = self._automatic
            self._automatic += 1
        else:
            self._manual = True
            number = int(field.lstrip("0")[:9] or "0")
        if number >= len(self._args):
            raise EvaluationError(f"no replacement found for index {number}")
        return self._args[number]
