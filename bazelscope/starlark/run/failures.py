"""Turns whatever Python raises under a program into a StarlarkError with place and stack."""

from __future__ import annotations

import re
from dataclasses import replace
from opcode import opmap
from types import TracebackType
from typing import NoReturn

from bazelscope.base.errors import BazelscopeError, Diagnostic, LimitError, StarlarkError, fault
from bazelscope.base.source import CallStack, Frame, Span
from bazelscope.starlark.compile.emitter import FILE_PREFIX, demangle
from bazelscope.starlark.run.faults import EVALUATION, EvaluationError, LimitExceededError
from bazelscope.starlark.run.stack import call_stack, location_of_word, traceback_stack
from bazelscope.starlark.run.state import RECURSION
from bazelscope.starlark.run.values import Value


def fail_with(message: str, hint: str | None = None, code: str = EVALUATION) -> NoReturn:
    """Raises the StarlarkError of a host function's failure, at the current call."""
    stack = call_stack()
    raise StarlarkError(Diagnostic(code, message, _span(stack), (), hint, stack))


def as_starlark_error(error: Exception) -> StarlarkError:
    """`error` with its place and Starlark call stack; one that has them already stays."""
    if isinstance(error, StarlarkError):
        return error
    stack = traceback_stack(error.__traceback__)
    if isinstance(error, EvaluationError) and stack:
        if error.code == RECURSION:
            stack = stack[:-1]  # the fault is the call's
        elif error.word is not None:
            function, location = stack[-1]
            stack = (*stack[:-1], Frame(function, location_of_word(location.path, error.word)))
    span = _span(stack)
    if isinstance(error, BazelscopeError):
        diagnostic = error.diagnostic.with_call_stack(stack)
        if diagnostic.span is None:
            diagnostic = replace(diagnostic, span=span)
        return StarlarkError(diagnostic)
    if isinstance(error, LimitExceededError):
        return LimitError(Diagnostic(error.code, str(error), span, call_stack=stack))
    if isinstance(error, EvaluationError):
        return StarlarkError(Diagnostic(error.code, str(error), span, (), error.hint, stack))
    if isinstance(error, (RecursionError, MemoryError)):
        deep = isinstance(error, RecursionError)
        message = "calls or values are nested too deeply" if deep else "out of memory"
        return LimitError(Diagnostic("starlark-limit", message, span, call_stack=stack))
    if not _is_the_programs(error):
        return StarlarkError(fault(error, span, stack))
    return StarlarkError(Diagnostic(EVALUATION, _translate(error), span, call_stack=stack))


_OF_PROGRAMS = (
    *(TypeError, ValueError, KeyError, IndexError, NameError),
    *(AttributeError, OverflowError, ZeroDivisionError),
)
_RUNTIME = "bazelscope.starlark.run."


def _is_the_programs(error: Exception) -> bool:
    """Whether an exception tells of a mistake in the program: Python raised it in the program's
    own code or in an operation of the language, or a function of the host raised it on purpose.
    Anything else is a mistake of ours."""
    innermost: TracebackType | None = error.__traceback__
    while innermost is not None and innermost.tb_next is not None:
        innermost = innermost.tb_next
    if not isinstance(error, _OF_PROGRAMS) or innermost is None:
        return False
    frame = innermost.tb_frame
    if frame.f_code.co_filename.startswith(FILE_PREFIX):
        return True
    if str(frame.f_globals.get("__name__")).startswith(_RUNTIME):
        return True
    is_raised = frame.f_code.co_code[innermost.tb_lasti] == opmap["RAISE_VARARGS"]
    return is_raised or (isinstance(error, TypeError) and _translate(error) != str(error))


def _span(stack: CallStack) -> Span | None:
    if not stack:
        return None
    path, line, column = stack[-1].location
    return Span(path, line, column, line, column + 1)


# ---- Python's messages in Starlark's terms: few runs meet one, so nothing is compiled before

