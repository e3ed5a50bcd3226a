"""What targets depend on and is not there: one warning for each, as `deps`, `path` and
`explain` give it."""

from __future__ import annotations

from collections.abc import Iterable

from bazelscope.analysis.graph.missing_targets import MissingTargets
from bazelscope.base.errors import Diagnostic, Severity
from bazelscope.base.label import Label
from bazelscope.loading.packages.targets import Absent
from bazelscope.questions.shared.world import World


def missing_among(world: World, labels: Iterable[Label]) -> tuple[Diagnostic, ...]:
    """Warns of each of `labels` that is not there, naming all others of them that ask for it."""
    reached = dict.fromkeys(labels)
    absent = {
        label: node
        for label, node in world.graph.absent.items()
        if label in reached and isinstance(node, Absent)
    }
    problems: list[Diagnostic] = []
    report = MissingTargets(problems, Severity.WARNING, world.loader.workspace.is_file)
    for label in reached if absent else ():
        if absent.keys().isdisjoint(world.graph.targets(label)):
            continue
        for edge in world.graph.edges(label):
            if edge.target in absent and not edge.may_be_none:
                place = world.graph.location(label)
                report.note(absent[edge.target], label, place)
    return tuple(problems)


def missing_below(world: World, start: Label, configured: bool) -> tuple[Diagnostic, ...]:
    """Warns of each dependency below `start` that is not there; with `configured`, of those
    that the flags take.

    The graph has been walked by whoever looked for a name below `start`. What it met decides
    whether anything is left to do, so that this costs nothing where nothing is missing.
    """
    absent = world.graph.absent.values()
    if not any(isinstance(node, Absent) for node in absent):
        return ()
    if not configured:
        return missing_among(world, world.graph.deps([start]))
    return missing_among(world, (node.label for node in world.configured.deps([start])))
