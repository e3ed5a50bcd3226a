"""What targets reach under the flags: the conditions asked, the repositories needed.

One walk of the configured graph serves both, since it is most of the time that an
explanation takes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from bazelscope.analysis.conditions.configured_edges import ConfiguredEdge, ConfiguredNode
from bazelscope.analysis.conditions.edges import EdgeKind
from bazelscope.analysis.graph.kept_findings import KeptFinding
from bazelscope.base.graph_walk import walk
from bazelscope.base.label import Label, PackageId
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import Location
from bazelscope.bazel.encoded_values import decode_label
from bazelscope.loading.packages.package import Package
from bazelscope.questions.shared.target_answers import RepositoryNeed
from bazelscope.questions.shared.world import World


@dataclass(frozen=True, slots=True)
class Reach:
    """Every target that some targets depend on, and the one that first names it (None:
    it was asked for); which of these are source `files` of the workspace; and for each condition,
    the targets whose select()s ask it."""

    first_named_by: Mapping[Label, Label | None]
    files: tuple[Label, ...]
    asked_by: Mapping[Label, tuple[Label, ...]]


def what_is_reached(world: World, labels: Iterable[Label]) -> Reach:
    """Walks the dependencies that the flags take, or may take, nearest first, if no earlier run
    has."""
    starts = tuple(labels)
    kept = KeptFinding(world.configured, "reached", starts, "questions/shared")
    columns = kept.known()
    if columns is not None:
        return _from_columns(*columns)
    reach = _walked(world, starts)
    kept.keep(_columns(reach))
    return reach


def _walked(world: World, labels: Iterable[Label]) -> Reach:
    graph = world.configured
    asked: dict[Label, dict[Label, None]] = {}

    def taken(node: ConfiguredNode) -> Sequence[ConfiguredEdge]:
        if node.configuration is None:  # Files lead nowhere.
            return ()
        edges = graph.taken(node)
        for edge in edges:
            if edge.edge.kind is EdgeKind.CONDITION:
                asked.setdefault(edge.target.label, {})[node.label] = None
        return edges

    named: dict[Label, Label | None] = {}
    files: dict[Label, None] = {}
    for visit in walk(map(graph.top, labels), taken, prepare=graph.prepare):
        label = visit.node.label
        named.setdefault(label, visit.source.label if visit.source else None)
        if visit.node.configuration is None and not label.repository:
            files[label] = None
    return Reach(
        named, tuple(files), {condition: tuple(users) for condition, users in asked.items()}
    )


_Columns = tuple[
    tuple[str, ...], tuple[int, ...], tuple[int, ...], tuple[tuple[int, tuple[int, ...]], ...]
]
"""The targets, the number of the one that names each (-1: none does), those of source files, and
of each condition its number and those of the targets that ask it."""


def _columns(reach: Reach) -> _Columns:
    numbers: dict[Label | None, int] = {None: -1}
    numbers.update((one, number) for number, one in enumerate(reach.first_named_by))
    asked = [
        (numbers[one], tuple([numbers[user] for user in users]))
        for one, users in reach.asked_by.items()
    ]
    named = tuple([numbers[one] for one in reach.first_named_by.values()])
    files = tuple([numbers[one] for one in reach.files])
    return tuple(map(str, reach.first_named_by)), named, files, tuple(asked)


def _from_columns(
    texts: tuple[str, ...],
    named: tuple[int, ...],
    files: tuple[int, ...],
    asked: tuple[tuple[int, tuple[int, ...]], ...],
) -> Reach:
    labels = [decode_label(text) for text in texts]
    namers: list[Label | None] = [*labels, None]  # The last is number -1.
    return Reach(
        dict(zip(labels, [namers[number] for number in named], strict=True)),
        tuple([labels[number] for number in files]),
        {labels[one]: tuple([labels[user] for user in users]) for one, users in asked},
    )


def which_repositories_are_needed(world: World, reach: Reach) -> tuple[RepositoryNeed, ...]:
    """Returns the external repositories of a closure, by name: of its targets, and of the files
    that their packages load. Implicit dependencies and toolchains do not count."""
    inside: dict[str, list[Label]] = {}
    packages: dict[PackageId, None] = {}
    for label in reach.first_named_by:
        packages[label.package_id] = None
        if label.repository:
            inside.setdefault(label.repository, []).append(label)
    files: dict[str, dict[Label, Location]] = {}
    for id in packages:
        package = world.loader.package(id)
        for loaded in package.loads if isinstance(package, Package) else ():
            if loaded.label.repository:
                files.setdefault(loaded.label.repository, {}).setdefault(
                    loaded.label, loaded.location
                )
    return tuple(
        _need(world, reach, name, inside.get(name, []), files.get(name, {}))
        for name in sorted({*inside, *files})
    )


def _need(
    world: World, reach: Reach, name: str, targets: list[Label], files: Mapping[Label, Location]
) -> RepositoryNeed:
    repository = world.loader.table.get(name)
    definition = repository.definition if repository is not None else None
    return RepositoryNeed(
        name,
        definition.rule_class if definition is not None else "",
        definition.location if definition is not None else None,
        repository.provenance.value if repository is not None else "undefined",
        len(targets),
        targets[0] if targets else None,
        reach.first_named_by[targets[0]] if targets else None,
        len(files),
        next(iter(files.values()), None),
        repository.unknown if repository is not None else None,
    )
