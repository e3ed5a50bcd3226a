"""Runs programs: modules, loads, recovery, and Python's exceptions as Starlark's errors."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import CodeType
from typing import Any, NoReturn

from bazelscope.errors import BazelscopeError, Diagnostic, LimitError, StarlarkError
from bazelscope.source import CallStack, Location, Span
from bazelscope.starlark.compiler import demangle, mangle
from bazelscope.starlark.operators import HELPERS
from bazelscope.starlark.program import LoadStatement, Program
from bazelscope.starlark.stack import call_stack, traceback_stack
from bazelscope.starlark.state import Thread, enter_thread
from bazelscope.starlark.values import EvaluationError, LimitReached, freeze, type_of

Recover = Callable[[StarlarkError], None]
Load = Callable[[LoadStatement], "Module"]


@dataclass(slots=True)
class Module:
    """What executing a program leaves: its globals, frozen, without loaded names."""

    path: str
    globals: dict[str, object]
    scope: dict[str, object] = field(repr=False)
    """The Python globals of the module's functions; a later chunk goes on in it."""


def run_starlark_code(code: CodeType, scope: dict[str, Any]) -> None:
    """Where a program's stack begins: stacks are not followed past this function."""
    exec(code, scope)


def execute(
    program: Program,
    predeclared: dict[str, object],
    load: Load,
    thread: Thread,
    recover: Recover | None = None,
    *,
    chunk: int | None = None,
    module: Module | None = None,
) -> Module:
    """Runs a program, or one chunk of it, and returns its module.

    Loads run in order, where they stand. Without `recover` the first failure raises
    StarlarkError (LimitError for a limit). With it, each failing top-level statement is
    reported, the names that it would have bound get `thread.on_missing(name, location)`, and
    execution goes on; only a limit still ends it. A later `chunk` goes on in the `module` of
    the one before. Values are frozen at the end of a .bzl file; BUILD and WORKSPACE files
    have nobody to share theirs with, but are frozen too.
    """
    if module is None:
        scope: dict[str, Any] = dict(HELPERS)
        scope["__builtins__"] = predeclared
        scope.update(dict.fromkeys(program.guards, False))
    else:
        scope = module.scope
    run = _Run(program, scope, load, thread, recover)
    scope["@load"] = run.load_statement
    scope["@failed"] = run.failed
    before = enter_thread(thread)
    try:
        for code in program.chunks if chunk is None else program.chunks[chunk : chunk + 1]:
            try:
                run_starlark_code(code, scope)
            except Exception as error:
                raise as_starlark_error(error) from error
    finally:
        enter_thread(before)
        del scope["@load"], scope["@failed"]
    names = {}
    for name in program.globals:
        python_name = mangle(name, program.shadowing)
        if python_name in scope:
            value = scope[python_name]
            freeze(value)
            names[name] = value
    return Module(program.path, names, scope)


def call(
    function: Any,
    args: tuple[object, ...],
    kwargs: Mapping[str, object],
    thread: Thread,
) -> Any:
    """Calls a Starlark function from the host, as an evaluation of its own.

    Raises StarlarkError, with the call stack from `function` inward.
    """
    before = enter_thread(thread)
    try:
        return _run_call(function, args, kwargs)
    except Exception as error:
        raise as_starlark_error(error) from error
    finally:
        enter_thread(before)


def _run_call(function: Any, args: tuple[object, ...], kwargs: Mapping[str, object]) -> Any:
    return function(*args, **kwargs)


@dataclass(slots=True)
class _Run:
    """What compiled code asks of the run that it belongs to."""

    program: Program
    scope: dict[str, Any]
    load: Load
    thread: Thread
    recover: Recover | None

    def load_statement(self, number: int) -> None:
        """`@load`: binds the names of load statement `number`."""
        statement = self.program.loads[number]
        module = self.load(statement)
        exported = module.globals
        for local, name in statement.bindings:
            if name not in exported:
                near = difflib.get_close_matches(name, sorted(exported), 1, 0.7)
                raise EvaluationError(
                    f"file '{statement.module}' does not contain symbol '{name}'",
                    f"did you mean `{near[0]}`?" if near else None,
                    "starlark-load",
                )
            self.scope[mangle(local, self.program.shadowing)] = exported[name]

    def failed(self, number: int) -> None:
        """`@failed`: called while the exception of top-level statement `number` is handled."""
        import sys

        error = sys.exc_info()[1]
        assert error is not None
        if not isinstance(error, Exception):
            raise error
        problem = as_starlark_error(error)
        if self.recover is None or isinstance(problem, LimitError):
            raise problem from error
        self.recover(problem)
        stack = call_stack()
        place = stack[-1].location if stack else Location(self.program.path, 1, 1)
        for name in self.program.statements[number]:
            python_name = mangle(name, self.program.shadowing)
            if python_name not in self.scope:
                self.scope[python_name] = self.thread.on_missing(name, place)


# ---- Python's exceptions as Starlark's errors


