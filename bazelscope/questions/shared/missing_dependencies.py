"""What targets depend on and is not there: one warning for each, as `deps`, `path` and
`explain` give it; and source files that are not there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice

from bazelscope.analysis.conditions.edges import Edge, EdgeKind
from bazelscope.analysis.graph.missing_targets import MissingTargets
from bazelscope.base.errors import Diagnostic, Note, Severity, is_severe
from bazelscope.base.label import Label
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import Absent, InputFile, Rule
from bazelscope.loading.packages.unknown_declarations import declares_unknown
from bazelscope.questions.shared.world import World

ABSENT_FILE = "no-such-file"
"""The code of a warning of source files that are not there."""

_FILES_SHOWN = 5


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


def absent_files_among(
    world: World, files: Iterable[Label], named_by: Mapping[Label, Label | None]
) -> tuple[Diagnostic, ...]:
    """Warns, once for all, of those of the source `files` that are not there; each is named by an
    attribute of the target that `named_by` gives."""
    edges: list[Edge] = []
    for file in files:
        namer = named_by.get(file)
        if namer is None or file.repository or world.loader.workspace.exists(file.path):
            continue
        naming = (edge for edge in world.graph.edges(namer) if edge.target == file)
        edges += islice((edge for edge in naming if names_absent(world, edge)), 1)
    notes = [
        Note(
            f"`{edge.target}`, which {edge.source} names in `{edge.attribute}`",
            place and place.span,
        )
        for edge in edges[:_FILES_SHOWN]
        for place in (world.graph.location(edge.source),)
    ]
    if not edges:
        return ()
    text = f"there is no source file {notes[0].message}: an action that reads it fails"
    if len(edges) > 1:
        others = f"{len(edges):,} source files are not there, `{edges[0].target}` among them"
        text = f"{others}: an action that reads one fails"
    left = len(edges) - len(notes)
    more = (Note(f"and {left:,} more"),) if left else ()
    shown = (*notes, *more) if len(edges) > 1 else ()
    return (Diagnostic(ABSENT_FILE, text, notes[0].span, shown, severity=Severity.WARNING),)


def names_absent(world: World, edge: Edge) -> bool:
    """Returns whether an attribute names a source file of the workspace that is not there, so that
    an action which is to read it fails. Bazel: `SkyframeActionExecutor`, *missing input file*."""
    # The `main` of a Python rule only says which of its sources that is.
    is_read = edge.kind is EdgeKind.ATTRIBUTE and edge.attribute != "main"
    return is_read and is_absent_file(world, edge.target)


def is_absent_file(world: World, label: Label) -> bool:
    """Returns whether `label` is a source file of the workspace that is not there."""
    if label.repository or world.loader.workspace.exists(label.path):
        return False
    package = world.loader.package(label.package_id)
    if not isinstance(package, Package) or package.unknowns or declares_unknown(package):
        return False
    if any(map(is_severe, package.diagnostics)):
        return False  # Behind the error, a rule of this name may be declared.
    # The class of another release may have outputs that are called after the target.
    ends = (place for place, sign in enumerate(label.name) if sign == ".")
    makers = (package.targets.get(label.name[:end]) for end in ends)
    if any(isinstance(maker, Rule) and maker.rule_class.defined_at for maker in makers):
        return False
    return isinstance(package.targets.get(label.name), InputFile)
