"""What targets depend on and is not there: one warning for each, as `deps`, `path` and
`explain` give it; and source files that are not there."""

from __future__ import annotations

from collections.abc import Iterable

from bazelscope.analysis.conditions.edges import Edge, EdgeKind
from bazelscope.analysis.graph.missing_targets import MissingTargets
from bazelscope.base.errors import Diagnostic, Severity
from bazelscope.base.label import Label
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import Absent, InputFile, Rule
from bazelscope.loading.packages.unknown_declarations import declares_unknown
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


def is_absent_file(world: World, edge: Edge) -> bool:
    """Returns whether an attribute names a source file of the workspace that is not there, so that
    an action which is to read it fails. Bazel: `SkyframeActionExecutor`, *missing input file*."""
    label = edge.target
    # The `main` of a Python rule only says which of its sources that is.
    if edge.kind is not EdgeKind.ATTRIBUTE or edge.attribute == "main" or label.repository:
        return False
    if world.loader.workspace.exists(label.path):
        return False
    package = world.loader.package(label.package_id)
    if not isinstance(package, Package) or package.unknowns or declares_unknown(package):
        return False
    # The class of another release may have outputs that are called after the target.
    ends = (place for place, sign in enumerate(label.name) if sign == ".")
    makers = (package.targets.get(label.name[:end]) for end in ends)
    if any(isinstance(maker, Rule) and maker.rule_class.defined_at for maker in makers):
        return False
    return isinstance(package.targets.get(label.name), InputFile)