_MISSING = r"(.*)\(\) missing \d+ required (positional|keyword-only) arguments?: (.*)"
_UNEXPECTED = r"(.*)\(\) got an unexpected keyword argument '(.*)'"
_REPEATED = r"(.*)\(\) got multiple values for (?:keyword )?argument '(.*)'"
_SURPLUS = r"(.*)\(\) takes (?:from \d+ to )?(\d+) positional arguments? but (\d+)"
_POSITIONAL_ONLY = (
    r"(.*)\(\) got some positional-only arguments passed as keyword arguments: '(.*)'"
)
_NOT_CALLABLE = r"'(\w+)' object is not callable"
_UNHASHABLE = r"(?:cannot use '[\w.]+' as a [\w ]+ \()?unhashable type: '(\w+)'"
"""With what stands before it since Python 3.14."""
_UNBOUND = r"name '(.*)' is not defined"
_LOCAL = r"local variable '([^']*)'|free variable '([^']*)'"
_METHOD = r"^(?:string|list|dict|bytes)_(?=\w)|(?<!<locals>)\.\w+$"
_CONTAINERS = r"(?:Iterated|Frozen)?(?:Odd)?(List|Dict)$"


def short_name(name: str) -> str:
    """The Starlark name of a Python function, as Python's messages give it."""
    short = demangle(name.rsplit(".", 1)[-1])
    if short == "<lambda>":
        return "lambda"
    return re.sub(_METHOD, "", short, count=1).rstrip("_") or short


def _type(name: str) -> str:
    """The Starlark name of a Python type."""
    container = re.match(_CONTAINERS, name)
    if container:
        return container[1].lower()
    pending = [Value]
    while pending:
        kind = pending.pop()
        if kind.__name__ == name:
            return kind.starlark_type
        pending += kind.__subclasses__()
    return "string" if name == "str" else name


def _arguments(count: int) -> str:
    return "argument" if count == 1 else "arguments"


def _translate(error: Exception) -> str:
    text = str(error)
    if isinstance(error, TypeError):
        return _translate_type_error(text)
    if isinstance(error, NameError):
        if match := re.search(_LOCAL, text):
            name = demangle(match[1] or match[2])
            return f"local variable '{name}' is referenced before assignment"
        if match := re.match(_UNBOUND, text):
            return f"global variable '{demangle(match[1])}' is referenced before assignment"
    if isinstance(error, KeyError) and error.args:
        return f"key not found: {error.args[0]}"
    return text or type(error).__name__


def _translate_type_error(text: str) -> str:
    if match := re.match(_MISSING, text):
        names = re.findall(r"'([^']*)'", match[3])
        arguments = _arguments(len(names))
        return (
            f"{short_name(match[1])}() missing {len(names)} required {match[2]} {arguments}:"
            f" {', '.join(names)}"
        )
    if match := re.match(_UNEXPECTED, text):
        return f"{short_name(match[1])}() got unexpected keyword argument: {match[2]}"
    if match := re.match(_REPEATED, text):
        return f"{short_name(match[1])}() got multiple values for parameter '{match[2]}'"
    if match := re.match(_SURPLUS, text):
        own = 1 if re.search(_METHOD, match[1]) else 0  # Python counts the value of a method, too.
        limit = int(match[2]) - own
        if own and not limit:  # Measured: 4.2.3 says so of functions that are no program's.
            return f"{short_name(match[1])}() got unexpected positional argument"
        if not limit:
            name, given = short_name(match[1]), match[3]
            return f"{name}() does not accept positional arguments, but got {given}"
        return (
            f"{short_name(match[1])}() accepts no more than {limit} positional"
            f" {_arguments(limit)} but got {int(match[3]) - own}"
        )
    if match := re.match(_POSITIONAL_ONLY, text):
        return (
            f"{short_name(match[1])}() got named argument for positional-only"
            f" parameter '{match[2]}'"
        )
    if match := re.match(_NOT_CALLABLE, text):
        return f"'{_type(match[1])}' object is not callable"
    if match := re.match(_UNHASHABLE, text):
        return f"unhashable type: '{_type(match[1])}'"
    return text
