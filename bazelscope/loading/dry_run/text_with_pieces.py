"""Texts with unknown pieces: what is known of them, and what must be decided by them."""

from __future__ import annotations

from typing import ClassVar, Self

from bazelscope import starlark
from bazelscope.base.unknown import Unknown
from bazelscope.loading.dry_run.decisions import Decisions
from bazelscope.loading.dry_run.unknown_pieces import shown_without_pieces, split_at_pieces


class TextWithPieces(starlark.Value, str):  # type: ignore[misc]  # `index`, `__iter__` differ
    """A string of which at least a piece is unknown, and what is known around that."""

    starlark_type: ClassVar[str] = "string"
    decisions: Decisions
    unknown: Unknown
    parts: tuple[tuple[str, bool], ...]
    """The text in order, cut at its unknown pieces; true marks a piece."""

    @classmethod
    def of(cls, text: str, unknown: Unknown, decisions: Decisions) -> Self:
        made = cls(text)
        made.unknown = next(iter(decisions.pieces.inside(text).values()), unknown)
        made.decisions = decisions
        # Text that some operation tore a piece of apart is unknown as a whole.
        made.parts = split_at_pieces(text) or ((text, True),)
        if not any(is_piece for _, is_piece in made.parts):
            made.parts = ((text, True),)
        return made

    @property
    def plain(self) -> str:
        """The text that stands for it."""
        return str.__str__(self)

    @property
    def head(self) -> str:
        """What is known before the first unknown piece."""
        text, is_piece = self.parts[0]
        return "" if is_piece else text

    @property
    def tail(self) -> str:
        """What is known after the last unknown piece."""
        text, is_piece = self.parts[-1]
        return "" if is_piece else text

    def again(self, text: str | None = None) -> Self:
        """A text made from this one."""
        return type(self).of(self.plain if text is None else text, self.unknown, self.decisions)

    def kept(self, text: str) -> str:
        """`text`, made from this one: a plain string if no unknown piece is left in it."""
        if any(is_piece for _, is_piece in split_at_pieces(text)):
            return self.again(text)
        return text

    @property
    def about(self) -> str:
        """How an assumption names this text."""
        shown = shown_without_pieces(self.plain)
        return "its output" if shown == "..." else f"`{shown}`"

    def ask(self, predicate: str, likelier: bool) -> bool:
        """A decision about this text: whether it `is empty`, and the like."""
        return self.decisions.decide(self.unknown, self.about, predicate, likelier, self.plain)
