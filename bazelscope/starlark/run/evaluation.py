"""Runs programs: modules, loads, chunks and recovery."""

from __future__ import annotations

import sys
from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import field
from types import CodeType, FunctionType
from typing import Any

from bazelscope.base.errors import LimitError, StarlarkError
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.nearest import did_you_mean
from bazelscope.base.source import CallStack, Location
from bazelscope.starlark.compile.emitter import mangle
from bazelscope.starlark.compile.program import LoadStatement, Program
from bazelscope.starlark.run.containers import LOCKED, unlock
from bazelscope.starlark.run.failures import as_starlark_error, short_name
from bazelscope.starlark.run.faults import EvaluationError
from bazelscope.starlark.run.freezing import freeze
from bazelscope.starlark.run.helpers import HELPERS, HELPERS_NAME
from bazelscope.starlark.run.stack import OWNER, call_stack, ends_of_stack
from bazelscope.starlark.run.state import RUNNING, Thread, running

Recover = Callable[[StarlarkError], None]
Load = Callable[[LoadStatement], "Module"]


@dataclass(slots=True)
class Module:
    """What executing a program leaves: its globals, frozen, without loaded names."""

    path: str
    globals: dict[str, object]
    scope: dict[str, object] = field(repr=False)
    """The Python globals of the module's functions; a later chunk goes on in it."""
    doubt_of_name: Callable[[str], object] | None = field(default=None, repr=False)
    """What tells the doubt in which a name of the file was bound; None where nothing was."""


def global_function(module: Module, name: str) -> FunctionType | None:
    """The function of that name at the top level of a module."""
    scope = module.scope
    for python_name in (name, mangle(name, frozenset({name}))):
        value = scope.get(python_name)
        if type(value) is FunctionType and value.__globals__ is scope:
            return value
    return None


def function_names(module: Module) -> list[str]:
    """What errors call the functions of a module's own, those that only it sees among them."""
    return [
        short_name(value.__name__)
        for value in module.scope.values()
        if type(value) is FunctionType and value.__globals__ is module.scope
    ]


def run_starlark_code(code: CodeType, scope: dict[str, Any]) -> None:
    """Where a program's stack begins: stacks are not followed past this function."""
    exec(code, scope)


def as_predeclared(values: Mapping[str, object]) -> dict[str, object]:
    """Returns what `execute` takes as predeclared, for names some of which mean something to Python
    itself: `__workspace_dir__`."""
    return {mangle(name, frozenset()): value for name, value in values.items()}


def execute(
    program: Program,
    predeclared: dict[str, object],
    load: Load,
    thread: Thread,
    recover: Recover | None = None,
    *,
    chunk: int | None = None,
    module: Module | None = None,
    owner: object = None,
) -> Module:
    """Runs a program, or one chunk of it, and returns its module.

    Loads run in order, where they stand. Without `recover` the first failure raises
    StarlarkError (LimitError for a limit). With it, each failing top-level statement is
    reported, the names that it would have bound get `thread.on_missing(name, location)`, and
    execution goes on; only a limit still ends it. A later `chunk` goes on in the `module` of
    the one before. Values are frozen at the end of a .bzl file; BUILD and WORKSPACE files
    have nobody to share theirs with, but are frozen too. `owner` is what `calling_owner` returns
    while code of this module runs.
    """
    if module is None:
        scope: dict[str, Any] = dict(predeclared.get(HELPERS_NAME, HELPERS))  # type: ignore[call-overload]
        scope["__builtins__"] = predeclared
        scope[OWNER] = owner
    else:
        scope = module.scope
    run = _Run(program, scope, load, thread, recover, len(LOCKED))
    scope["@load"] = run.load_statement
    scope["@failed"] = run.failed
    thread.lines[program.path] = program.lines
    with running(thread, is_file=True):
        for code in program.chunks if chunk is None else program.chunks[chunk : chunk + 1]:
            try:
                run_starlark_code(code, scope)
            except StarlarkError:
                unlock(run.locked)
                raise
            except Exception as error:
                unlock(run.locked)
                raise as_starlark_error(error) from error
    del scope["@load"], scope["@failed"]
    names = {}
    # In the order of their first assignments, by which Bazel names rules.
    defined = frozenset(program.globals)
    assigned = (name for bound in program.statements for name in bound)
    for name in dict.fromkeys((*assigned, *program.globals)):
        if name not in defined:
            continue
        python_name = mangle(name, program.shadowing)
        if python_name in scope:
            value = scope[python_name]
            freeze(value)
            names[name] = value
    has_doubts = thread.source is not None and (thread.doubts or thread.doubts_of_loads)
    return Module(program.path, names, scope, thread.doubt_of_name if has_doubts else None)


