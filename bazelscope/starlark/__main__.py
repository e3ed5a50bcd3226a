"""Runs one file of plain Starlark: `python -m bazelscope.starlark FILE`.

What the program prints goes to standard output, an error with its call stack to standard
error; the exit code is 0, or 1 after an error. There is nothing to load from.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from bazelscope.base.errors import StarlarkError
from bazelscope.base.source import SourceFile
from bazelscope.starlark import (
    FileKind,
    LoadStatement,
    Module,
    Thread,
    execute,
    fail_with,
    load_program,
    universe,
)
from bazelscope.starlark.run.failures import short_name
from bazelscope.starlark.run.stack import failing_function


def _no_load(statement: LoadStatement) -> Module:
    fail_with(f"cannot load {statement.module}: there are no modules here")


def _describe(error: StarlarkError) -> str:
    diagnostic = error.diagnostic
    lines = []
    if diagnostic.call_stack:
        lines.append("Traceback (most recent call last):")
        for frame in diagnostic.call_stack:
            lines.append(f"\t{frame.location}, in {frame.function}")
    place = f"{diagnostic.span}: " if diagnostic.span else ""
    cause = error.__cause__
    function = failing_function(cause.__traceback__) if cause is not None else None
    what = f"Error in {short_name(function)}" if function else "error"
    lines.append(f"{place}{what}: {diagnostic.message}")
    for note in diagnostic.notes:
        lines.append(f"note: {note.message}" + (f" ({note.span})" if note.span else ""))
    if diagnostic.hint:
        lines.append(f"hint: {diagnostic.hint}")
    return "\n".join(lines)


def run_file(path: str, text: str, print_handler: Callable[[str], None]) -> str | None:
    """Runs a program of plain Starlark; returns its error in words, or None."""
    predeclared = universe()
    try:
        program = load_program(SourceFile(path, text), FileKind.PLAIN, frozenset(predeclared))
        execute(program, predeclared, _no_load, Thread(print_handler=print_handler))
    except StarlarkError as error:
        return _describe(error)
    return None


@click.command(help="Run one file of plain Starlark.")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def main(file: Path) -> None:
    try:
        text = file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        error: str | None = f"{file}: error: the file is not UTF-8"
    else:
        error = run_file(str(file), text, click.echo)
    if error is not None:
        click.echo(error, err=True)
        raise SystemExit(1)


if __name__ == "__main__":
    main()
