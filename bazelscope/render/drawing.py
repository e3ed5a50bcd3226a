"""A graph as it is drawn, whatever the format: boxes, arrows, what they say and mean.

Texts are cleaned here once, so that no format meets a character that it cannot hold.
"""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass

_UNDRAWABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
"""What XML has no place for; Graphviz and Mermaid show nothing for it either."""

FILLS = ("#ffffff", "#dceafa", "#e2f3e2", "#fdeedd", "#f2e6fa", "#fbe4e4", "#e0f4f4", "#f6f6d8")


class Line(enum.Enum):
    """How an arrow is drawn; the value is the legend's wording."""

    PLAIN = "always"
    CONDITIONAL = "only if a select() takes that branch"
    UNKNOWN = "cannot be told"
    TOOL = "tool, built for the execution platform"
    CONDITIONAL_TOOL = "tool, only if a select() takes that branch"


@dataclass(frozen=True, slots=True)
class DrawnNode:
    """A box. `key` names it in the graph; `fill` is an index into `FILLS`."""

    key: str
    lines: tuple[str, ...]
    tooltip: str
    cluster: str = ""
    fill: int = 0
    is_end: bool = False
    is_unknown: bool = False
    facts: tuple[tuple[str, str], ...] = ()
    """What formats for programs say of it, by name."""


@dataclass(frozen=True, slots=True)
class DrawnEdge:
    """An arrow between two boxes."""

    source: str
    target: str
    lines: tuple[str, ...]
    tooltip: str
    line: Line = Line.PLAIN
    weight: int = 1
    """How many edges it stands for."""
    facts: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Drawing:
    """A whole graph. `hidden` says what is left out, `fills` what the colours mean."""

    name: str
    nodes: tuple[DrawnNode, ...]
    edges: tuple[DrawnEdge, ...]
    clusters: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    fills: tuple[tuple[str, int], ...] = ()
    is_sideways: bool = False
    has_legend: bool = True

    @property
    def lines_used(self) -> tuple[Line, ...]:
        """The kinds of arrows that occur, in the order of the legend."""
        used = {edge.line for edge in self.edges}
        return tuple(line for line in Line if line in used)

    @property
    def is_dense(self) -> bool:
        """Whether texts at the arrows would cover the drawing."""
        return len(self.edges) > _READABLE_EDGES


_READABLE_EDGES = 90


def clean(text: str) -> str:
    """`text` without characters that a drawing cannot hold."""
    return _UNDRAWABLE.sub("\ufffd", text)


def wrapped(path: str, width: int = 34) -> tuple[str, ...]:
    """`path` cut behind slashes, underscores and dashes into lines of a readable width."""
    lines = [""]
    for piece in re.findall(r"[^/]*/+|[^/]+$", path) or [path]:
        for part in _pieces(piece, width):
            if lines[-1] and len(lines[-1]) + len(part) > width:
                lines.append("")
            lines[-1] += part
    return tuple(lines)


def _pieces(piece: str, width: int) -> list[str]:
    if len(piece) <= width:
        return [piece]
    parts = re.findall(r"[^_.-]*[_.-]+|[^_.-]+$", piece)
    return [part[at : at + width] for part in parts for at in range(0, len(part), width)]
