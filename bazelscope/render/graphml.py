"""A drawing as GraphML, for yEd, Gephi and programs: every fact as an attribute."""

from __future__ import annotations

import io

from bazelscope.analysis.graph.target_graph import multigraph
from bazelscope.render.drawing import Drawing


def to_graphml(drawing: Drawing) -> bytes:
    """The drawing as an XML document; what is left out is an attribute of the graph."""
    import networkx

    graph = multigraph(
        (
            (node.key, {"tooltip": node.tooltip, "cluster": node.cluster, **dict(node.facts)})
            for node in drawing.nodes
        ),
        (
            (
                edge.source,
                edge.target,
                {
                    "tooltip": edge.tooltip,
                    "line": edge.line.name.lower(),
                    "weight": edge.weight,
                    **dict(edge.facts),
                },
            )
            for edge in drawing.edges
        ),
    )
    graph.graph["hidden"] = "; ".join(drawing.hidden)
    written = io.BytesIO()
    networkx.write_graphml_xml(graph, written, prettyprint=True)
    return written.getvalue()
