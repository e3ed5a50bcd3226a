"""Laid out lines on a stream: plain text for pipes, colours for terminals."""

from __future__ import annotations

from collections.abc import Iterable
from io import StringIO
from itertools import groupby
from typing import TYPE_CHECKING

from bazelscope.render.document import Document, Line, Style, lay_out, plain_text

if TYPE_CHECKING:
    from bazelscope.render.hyperlinks import Link

_ANY = 80
"""Lines come laid out, so that rich need not look for the terminal's size: it fails over what
may stand in `COLUMNS`."""


def to_text(
    document: Document, width: int | None = None, color: bool = False, link: Link | None = None
) -> str:
    """`document` as text for a terminal of `width` columns (None: unbounded, for pipes). With
    `color`, places are hyperlinks to where `link` says."""
    lines = lay_out(document, width)
    return _colored(lines, link) if color else plain_text(lines)


def _colored(lines: Iterable[Line], link: Link | None) -> str:
    # rich is worth its 40 ms only where colours are shown.
    from rich.console import Console
    from rich.style import Style as RichStyle
    from rich.text import Text

    from bazelscope.render.hyperlinks import linked

    target = StringIO()
    console = Console(
        file=target, force_terminal=True, color_system="standard", highlight=False, markup=False,
        width=_ANY, height=_ANY, _environ={},
    )  # fmt: skip
    for line in lines:
        text = Text(no_wrap=True)
        for style, pieces in groupby(line, key=lambda piece: piece.style):
            shown = "".join(piece.text for piece in pieces)
            how = None if style is Style.PLAIN else style.value
            for piece, url in linked(shown, link) if link else ((shown, ""),):
                shape = RichStyle.parse(how or "") + RichStyle(link=url) if url else how
                text.append(piece, shape)
        text.rstrip()
        console.print(text, soft_wrap=True)
    return target.getvalue()
