"""Runs small programs, and reads files of test cases.

A case file holds programs separated by lines of `---`. A comment `### text` says that its
line fails with a message that contains `text`; a program without one must run to its end.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bazelscope import starlark
from bazelscope.base.errors import StarlarkError
from bazelscope.base.source import Location, SourceFile
from bazelscope.starlark import FileKind, Limits, LoadStatement, Module, Thread

CASES = Path(__file__).parent / "cases"


def no_load(statement: LoadStatement) -> Module:
    raise AssertionError(f"nothing to load: {statement.module}")


def missing(name: str, location: Location) -> object:
    return None


def assert_eq(x: object, y: object) -> None:
    if not starlark.equals(x, y):
        starlark.fail_with(f"{starlark.repr_of(x)} != {starlark.repr_of(y)}")


def predeclared(**more: object) -> dict[str, object]:
    """The names of the test programs: the universal ones, `assert_eq`, and `more`."""
    return {**starlark.universe(), "assert_eq": assert_eq, **more}


def run(
    text: str,
    kind: FileKind = FileKind.PLAIN,
    *,
    limits: Limits | None = None,
    print_handler: Callable[[str], None] = lambda line: None,
    load: Callable[[LoadStatement], Module] = no_load,
    recover: Callable[[StarlarkError], None] | None = None,
    on_missing: Callable[[str, Location], object] = missing,
    path: str = "test.star",
    **names: object,
) -> dict[str, Any]:
    """The globals that a program leaves."""
    known = predeclared(**names)
    program = starlark.load_program(SourceFile(path, text), kind, frozenset(known))
    thread = Thread(limits or Limits(), print_handler, on_missing)
    return dict(starlark.execute(program, known, load, thread, recover).globals)


def failure(text: str, kind: FileKind = FileKind.PLAIN, **options: Any) -> StarlarkError:
    """The error that a program ends with."""
    try:
        found = run(text, kind, **options)
    except StarlarkError as error:
        return error
    raise AssertionError(f"no error; the globals are {found}")


@dataclass(frozen=True)
class Case:
    """One program of a case file, and the line and text of the error it must end with."""

    name: str
    text: str
    line: int | None
    message: str


_EXPECTED = re.compile(r"(.*?) *### *(.*)")


def cases() -> Iterator[Case]:
    """Every case of every case file."""
    for path in sorted(CASES.glob("*.star")):
        start = 1
        for chunk in path.read_text(encoding="utf-8").split("\n---\n"):
            lines = chunk.split("\n")
            error_line, message = None, ""
            for number, line in enumerate(lines):
                if match := _EXPECTED.fullmatch(line):
                    lines[number], message = match[1], match[2]
                    error_line = number + 1
            text = "\n".join(lines) + "\n"
            yield Case(f"{path.stem}:{start}", text, error_line, message)
            start += len(lines) + 1
