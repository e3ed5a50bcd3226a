"""Laid out lines on a stream: plain text for pipes, colours for terminals."""

from __future__ import annotations

from collections.abc import Iterable
from io import StringIO
from itertools import groupby

from bazelscope.render.document import Document, Line, Style, lay_out, plain_text

_ANY = 80
"""Lines come laid out, so that rich need not look for the terminal's size: it fails over what
may stand in `COLUMNS`."""


def to_text(document: Document, width: int | None = None, color: bool = False) -> str:
    """`document` as text for a terminal of `width` columns (None: unbounded, for pipes)."""
    lines = lay_out(document, width)
    return _colored(lines) if color else plain_text(lines)


def _colored(lines: Iterable[Line]) -> str:
    # rich is worth its 40 ms only where colours are shown.
    from rich.console import Console
    from rich.text import Text

    target = StringIO()
    console = Console(
        file=target, force_terminal=True, color_system="standard", highlight=False, markup=False,
        width=_ANY, height=_ANY, _environ={},
    )  # fmt: skip
    for line in lines:
        text = Text(no_wrap=True)
        for style, pieces in groupby(line, key=lambda piece: piece.style):
            shown = "".join(piece.text for piece in pieces)
            text.append(shown, None if style is Style.PLAIN else style.value)
        text.rstrip()
        console.print(text, soft_wrap=True)
    return target.getvalue()