def call(
    function: Any, args: tuple[object, ...], kwargs: Mapping[str, object], thread: Thread
) -> Any:
    """Calls a Starlark function from the host, as an evaluation of its own.

    Raises StarlarkError, with the call stack from `function` inward.
    """
    locked = len(LOCKED)
    with running(thread):
        try:
            return function(*args, **kwargs)
        except StarlarkError:
            unlock(locked)
            raise
        except Exception as error:
            unlock(locked)
            raise as_starlark_error(error) from error


def note_doubt(doubt: object, value: object, outermost: Location | None) -> None:
    """Notes that the running top-level statement, in which `outermost` is, decides something by
    `value`, which is not known: what goes wrong in it from here on need not go wrong."""
    RUNNING.thread.decisions += 1
    RUNNING.thread.decided_by = value
    if outermost is not None:
        RUNNING.thread.doubts.setdefault(_statement(outermost), doubt)


def doubt_here() -> Any:
    """What the running top-level statement has decided without knowing it; None if nothing."""
    doubts = RUNNING.thread.doubts
    ends = ends_of_stack() if doubts else None
    return doubts.get(_statement(ends[0])) if ends else None


def doubt_of(stack: CallStack) -> Any:
    """What the top-level statement under which `stack` grew had decided without knowing it, or one
    before that binds what it mentions; None if nothing."""
    thread = RUNNING.thread
    if not stack or not (thread.doubts or thread.doubts_of_loads):
        return None
    path, line = _statement(stack[0].location)
    own = thread.doubts.get((path, line))
    if own is not None or thread.source is None or thread.source.path != path:
        return own
    return thread.carried_doubts().at(line, thread.doubts, thread.doubts_of_loads)


def _statement(place: Location) -> tuple[str, int]:
    """The file of the top-level statement that `place` is in, and the line on which it begins."""
    path, line = place[:2]
    lines = RUNNING.thread.lines.get(path, ())
    number = bisect_right(lines, line)
    return path, lines[number - 1] if number else line


@dataclass(slots=True)
class _Run:
    """What compiled code asks of the run that it belongs to."""

    program: Program
    scope: dict[str, Any]
    load: Load
    thread: Thread
    recover: Recover | None
    locked: int

    def load_statement(self, number: int) -> None:
        """`@load`: binds the names of load statement `number`."""
        statement = self.program.loads[number]
        module = self.load(statement)
        exported = module.globals
        for local, name in statement.bindings:
            if name not in exported:
                raise EvaluationError(
                    f"file '{statement.module}' does not contain symbol '{name}'",
                    did_you_mean(name, sorted(exported)),
                    "starlark-load",
                )
            self.scope[mangle(local, self.program.shadowing)] = exported[name]
            if module.doubt_of_name is not None:
                self.thread.doubts_of_loads[local] = module.doubt_of_name

    def failed(self, number: int) -> None:
        """`@failed`: called while the exception of top-level statement `number` is handled."""
        error = sys.exc_info()[1]
        assert error is not None
        if not isinstance(error, Exception):
            raise error
        problem = as_starlark_error(error)
        if problem is not error:
            problem.__cause__ = error
        if self.recover is None or isinstance(problem, LimitError):
            raise problem
        unlock(self.locked)
        self.recover(problem)
        stack = call_stack()
        place = stack[-1].location if stack else Location(self.program.path, 1, 1)
        for name in self.program.statements[number]:
            python_name = mangle(name, self.program.shadowing)
            if python_name not in self.scope:
                self.scope[python_name] = self.thread.on_missing(name, place)
