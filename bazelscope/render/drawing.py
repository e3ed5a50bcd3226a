"""A graph as it is drawn, whatever the format: boxes, arrows, what they say and mean.

Texts are cleaned here once, so that no format meets a character that it cannot hold.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Collection
from typing import TYPE_CHECKING

from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    import networkx

_UNDRAWABLE = lazy_pattern("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
"""What XML has no place for; Graphviz and Mermaid show nothing for it either."""

FILLS = ("#ffffff", "#dceafa", "#e2f3e2", "#fdeedd", "#f2e6fa", "#fbe4e4", "#e0f4f4", "#f6f6d8")

OTHER_FILL = "#e9e9e9"
"""For the repositories that there are no colours for; its index follows those of `FILLS`."""


class Line(enum.Enum):
    """How an arrow is drawn; the value is the legend's wording."""

    PLAIN = "always"
    CONDITIONAL = "only if a select() takes that branch"
    UNKNOWN = "cannot be told"
    TOOL = "tool, built for the execution platform"
    CONDITIONAL_TOOL = "tool, only if a select() takes that branch"


@dataclass(frozen=True, slots=True)
class DrawnNode:
    """A box. `key` names it in the graph; `fill` is a number for `color_of`; `cluster` is the
    frame that it stands in, or, if the drawing has no such frame, the first it says; `kind`
    is its last line."""

    key: str
    lines: tuple[str, ...]
    tooltip: str
    cluster: str = ""
    fill: int = 0
    is_end: bool = False
    is_unknown: bool = False
    kind: str = ""
    is_list: bool = False
    """Whether it stands for several, and its lines are their names."""
    facts: tuple[tuple[str, str], ...] = ()
    """What formats for programs say of it, by name."""
    link: str = ""
    """The URL that a click on it leads to."""
    stands_for: int = 1
    """How many targets it lists."""


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
    """A whole graph. `title` says what of, `clusters` are the frames, `hidden` says what is
    left out, `fills` what the colours mean."""

    name: str
    nodes: tuple[DrawnNode, ...]
    edges: tuple[DrawnEdge, ...]
    clusters: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    fills: tuple[tuple[str, int], ...] = ()
    has_legend: bool = True
    counts_edges: bool = False
    """Whether arrows tell how many edges they stand for."""
    is_folded: bool = False
    """Whether boxes stand for what they dominate: arrows mostly say what they are by tooltips."""
    folds: bool = True
    """Whether it may be folded: of a tree of decisions each arrow counts."""
    nouns: str = "targets"
    title: str = ""

    def digraph(self, kinds: Collection[Line] = tuple(Line)) -> networkx.DiGraph[str]:
        """The boxes and the arrows of these kinds, as a graph."""
        import networkx

        graph: networkx.DiGraph[str] = networkx.DiGraph()
        graph.add_nodes_from(node.key for node in self.nodes)
        graph.add_edges_from((e.source, e.target) for e in self.edges if e.line in kinds)
        return graph

    @property
    def lines_used(self) -> tuple[Line, ...]:
        """The kinds of arrows that occur, in the order of the legend."""
        used = {edge.line for edge in self.edges}
        return tuple(line for line in Line if line in used)

    def lines_at(self, edge: DrawnEdge) -> tuple[str, ...]:
        """What stands at an arrow."""
        return (str(edge.weight),) if self.counts_edges else edge.lines

    def lines_of(self, node: DrawnNode) -> tuple[str, ...]:
        """What the box of a node says; its cluster first, if no frame does."""
        lines = node.lines
        if node.cluster and node.cluster not in self.clusters:
            whole = node.cluster + lines[0]
            if len(lines) == 1 and len(whole) <= _WIDTH:
                lines = (whole,)
            else:
                lines = (*wrapped(node.cluster), *lines)
        return (*lines, node.kind) if node.kind else lines

    @property
    def is_dense(self) -> bool:
        """Whether texts at the arrows would cover the drawing."""
        if self.is_folded:
            # Arrows that were joined have no text: those of some are worth no room then.
            return len(self.edges) > _FEW_EDGES or not all(edge.lines for edge in self.edges)
        return len(self.edges) > _READABLE_EDGES


_READABLE_EDGES = 90
_FEW_EDGES = 24


def color_of(fill: int) -> str:
    """The colour that the number of a fill stands for."""
    return FILLS[fill] if 0 <= fill < len(FILLS) else OTHER_FILL


def clean(text: str) -> str:
    """`text` without characters that a drawing cannot hold."""
    return _UNDRAWABLE.sub("\ufffd", text)


_WIDTH = 34


def wrapped(path: str, width: int = _WIDTH) -> tuple[str, ...]:
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
