"""Where the expressions of a BUILD file or macro stand that labels are followed through."""

from __future__ import annotations

from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import Location
from bazelscope.loading.origins.syntax_pieces import Piece
from bazelscope.starlark.syntax import tree as s

_MAXIMUM_TEXT = 60


@dataclass(frozen=True, slots=True)
class Scope:
    """Where an expression stands: its statement, and the frame of `stack` that runs it
    (-1: no frame; then `arguments` hold what its parameters were called with)."""

    piece: Piece
    function: s.Def | None
    frame: int
    call: s.Call | None = None
    caller: Scope | None = None


def shortened(node: s.Expression, piece: Piece) -> str:
    """The expression's text on one line; a call with long arguments as `f(...)`."""
    text = " ".join(piece.text(node).split())
    if len(text) <= _MAXIMUM_TEXT:
        return text
    if isinstance(node, s.Call):
        return f"{' '.join(piece.text(node.function).split())}(...)"
    return text[: _MAXIMUM_TEXT - 3] + "..."


def parameter_of(function: s.Def | None, name: str) -> s.Parameter | None:
    """The parameter of that name, if the function has one."""
    if function is None:
        return None
    return next((parameter for parameter in function.parameters if parameter.name == name), None)


def place_of(scope: Scope | None) -> Location | None:
    """Where the name of a scope's function stands."""
    if scope is None or scope.function is None:
        return None
    return scope.piece.location(scope.function.name_start)
