"""Starlark call stacks, read from Python's own frames.

Every Starlark function is a Python code object whose file name begins with `FILE_PREFIX` and
whose line numbers are `line << 11 | column`. A call stack is therefore what Python's stack
holds between here and the `execute` that runs the program.
"""

from __future__ import annotations

import sys
from bisect import bisect_right
from collections.abc import Callable
from types import CodeType, FrameType, FunctionType, TracebackType

from bazelscope.base.identity_table import IdentityTable
from bazelscope.base.source import CallStack, Frame, Location
from bazelscope.starlark.compile.emitter import COLUMN_BITS, FILE_PREFIX, MAX_COLUMN, demangle

RawStack = tuple[tuple[CodeType, int], ...]
"""A captured stack, innermost frame first: code objects and instruction offsets."""

OWNER = "@owner"
"""The key of a module's owner among its Python globals; no Starlark name begins with `@`. It is
there in every module, and to look for it is the fastest way to tell Starlark's frames."""

_BOUNDARY = "run_starlark_code"
"""The name of the function under which an evaluation begins; no stack goes past it."""

COMPREHENSIONS = ("<listcomp>", "<genexpr>")
"""The names of code that is a frame of Python's only: it belongs to the frame around it."""

_new = tuple.__new__
"""Every rule has a stack: named tuples that are made so take half the time."""


def capture_stack() -> RawStack:
    """The Starlark frames alive now, innermost first, to be decoded later or never."""
    frames: list[tuple[CodeType, int]] = []
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if OWNER in frame.f_globals:
            frames.append((frame.f_code, frame.f_lasti))
        elif frame.f_code.co_name == _BOUNDARY:
            break
        frame = frame.f_back
    return tuple(frames)


def running_file() -> str:
    """The name of the file whose code runs now; empty outside of one."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and not frame.f_code.co_filename.startswith(FILE_PREFIX):
        frame = frame.f_back
    return "" if frame is None else frame.f_code.co_filename.removeprefix(FILE_PREFIX)


def calling_owner() -> object:
    """The `owner` of the module whose code runs now (see `execute`); None outside of one.

    A file may be executed as several modules, so its name alone does not tell which one runs.
    """
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        scope = frame.f_globals
        if OWNER in scope:
            return scope[OWNER]
        if frame.f_code.co_name == _BOUNDARY:
            break
        frame = frame.f_back
    return None


def global_name(value: object) -> str:
    """The name of the global variable that holds a value in a module whose code runs now; empty
    if none does."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_name != _BOUNDARY:
        if frame.f_code.co_filename.startswith(FILE_PREFIX):
            for name, held in frame.f_globals.items():
                if held is value:
                    return demangle(name)
        frame = frame.f_back
    return ""


def decode_stack(raw: RawStack) -> CallStack:
    """The frames of a captured stack as people read them, outermost first."""
    frames: list[Frame] = []
    inner: Location | None = None  # where a comprehension of the next frame stands
    for code, instruction in raw:
        location = inner or location_of(code, instruction)
        if code.co_name in COMPREHENSIONS:
            inner = location
            continue
        inner = None
        frames.append(_new(Frame, (function_name(code), location)))
    frames.reverse()
    return tuple(frames)


def call_stack(skip: int = 0) -> CallStack:
    """The Starlark frames alive now, outermost first; `skip` leaves out the innermost ones."""
    stack = decode_stack(capture_stack())
    return stack[: len(stack) - skip] if skip else stack


def ends_of_stack() -> tuple[Location, Location] | None:
    """Where the outermost and the innermost Starlark frame alive now stand, as `call_stack()` has
    them, which decodes all between; None outside of Starlark code."""
    raw = capture_stack()
    if not raw:
        return None
    outermost = len(raw) - 1
    while outermost and raw[outermost - 1][0].co_name in COMPREHENSIONS:
        outermost -= 1
    return location_of(*raw[outermost]), location_of(*raw[0])