def as_starlark_error(error: Exception) -> StarlarkError:
    """`error` with its place and Starlark call stack; one that has them already stays."""
    if isinstance(error, StarlarkError):
        return error
    stack = traceback_stack(error.__traceback__)
    span = _span(stack)
    if isinstance(error, BazelscopeError):
        diagnostic = error.diagnostic.with_call_stack(stack)
        if diagnostic.span is None:
            diagnostic = Diagnostic(
                diagnostic.code, diagnostic.message, span, diagnostic.notes, diagnostic.hint, stack
            )
        return StarlarkError(diagnostic)
    if isinstance(error, LimitReached):
        return LimitError(Diagnostic(error.code, str(error), span, call_stack=stack))
    if isinstance(error, EvaluationError):
        diagnostic = Diagnostic(error.code, str(error), span, (), error.hint, stack)
        return StarlarkError(diagnostic)
    if isinstance(error, RecursionError):
        message = "calls or values are nested too deeply"
        return LimitError(Diagnostic("starlark-limit", message, span, call_stack=stack))
    if isinstance(error, MemoryError):
        return LimitError(
            Diagnostic("starlark-limit", "out of memory", span, call_stack=stack)
        )
    message = _translate(error)
    return StarlarkError(Diagnostic("starlark-eval", message, span, call_stack=stack))


def _span(stack: CallStack) -> Span | None:
    if not stack:
        return None
    path, line, column = stack[-1].location
    return Span(path, line, column, line, column + 1)


_UNHASHABLE = re.compile(r"unhashable type: '(\w+)'")
_MISSING_ARGUMENTS = re.compile(
    r"(.*)\(\) missing \d+ required (?:positional|keyword-only) arguments?: (.*)"
)
_UNEXPECTED = re.compile(r"(.*)\(\) got an unexpected keyword argument '(.*)'")
_REPEATED = re.compile(r"(.*)\(\) got multiple values for (?:keyword )?argument '(.*)'")
_SURPLUS = re.compile(r"(.*)\(\) takes (?:from \d+ to )?(\d+) positional arguments? but (\d+)")
_POSITIONAL_ONLY = re.compile(
    r"(.*)\(\) got some positional-only arguments passed as keyword arguments: '(.*)'"
)
_NOT_CALLABLE = re.compile(r"'(\w+)' object is not callable")
_UNBOUND = re.compile(r"name '(.*)' is not defined")
_LOCAL = re.compile(r"local variable '([^']*)'|free variable '([^']*)'")
_PYTHON_TYPES = {
    "List": "list", "IteratedList": "list", "FrozenList": "list", "Dict": "dict",
    "IteratedDict": "dict", "FrozenDict": "dict", "str": "string", "NoneType": "NoneType",
}  # fmt: skip


def _function(name: str) -> str:
    """A function's name in a message of Python's, as Starlark knows it."""
    short = demangle(name.rsplit(".", 1)[-1])
    for prefix in ("string_", "list_", "dict_", "bytes_", "set_"):
        short = short.removeprefix(prefix)
    return "lambda" if short == "<lambda>" else short.rstrip("_")


def _translate(error: Exception) -> str:
    """Python's message in Starlark's terms."""
    text = str(error)
    if isinstance(error, TypeError):
        if match := _MISSING_ARGUMENTS.match(text):
            names = re.findall(r"'([^']*)'", match[2])
            plural = "s" if len(names) > 1 else ""
            return f"{_function(match[1])}() missing {len(names)} required argument{plural}: {', '.join(names)}"
        if match := _UNEXPECTED.match(text):
            return f"{_function(match[1])}() got unexpected keyword argument: {match[2]}"
        if match := _REPEATED.match(text):
            return f"{_function(match[1])}() got multiple values for parameter '{match[2]}'"
        if match := _SURPLUS.match(text):
            limit = int(match[2])
            return (
                f"{_function(match[1])}() accepts no more than {limit} positional"
                f" argument{'s' if limit != 1 else ''} but got {match[3]}"
            )
        if match := _POSITIONAL_ONLY.match(text):
            return f"{_function(match[1])}() got named argument for positional-only parameter '{match[2]}'"
        if match := _NOT_CALLABLE.match(text):
            return f"'{_PYTHON_TYPES.get(match[1], match[1])}' object is not callable"
        if match := _UNHASHABLE.match(text):
            return f"unhashable type: '{_PYTHON_TYPES.get(match[1], match[1])}'"
        return text
    if isinstance(error, UnboundLocalError) and (match := _LOCAL.search(text)):
        return f"local variable '{demangle(match[1] or match[2])}' is referenced before assignment"
    if isinstance(error, NameError):
        if match := _LOCAL.search(text):
            return f"local variable '{demangle(match[1] or match[2])}' is referenced before assignment"
        if match := _UNBOUND.match(text):
            return f"global variable '{demangle(match[1])}' is referenced before assignment"
    if isinstance(error, KeyError) and error.args:
        return f"key not found: {error.args[0]}"
    return text or type(error).__name__


def fail_with(message: str, hint: str | None = None, code: str = "starlark-eval") -> NoReturn:
    """Raises the StarlarkError of a host function's failure, at the current call."""
    stack = call_stack()
    raise StarlarkError(Diagnostic(code, message, _span(stack), (), hint, stack))


assert type_of
