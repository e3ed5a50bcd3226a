"""Targets below which nothing is in a cycle and nothing names environments: most of every tree.

What walks over all edges have found is kept for the next run: which targets of a package are so,
and to which packages these lead. A walk from another target goes no further than to those. So a
question about a target that nobody has asked for before looks as far as one about the whole tree,
and reads next to nothing again.
"""

from __future__ import annotations

import marshal
from collections.abc import Collection, Iterable
from functools import cached_property

from bazelscope.analysis.graph.kept_edges import KeepsResults
from bazelscope.analysis.graph.target_graph import TargetGraph
from bazelscope.base import budget
from bazelscope.base.graph_walk import distances
from bazelscope.base.label import Label, PackageId

_KIND = "plain"
_ENVIRONMENT = "environment"
"""The class of rules by which it is known that somebody names environments."""

_Id = tuple[str, str]
"""A repository and a package of it."""
_Row = tuple[bytes, tuple[_Id, ...], tuple[str, ...]]
"""Of a package: its digest, the other packages that its plain targets lead to, and their names."""


def packages_of_plain(graph: TargetGraph, start: Label) -> Collection[PackageId] | None:
    """Every package that `start` may reach, itself among them, if nothing there is in a cycle or
    an environment, whatever the flags; None where something is, or where nothing can be kept."""
    keeper = graph.keeper
    pack = keeper.kept(_KIND, "analysis") if keeper is not None else None
    if keeper is None or pack is None:
        return None
    key = tuple(map(str, (graph.implicit, graph.visibility, graph.condition_visibility)))
    content = pack.get(key)
    kept = _Plain({} if content is None else marshal.loads(content), keeper)
    known = kept.below(start)
    if known is not None:
        return known
    cuts = budget.current().cuts
    rows = _rows(graph, _walked(graph, start, kept), kept.sound)
    if rows is None or budget.current().cuts != cuts:
        return None
    pack.put(key, marshal.dumps(rows))
    return _Plain(rows, keeper).below(start)


class _Plain:
    """What walks have found of each package. It holds as long as all packages that a target may
    reach, from package to package, are as they were."""

    def __init__(self, rows: dict[_Id, _Row], keeper: KeepsResults) -> None:
        self._rows = rows
        self._keeper = keeper
        self._is_as_it_was: dict[_Id, bool] = {}

    def below(self, label: Label) -> Collection[PackageId] | None:
        """The packages that a target may reach, if it is plain."""
        id = label[:2]
        if label.name not in self._names(id):
            return None
        reached = distances((id,), lambda one: self._rows[one][1] if self._holds(one) else ())
        return [PackageId(*one) for one in reached] if all(map(self._holds, reached)) else None

    @cached_property
    def sound(self) -> dict[_Id, _Row]:
        """The rows of the packages from which all that may be reached is as it was."""
        above: dict[_Id, list[_Id]] = {}
        for id, (_, following, _) in self._rows.items():
            for one in following:
                above.setdefault(one, []).append(id)
        changed = [id for id in self._rows if not self._holds(id)]
        in_doubt = distances(changed, lambda id: above.get(id, ()))
        return {id: row for id, row in self._rows.items() if id not in in_doubt}

    def _names(self, id: _Id) -> tuple[str, ...]:
        return self._rows[id][2] if id in self._rows else ()

    def _holds(self, id: _Id) -> bool:
        holds = self._is_as_it_was.get(id)
        if holds is None:
            digest = self._keeper.inputs_digest(PackageId(*id))
            holds = self._is_as_it_was[id] = digest == self._rows[id][0]
        return holds


def _walked(graph: TargetGraph, start: Label, kept: _Plain) -> list[Label]:
    """The plain ones of all targets between `start` and what is known to be plain."""
    names = {id: frozenset(row[2]) for id, row in kept.sound.items()}

    def is_new(label: Label) -> bool:
        return label.name not in names.get(label[:2], ())

    def following(label: Label) -> Collection[Label]:
        return graph.targets(label) if is_new(label) else ()

    reached = distances(
        (start,), following, None, lambda level: graph.prepare_below([*filter(is_new, level)])
    )
    above: dict[Label, list[Label]] = {}
    waiting: dict[Label, int] = {}
    for label in filter(is_new, reached):
        targets = {*graph.targets(label)}
        waiting[label] = len(targets)
        for target in targets:
            above.setdefault(target, []).append(label)
    plain: list[Label] = []
    ready = [label for label in reached if not waiting.get(label)]
    for label in ready:
        if label in waiting:
            if graph.shape(label).class_name == _ENVIRONMENT:
                continue
            plain.append(label)
        for source in above.get(label, ()):
            waiting[source] -= 1
            if not waiting[source]:
                ready.append(source)
    return plain


def _rows(
    graph: TargetGraph, plain: Iterable[Label], before: dict[_Id, _Row]
) -> dict[_Id, _Row] | None:
    """What is known now that other targets were found to be plain; None where one of their
    packages cannot be compared."""
    names: dict[_Id, list[str]] = {}
    following: dict[_Id, dict[_Id, None]] = {}
    for label in plain:
        id = label[:2]
        names.setdefault(id, []).append(label.name)
        following.setdefault(id, {}).update(
            (target[:2], None) for target in graph.targets(label) if target[:2] != id
        )
    rows = dict(before)
    same: dict[_Id, _Id] = {}
    for id, own in names.items():
        digest = graph.keeper.inputs_digest(PackageId(*id)) if graph.keeper is not None else None
        if digest is None:
            return None
        _, others, known = before.get(id, (digest, (), ()))
        following[id].update(dict.fromkeys(others))
        leads_to = tuple(same.setdefault(one, one) for one in following[id])
        rows[same.setdefault(id, id)] = digest, leads_to, (*known, *own)
    return rows
