"""Drawings written to files that the user names, or to standard output."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from bazelscope.render.drawing import Drawing

FORMATS = ("dot", "svg", "png", "pdf", "mmd", "graphml")
"""As in `render/formats.py`, which start-up does not import."""


def drawing_format(output: str | None, wanted: str | None) -> str:
    """The format that `--as` says, or else the file name; DOT without either. Raises
    `UsageError` if no drawing can be made for that file name."""
    from bazelscope.render.formats import format_of

    if wanted is not None:
        return wanted
    return "dot" if output is None else format_of(Path(output).suffix.removeprefix("."))


def write_drawing(
    output: str, drawing: Drawing, file_format: str, every_edge: bool = False
) -> None:
    """Draws into a file; raises `click.FileError`."""
    from bazelscope.render.formats import draw

    drawn = draw(drawing, file_format, every_edge)
    try:
        Path(output).write_bytes(drawn)
    except OSError as error:
        raise click.FileError(output, error.strerror) from error
