"""Drawings written to files that the user names, or to standard output."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from bazelscope.render.drawing import Drawing

_BINARY = ("png", "pdf")


def drawing_format(output: str | None, wanted: str | None) -> str:
    """The format that `--as` says, or else the file name; DOT without either. Raises
    `UsageError` if no drawing can be made for that file name, and `click.UsageError` if the
    drawing would go to a terminal that cannot show it, or cannot be written."""
    if wanted is None:
        wanted = "dot" if output is None else _format_of(Path(output))
    if output is None and wanted in _BINARY and sys.stdout.isatty():
        raise click.UsageError(f"a terminal shows no {wanted.upper()}: say -o FILE.{wanted}")
    if output is not None:
        _check(Path(output))
    return wanted


def _format_of(file: Path) -> str:
    from bazelscope.render.formats import format_of

    return format_of(file.suffix.removeprefix("."))


def _check(file: Path) -> None:
    """Whether a drawing could be written there, before work is done for it."""
    if file.is_dir():
        raise click.FileError(str(file), os.strerror(errno.EISDIR))
    if not file.parent.is_dir():
        raise click.FileError(str(file), os.strerror(errno.ENOENT))
    if not os.access(file if file.exists() else file.parent, os.W_OK):
        raise click.FileError(str(file), os.strerror(errno.EACCES))


def write_drawing(
    output: str,
    drawing: Drawing,
    file_format: str,
    **how: Any,
) -> None:
    """Draws into a file as `bazelscope.render.formats.draw` is told to; raises `UsageError` if it
    cannot be drawn, and `click.FileError` if it cannot be written."""
    from bazelscope.render.formats import draw

    drawn = draw(drawing, file_format, **how)
    try:
        Path(output).write_bytes(drawn)
    except OSError as error:
        raise click.FileError(output, error.strerror) from error
