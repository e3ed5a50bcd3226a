"""Pieces of text that nobody knows, inside text that is known.

A dry run that formats the output of a program into a BUILD file knows the rest of that file.
The unknown piece is written as an identifier: it survives string operations, and in the file
it is a name (or a part of a string) that the loader can recognise.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.base.unknown import PIECE as _PIECE
from bazelscope.base.unknown import Unknown, without_pieces

_COLOUR = lazy_pattern("\x1b\\[[0-9;]*m")


NEEDS_UNKNOWN = "needs-unknown-text"
"""The code of a failure that is none of the rule's: the text of which it needs all is not known."""


class UnknownPieces:
    """The unknown pieces of one dry run."""

    def __init__(self) -> None:
        self._unknowns: list[Unknown] = []
        self._numbers: dict[tuple[Unknown, bool], int] = {}

    def text_for(self, unknown: Unknown, is_many: bool = False) -> str:
        """An identifier that stands for what `unknown` is about; with `is_many`, for any one
        of the parts of it, of which nobody knows how many there are."""
        number = self._numbers.setdefault((unknown, is_many), len(self._unknowns))
        if number == len(self._unknowns):
            self._unknowns.append(unknown)
        return f"unknown_piece_{number}_"

    def many(self, text: str) -> str:
        """`text` as one of many: its pieces are those of parts."""

        def of_part(match: re.Match[str]) -> str:
            number = int(match.group(1))
            known = number < len(self._unknowns)
            return self.text_for(self._unknowns[number], is_many=True) if known else match.group(0)

        return _PIECE.sub(of_part, text)

    def adopted(self, text: str, names: Mapping[str, Unknown]) -> str:
        """`text` that another dry run wrote, whose pieces are called `names`, with pieces of this
        one in their place."""

        def of_this_run(match: re.Match[str]) -> str:
            unknown = names.get(match.group(0))
            if unknown is None:
                return match.group(0)
            piece = self.text_for(unknown)
            return piece.upper() if match.group(0).isupper() else piece

        return _PIECE.sub(of_this_run, text)

    def is_many(self, text: str) -> bool:
        """Whether `text`, in a list, stands for any number of elements."""
        numbers = {number for (_, is_many), number in self._numbers.items() if is_many}
        return any(int(match.group(1)) in numbers for match in _PIECE.finditer(text))

    def all(self) -> tuple[Unknown, ...]:
        return tuple(dict.fromkeys(self._unknowns))

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self._unknowns)

    def any(self) -> bool:
        return bool(self._unknowns)

    def inside(self, text: str) -> dict[str, Unknown]:
        """The identifiers in `text`, as they stand there, and what each stands for."""
        pieces: dict[str, Unknown] = {}
        if not may_have_pieces(text):
            return pieces
        for match in _PIECE.finditer(text):
            number = int(match.group(1)) if len(match.group(1)) < 9 else len(self._unknowns)
            if number < len(self._unknowns):
                pieces[match.group(0)] = self._unknowns[number]
        return pieces


def may_have_pieces(text: str) -> bool:
    """Whether a text is worth searching for pieces: most are long and have none."""
    return "_piece_" in text or "_PIECE_" in text or "_piece_" in text.lower()


def split_at_pieces(text: str) -> tuple[tuple[str, bool], ...]:
    """The text in order, cut at its unknown pieces; true marks a piece."""
    if not may_have_pieces(text):
        return ((text, False),) if text else ()
    parts: list[tuple[str, bool]] = []
    place = 0
    for match in _PIECE.finditer(text):
        if match.start() > place:
            parts.append((text[place : match.start()], False))
        parts.append((match.group(0), True))
        place = match.end()
    if place < len(text):
        parts.append((text[place:], False))
    return tuple(parts)


def before_pieces(text: str) -> str | None:
    """The text before its first unknown piece; None if it has none."""
    first = _PIECE.search(text)
    return None if first is None else text[: first.start()]


# A comment, the beginning and end of a load statement, a string literal.
_STARLARK = lazy_pattern(
    r"""(?P<comment>\#[^\n]*) | (?P<load>^load[ ]*\() | (?P<end>\))
    | [rR]? (?P<literal> \"{3}(?:\\.|[^\\])*?\"{3} | '{3}(?:\\.|[^\\])*?'{3}
                       | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*' )""",
    re.VERBOSE | re.MULTILINE | re.DOTALL,
)


def with_unknown_literals(text: str) -> str:
    """A Starlark file whose string literals with unknown pieces became names of such a piece.

    A string of which a part is unknown is unknown as a value: as a label it may name anything.
    Lines stay where they are. What a load statement loads from has to be a literal.
    """
    inside_load = False

    def replaced(match: re.Match[str]) -> str:
        nonlocal inside_load
        literal = match.group("literal")
        if literal is None:
            inside_load = match.group("load") is not None or (
                inside_load and match.group("comment") is not None
            )
            return match.group(0)
        piece = None if inside_load else _PIECE.search(literal)
        if piece is None:
            return match.group(0)
        lines = literal.count("\n")
        # Within parentheses a line may end anywhere.
        return f"({piece.group(0)}" + "\n" * lines + ")" if lines else piece.group(0)

    return _STARLARK.sub(replaced, text)


def shown_without_pieces(text: str, limit: int = 60) -> str:
    """`text` for a reader: unknown pieces as `...`, no terminal colours, one line."""
    beginning = text[: 16 * limit]
    shown = _on_one_line(beginning)
    if len(beginning) < len(text) and len(shown) <= 2 * limit:
        shown = _on_one_line(text)
    return shown if len(shown) <= limit else f"{shown[: limit - 3]}..."


def _on_one_line(text: str) -> str:
    return " ".join(without_pieces(_COLOUR.sub("", text)).split())
