"""Drawings written to files that the user names."""

from __future__ import annotations

from pathlib import Path

import click


def check_format(output: str) -> None:
    """Raises `UsageError` if no drawing can be made for that file name."""
    from bazelscope.render.svg import check_format

    check_format(Path(output).suffix.removeprefix("."))


def write_drawing(output: str, dot: str) -> None:
    """Draws DOT text in the format that the file name asks for; raises `click.FileError`."""
    from bazelscope.render.svg import draw

    drawn = draw(dot, Path(output).suffix.removeprefix("."))
    try:
        Path(output).write_bytes(drawn)
    except OSError as error:
        raise click.FileError(output, error.strerror) from error
