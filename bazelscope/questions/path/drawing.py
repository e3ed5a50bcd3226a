"""The answers to `path` and `path --all-paths` as a drawing: all paths at once, with conditions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from bazelscope.base.label import Label
from bazelscope.base.source import Location
from bazelscope.questions.drawn.targets import (
    LARGE,
    drawn_dependency,
    drawn_target,
    frames,
    named_fills,
    parallel_edges,
    place_links,
    repository_fills,
)
from bazelscope.questions.path.answer import PathAnswer, PathsAnswer
from bazelscope.questions.shared.nodes import NodeAnswer
from bazelscope.render.counting import count_text
from bazelscope.render.drawing import Drawing, clean


def draw_paths(
    answer: PathAnswer | PathsAnswer, link: Callable[[Location | None], str] = lambda location: ""
) -> Drawing:
    """Every target and dependency of the paths that the answer lists. `link` makes of a place what
    a click leads to."""
    paths = answer.every_steps
    steps = [step for path in paths for step in path]
    targets: dict[Label, NodeAnswer] = {step.node.label: step.node for step in steps}
    edges = dict.fromkeys(step.edge for step in steps if step.edge is not None)
    fills = repository_fills(Counter(label.repository for label in targets))
    ends = {label for path in paths for label in (path[0].node.label, path[-1].node.label)}
    is_large = len(targets) > LARGE
    links = place_links(targets.values(), edges, link)
    nodes = tuple(
        drawn_target(target, label in ends, fills, is_large, links[label])
        for label, target in targets.items()
    )
    more = answer.more if isinstance(answer, PathsAnswer) else 0
    hidden = () if more == 0 else (f"{_paths(more)} left out (--max-paths)",)
    source, target = answer.source, answer.target
    return Drawing(
        "paths",
        nodes,
        tuple(drawn_dependency(group) for group in parallel_edges(edges)),
        () if is_large else frames(nodes),
        hidden,
        named_fills(fills),
        title=clean(f"paths from {source.label} to {target.label or target.asked}"),
    )


def _paths(count: int | None) -> str:
    return "more paths" if count is None else f"{count_text(count)} more path{'s' * (count != 1)}"
