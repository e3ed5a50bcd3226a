"""Operations on a value that the host does not know: their result is not known either.

A host value may stand for something that nobody can tell. Two things can be asked of it: what is
in the place of a result that cannot be had (`Value.in_place_of`), where a built-in function that
refuses the value would blame the program for what is no fault of it; and what a text is that the
value was written into (`Value.in_text`). One that has a stand-in (`Value.stand_in`) can be written
by functions that take nothing but known values.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from bazelscope.starlark.run.faults import EvaluationError, LimitExceededError
from bazelscope.starlark.run.state import RUNNING
from bazelscope.starlark.run.text_of_values import repr_of
from bazelscope.starlark.run.values import Value

_TAKE_STAND_INS = frozenset({"....replace({})", "range({})"})
"""What may be done with stand-ins. Others would decide by them what nobody knows."""


def result_or_error(error: EvaluationError, form: str, *operands: object) -> Any:
    """What stands for the result of an operation on `operands` that fails with `error`; `form` is
    its text, `{}` the operand in it. Raises `error` if that is the program's fault."""
    for operand in operands:
        if isinstance(operand, Value):
            result = operand.in_place_of(form)
            if result is not NotImplemented:
                return result
    raise error


def is_unknown(value: object) -> bool:
    """Whether nobody can tell what a value is."""
    return isinstance(value, Value) and value.in_place_of("{}") is not NotImplemented


def written(text: str, operands: Iterable[object], form: str, template: str | None = None) -> Any:
    """`text`, into which `operands` were written; what stands for it, if nobody can tell one of
    them, or an element of one. `form` is the operation's text, behind the `template` if any."""
    for operand in operands:
        parts = (*operand, *operand.values()) if isinstance(operand, dict) else (operand,)
        for part in operand if isinstance(operand, (list, tuple)) else parts:
            if isinstance(part, Value):
                whole = form if template is None else repr_of(template) + form
                result = part.in_text(text, whole)
                if result is not NotImplemented:
                    return result
    return text


def with_stand_in(value: Any) -> Any:
    """`value`, or what stands in for it, or for elements of it."""
    if isinstance(value, Value):
        value = value.stand_in()
    if isinstance(value, (list, tuple)) and any(isinstance(part, Value) for part in value):
        return type(value)(map(with_stand_in, value))
    return value


def decisions() -> int:
    """How often the running evaluation has decided something without knowing it."""
    return RUNNING.thread.decisions


def found_nothing(before: int, function: str) -> Any:
    """What a function gives that ends without a `return`, though others of its ways return a
    value: None, or what nobody can tell, if it took that way without knowing."""
    thread = RUNNING.thread
    if thread.decisions == before or not isinstance(thread.decided_by, Value):
        return None
    result = thread.decided_by.in_place_of(f"{function}() by {{}}")
    return None if result is NotImplemented else result


def tolerant(function: Callable[..., Any], form: str) -> Callable[..., Any]:
    """A built-in function that changes nothing, made to give an unknown result where it cannot do
    its work with an unknown argument, or with an unknown element of one, or of an element
    (`dict([line.split("=") for line in unknown])`)."""

    @functools.wraps(function)
    def tolerating(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except LimitExceededError:
            raise
        except EvaluationError as error:
            values = (*args, *kwargs.values())
            if form in _TAKE_STAND_INS:
                known = [with_stand_in(value) for value in values]
                if any(one is not other for one, other in zip(known, values, strict=True)):
                    named = dict(zip(kwargs, known[len(args) :], strict=True))
                    result = function(*known[: len(args)], **named)
                    return written(result, values, form) if type(result) is str else result
            elements = tuple(_elements_of(values))
            return result_or_error(error, form, *values, *elements, *_elements_of(elements))

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
    """The elements of `values`, and theirs: `dict` takes pairs."""
    for value in values:
        for element in value if isinstance(value, (list, tuple, dict)) else ():
            yield element
            if isinstance(element, (list, tuple)):
                yield from element
