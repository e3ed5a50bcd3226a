"""Pieces of text that nobody knows, inside text that is known.

A dry run that formats the output of a program into a BUILD file knows the rest of that file.
The unknown piece is written as an identifier: it survives string operations, and in the file
it is a name (or a part of a string) that the loader can recognise.
"""

from __future__ import annotations

import re

from bazelscope.unknown import Unknown

_PIECE = re.compile(r"unknown_piece_(\d+)_", re.IGNORECASE)
_COLOUR = re.compile("\x1b\\[[0-9;]*m")


class UnknownPieces:
    """The unknown pieces of one dry run."""

    def __init__(self) -> None:
        self._unknowns: list[Unknown] = []

    def text_for(self, unknown: Unknown) -> str:
        """An identifier that stands for what `unknown` is about."""
        if unknown not in self._unknowns:
            self._unknowns.append(unknown)
        return f"unknown_piece_{self._unknowns.index(unknown)}_"

    def all(self) -> tuple[Unknown, ...]:
        return tuple(self._unknowns)

    def any(self) -> bool:
        return bool(self._unknowns)

    def inside(self, text: str) -> dict[str, Unknown]:
        """The identifiers in `text`, as they stand there, and what each stands for."""
        found: dict[str, Unknown] = {}
        if "_PIECE_" not in text and "_piece_" not in text.lower():
            return found
        for match in _PIECE.finditer(text):
            number = int(match.group(1)) if len(match.group(1)) < 9 else len(self._unknowns)
            if number < len(self._unknowns):
                found[match.group(0)] = self._unknowns[number]
        return found


def shown_without_pieces(text: str, limit: int = 60) -> str:
    """`text` for a reader: unknown pieces as `...`, no terminal colours, one line."""
    shown = " ".join(_PIECE.sub("...", _COLOUR.sub("", text)).split())
    return shown if len(shown) <= limit else f"{shown[: limit - 3]}..."
