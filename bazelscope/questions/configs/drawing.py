"""The answer to `configs` as a drawing: which named config names which."""

from __future__ import annotations

from bazelscope.questions.configs.answer import ConfigsAnswer
from bazelscope.questions.shared.phrases import listed
from bazelscope.render.drawing import Drawing, DrawnEdge, DrawnNode, Line, clean, wrapped

_MOST_NAMED = 3


def draw_configs(answer: ConfigsAnswer) -> Drawing:
    """Which named config pulls in which."""
    nodes: dict[str, DrawnNode] = {}
    edges = []
    for config in answer.configs:
        options = [line.text for section in config.sections for line in section.lines]
        places = [section.lines[0].location.short for section in config.sections if section.lines]
        tooltip = "\n".join([f"--config={config.name}", *places, *options])
        nodes[config.name] = DrawnNode(
            clean(config.name),
            wrapped(clean(config.name)),
            clean(tooltip),
            fill=1 if config.pulls_in else 0,
            is_end=config.name == answer.asked,
            facts=(("locations", clean(" ".join(places))), ("options", clean(" ".join(options)))),
        )
        for missing in config.missing:
            tooltip = f"--config={missing}: no rc file defines it"
            gone = DrawnNode(
                clean(missing), wrapped(clean(missing)), clean(tooltip), is_unknown=True
            )
            nodes.setdefault(missing, gone)
        for inner in (*config.pulls_in, *config.missing):
            tooltip = f"--config={config.name} names --config={inner}"
            line = Line.UNKNOWN if inner in config.missing else Line.PLAIN
            edges.append(DrawnEdge(clean(config.name), clean(inner), (), clean(tooltip), line))
    ordered = tuple(sorted(nodes.values(), key=lambda node: node.key))
    undefined = sorted({one for config in answer.configs for one in config.missing})
    told = f"dotted, red: no rc file defines {clean(listed(undefined, _MOST_NAMED, ''))}"
    return Drawing(
        "configs",
        ordered,
        tuple(edges),
        hidden=(told,) if undefined else (),
        has_legend=False,
        nouns="configs",
    )
