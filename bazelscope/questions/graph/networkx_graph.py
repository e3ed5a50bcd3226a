"""The graph that a command line builds as a networkx graph, for programs to go on with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, TypedDict

from bazelscope.analysis.conditions.configured_edges import ConfiguredNode, Taken
from bazelscope.analysis.graph.target_graph import multigraph
from bazelscope.base.label import Label
from bazelscope.base.memoized import memoized
from bazelscope.questions.shared.described_targets import describe_node
from bazelscope.questions.shared.world import World

if TYPE_CHECKING:
    import networkx

    from bazelscope.analysis.conditions.edges import Edge


class NodeAttributes(TypedDict):
    """What `graph.nodes[name]` holds. The name of a node is its label; a target that is built
    for the execution platform has a node of its own for that, `//a:b (exec)`, or
    `//a:b (host)` where that Bazel has a host configuration."""

    label: str
    kind: str
    """As `--output=label_kind` says it: `cc_library rule`, `source file`; `unknown` where it
    cannot be told, `missing: ...` where there is no such target."""
    package: str
    repository: str
    """Without `@`; empty for the workspace itself."""
    configuration: str | None
    """`target`, `exec`, `host`, or `source` for files; None in the graph of every branch."""
    location: str | None
    """Where a BUILD file or macro made it: `core/BUILD:5`."""
    macro: str | None
    """The function that the BUILD file called, where that is no rule."""
    unknown: str | None
    """Why it cannot be told what the target is."""


class EdgeAttributes(TypedDict):
    """What the edges between two nodes hold: one edge for each attribute and branch."""

    attribute: str
    """The attribute that names the target: `deps`, `srcs`."""
    kind: str
    """`attribute`, `condition` (a key of a select()), `generated-by`, `implicit`."""
    condition: str | None
    """The condition of the select() branch that the edge hangs on."""
    is_tool: bool
    uncertain: str | None
    """Why it cannot be told whether the flags take the edge."""


def to_network(
    world: World, labels: Iterable[Label], configured: bool
) -> networkx.MultiDiGraph[str]:
    """Everything that `labels` depend on: `configured`, under the flags; else through every
    branch. Nodes hold `NodeAttributes`, edges `EdgeAttributes`."""
    if not configured:
        closure = world.graph.deps(labels)
        return multigraph(
            ((str(label), _node(world, label, None)) for label in closure),
            (
                (str(edge.source), str(edge.target), _edge(edge, None))
                for label in closure
                for edge in world.graph.edges(label)
            ),
        )
    names = _Names()
    nodes = world.configured.deps(labels)
    return multigraph(
        ((names.of(node), _node(world, node.label, node.description)) for node in nodes),
        _configured_edges(world, nodes, names),
    )


class _Names:
    """A name for each configured node: its label, and what tells it from its twins."""

    def __init__(self) -> None:
        self._taken: dict[str, ConfiguredNode] = {}

    @memoized
    def of(self, node: ConfiguredNode) -> str:
        label = str(node.label)
        is_plain = node.description in ("target", "source")
        known = label if is_plain else f"{label} ({node.description})"
        number = 1
        while known in self._taken:
            number += 1
            known = f"{label} ({node.description} {number})"
        self._taken[known] = node
        return known


def _configured_edges(
    world: World, nodes: Iterable[ConfiguredNode], names: _Names
) -> Iterator[tuple[str, str, EdgeAttributes]]:
    for node in nodes:
        for edge in world.configured.edges(node):
            if edge.taken is not Taken.NO:
                uncertain = edge.uncertain
                text = str(uncertain) if uncertain is not None else None
                yield names.of(node), names.of(edge.target), _edge(edge.edge, text)


def _node(world: World, label: Label, configuration: str | None) -> NodeAttributes:
    node = describe_node(world, label)
    return NodeAttributes(
        label=str(label),
        kind=node.kind,
        package=label.package,
        repository=label.repository,
        configuration=configuration,
        location=node.location.short if node.location else None,
        macro=node.macro,
        unknown=str(node.unknown) if node.unknown else None,
    )


def _edge(edge: Edge, uncertain: str | None) -> EdgeAttributes:
    return EdgeAttributes(
        attribute=edge.attribute,
        kind=edge.kind.value,
        condition=str(edge.branch.branch.condition) if edge.branch else None,
        is_tool=edge.is_tool,
        uncertain=uncertain,
    )
