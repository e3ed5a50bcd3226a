"""The piece of an attribute's expression that a label came from."""

from __future__ import annotations

import enum

from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import Location


class TermKind(enum.Enum):
    """What sort of expression a label comes from."""

    LITERAL = "literal"
    VARIABLE = "variable"
    CALL = "call"
    DEFAULT = "default"
    """The attribute was not set: the rule class's default."""
    UNKNOWN = "unknown"
    """Not to be told from the text; `text` is the expression that was given."""


@dataclass(frozen=True, slots=True)
class Term:
    """One piece: its text, where it stands, where the variable or function (or the select()
    in it) is defined, and the pieces inside it that lead on to the label."""

    kind: TermKind
    text: str
    location: Location | None
    defined_at: Location | None = None
    via: tuple[Term, ...] = ()
