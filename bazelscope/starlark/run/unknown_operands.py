"""Operations on a value that the host does not know: their result is not known either.

A host value may stand for something that nobody can tell (`Value.in_place_of`). A built-in function
that refuses such a value would blame the program for what is no fault of it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from bazelscope.starlark.run.faults import EvaluationError, LimitExceededError
from bazelscope.starlark.run.text_of_values import repr_of
from bazelscope.starlark.run.values import Value


def result_or_error(error: EvaluationError, form: str, *operands: object) -> Any:
    """What stands for the result of an operation on `operands` that fails with `error`; `form` is
    its text, `{}` the operand in it. Raises `error` if that is the program's fault."""
    for operand in operands:
        if isinstance(operand, Value):
            found = operand.in_place_of(form)
            if found is not NotImplemented:
                return found
    raise error


def unknown_text(template: str, form: str, operands: Iterable[object]) -> Any:
    """What stands for the text that an operation makes of `template`, if one of `operands`, or an
    element of one, is written into it that nobody knows; NotImplemented if all are known."""
    for operand in operands:
        for part in operand if isinstance(operand, (list, tuple)) else (operand,):
            if isinstance(part, Value):
                found = part.in_text(repr_of(template) + form)
                if found is not NotImplemented:
                    return found
    return NotImplemented


def tolerant(function: Callable[..., Any], form: str) -> Callable[..., Any]:
    """A built-in function that changes nothing, made to give an unknown result where it cannot do
    its work with an unknown argument, or with an unknown element of one."""

    @functools.wraps(function)
    def tolerating(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except LimitExceededError:
            raise
        except EvaluationError as error:
            values = (*args, *kwargs.values())
            return result_or_error(error, form, *values, *_elements_of(values))

    return tolerating


def tolerant_functions(
    functions: Mapping[str, Callable[..., Any]], names: Iterable[str], form: str
) -> dict[str, Callable[..., Any]]:
    """`functions`, those of `names` tolerant; `form` has `NAME` for the name."""
    chosen = frozenset(names)
    return {
        name: tolerant(function, form.replace("NAME", name)) if name in chosen else function
        for name, function in functions.items()
    }


def _elements_of(values: Iterable[object]) -> Iterable[object]:
    for value in values:
        if isinstance(value, (list, tuple)):
            yield from value