def behind_frame(function: FunctionType, name: str, place: Location) -> Callable[..., object]:
    """Returns `function` such that, on the stack, a frame called `name` at `place` calls it: what
    Bazel shows of a value that runs a function of another name."""
    word = place.line << COLUMN_BITS | min(place.column, MAX_COLUMN)
    code = _FORWARD.__code__.replace(
        co_name=name, co_filename=FILE_PREFIX + place.path, co_firstlineno=word
    )
    # The module of the function owns the frame, too.
    forward = FunctionType(code, function.__globals__, name)
    return lambda **keywords: forward(function, keywords)


_FORWARD: FunctionType = lambda function, keywords: function(**keywords)  # type: ignore[assignment]  # noqa: E731


def traceback_stack(traceback: TracebackType | None) -> CallStack:
    """The Starlark frames of an exception, outermost first.

    Of a nested evaluation (a load inside this one) only the innermost part counts.
    """
    frames: list[tuple[CodeType, int]] = []
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if code.co_filename.startswith(FILE_PREFIX):
            frames.append((code, traceback.tb_lasti))
        elif code.co_name == _BOUNDARY:
            frames.clear()
        traceback = traceback.tb_next
    frames.reverse()
    return decode_stack(tuple(frames))


def definition(function: FunctionType) -> Frame:
    """The name of a Starlark function, and where its `def` or `lambda` stands."""
    code = function.__code__
    path = code.co_filename[len(FILE_PREFIX) :]
    return Frame(function_name(code), location_of_word(path, code.co_firstlineno))


def function_of_guard(guard: str) -> tuple[str, str]:
    """The display path of a file, and the name of its function that a guard stands for."""
    path, _, name = guard.split("\0", 2)
    return path, name


def is_global(function: FunctionType) -> bool:
    """Whether a Starlark function is the value of the global variable of its name."""
    return function.__globals__.get(function.__code__.co_name) is function


def is_guarded(function: FunctionType) -> bool:
    """Whether it is noted when the function is entered; nobody needs that of one that calls
    nothing."""
    return "@enter" in function.__code__.co_names


def failing_function(traceback: TracebackType | None) -> str | None:
    """The name of the host's function that an exception comes out of; None for operators."""
    name: str | None = None
    inside = False  # right after a Starlark frame
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if code.co_filename.startswith(FILE_PREFIX):
            name = None
            inside = True
        elif inside and (module := traceback.tb_frame.f_globals.get("__name__")) not in _WRAPPERS:
            name = None if module in _OPERATORS else code.co_name
            inside = False
        traceback = traceback.tb_next
    return name


_RUN = __name__.rpartition(".")[0]
_OPERATORS = {
    f"{_RUN}.{name}" for name in ("operators", "access", "containers", "loops", "helpers", "state")
}
_WRAPPERS = {f"{_RUN}.unknown_operands"}
"""What stands between a program and the function that it calls."""


def function_name(code: CodeType) -> str:
    """The name of the function that `code` belongs to, as a Starlark stack shows it."""
    name = code.co_name
    if name == "<module>":
        return "<toplevel>"
    return "lambda" if name == "<lambda>" else demangle(name)


def location_of(code: CodeType, instruction: int) -> Location:
    """Where the instruction at an offset of `code` stands in its file."""
    starts, words = _LINES[code]
    at = max(bisect_right(starts, max(instruction, 0)) - 1, 0)
    while at and words[at] is None:
        at -= 1
    word = words[at]
    word = code.co_firstlineno if word is None else word
    return location_of_word(code.co_filename[len(FILE_PREFIX) :], word)


def _line_table(code: CodeType) -> tuple[list[int], list[int | None]]:
    """The offsets at which lines begin in `code`, and their numbers; what has none belongs to the
    line before."""
    rows = [*code.co_lines()]
    return [start for start, _, _ in rows], [line for _, _, line in rows]


_LINES = IdentityTable(_line_table)


def location_of_word(path: str, word: int) -> Location:
    """The location that a line number of compiled code stands for."""
    return _new(Location, (path, word >> COLUMN_BITS, word & MAX_COLUMN))
