"""The graph that `mod graph`, `deps`, `path`, `all_paths` and `explain` show, before it is a tree.

Bazel: `ModExecutor`. It goes breadth first, so a module has its dependencies below it where it is
nearest to the root; then it is cut at `--depth`, below which targets and their parents stay.
`path` and `all_paths` are those of Bazel 7.7, 8.5 and 9: what earlier ones print leads nowhere.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import field

from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.named_tuple import NamedTuple
from bazelscope.loading.modules.module_graph import ROOT, ModuleKey
from bazelscope.loading.modules.module_versions import version_order

Dependencies = Callable[[ModuleKey], Sequence[ModuleKey]]
"""What a module depends on, sorted."""

_MOST_VISITS = 200_000


class TooManyPathsError(Exception):
    """The tree would have more lines than anybody reads."""


class Child(NamedTuple):
    """One edge: whether the module has its dependencies below it there, whether modules between
    are left out, and whether it stands above its parent already."""

    key: ModuleKey
    is_expanded: bool = True
    is_indirect: bool = False
    is_cycle: bool = False


@dataclass(slots=True)
class ResultNode:
    """One module of the graph; `children` in the order in which they were found."""

    is_target: bool = False
    children: dict[Child, None] = field(default_factory=dict)

    def by_key(self) -> list[Child]:
        """One edge for each module, sorted."""
        first: dict[ModuleKey, Child] = {}
        for child in self.children:
            first.setdefault(child.key, child)
        return sorted(first.values(), key=lambda child: order(child.key))

    def by_kind(self) -> list[Child]:
        """Every edge: cycles, then what stands elsewhere, then the others."""
        return sorted(
            self.children,
            key=lambda child: (
                not child.is_cycle,
                child.is_expanded,
                child.is_indirect,
                order(child.key),
            ),
        )


Result = Mapping[ModuleKey, ResultNode]


def order(key: ModuleKey) -> tuple[str, object]:
    """Bazel: `ModuleKey.LEXICOGRAPHIC_COMPARATOR`."""
    return key.name, version_order(key.version)


def expand(
    tops: Sequence[ModuleKey],
    dependencies: Dependencies,
    depth: int,
    shows_cycles: bool,
    targets: Collection[ModuleKey] | None = None,
) -> Result:
    """Everything below `tops`, which are put below the root; if there are `targets`, no more than
    what leads to them. Bazel: `expandAndPrune`."""
    direct = dependencies(ROOT)
    pinned = {key for key in tops if key != ROOT} | (set(direct) if ROOT in tops else set())
    leading = None if targets is None else _leading_to(targets, (ROOT, *tops), dependencies)
    if leading is not None:
        pinned &= leading
    queue = sorted(pinned, key=order)
    result = {ROOT: ResultNode()}
    for key in queue:
        result[ROOT].children[Child(key, is_indirect=key not in direct)] = None
    seen = {ROOT, *queue}
    for key in queue:
        node = result[key] = ResultNode(key in (targets or ()))
        for needed in dependencies(key):
            if leading is not None and needed not in leading:
                continue
            node.children[Child(needed, is_expanded=needed not in seen)] = None
            if needed not in seen:
                seen.add(needed)
                queue.append(needed)
    return _Pruner(result, targets, depth, shows_cycles).run()


def _leading_to(
    targets: Collection[ModuleKey], tops: Sequence[ModuleKey], dependencies: Dependencies
) -> set[ModuleKey]:
    """The modules below `tops` that need a target, and the targets. Bazel:
    `colorReversePathsToRoot`."""
    above: dict[ModuleKey, list[ModuleKey]] = {key: [] for key in tops}
    queue = list(above)
    for key in queue:
        for needed in dependencies(key):
            if needed not in above:
                queue.append(needed)
            above.setdefault(needed, []).append(key)
    leading = dict.fromkeys(key for key in targets if key in above)
    queue = list(leading)
    for key in queue:
        queue.extend(one for one in above[key] if one not in leading)
        leading.update(dict.fromkeys(above[key]))
    return set(leading)


def paths(
    tops: Sequence[ModuleKey],
    targets: Collection[ModuleKey],
    dependencies: Dependencies,
    is_single: bool,
    depth: int,
    shows_cycles: bool,
) -> Result:
    """What leads from `tops` to `targets`: with `is_single` one shortest way to each, else one to
    each module that depends on a target. Bazel: `expandPathsToTargets`."""
    before: dict[ModuleKey, ModuleKey | None] = dict.fromkeys(sorted(tops, key=order), ROOT)
    before[ROOT] = None
    result: dict[ModuleKey, ResultNode] = {}
    direct = dependencies(ROOT)
    seen: set[ModuleKey] = set()

    def lead(above: ModuleKey | None, key: ModuleKey) -> None:
        result.setdefault(key, ResultNode()).is_target = True
        seen.add(key)
        while above is not None:
            is_indirect = above == ROOT and key not in direct
            result.setdefault(above, ResultNode()).children[Child(key, is_indirect=is_indirect)] = (
                None
            )
            key, above = above, before.get(above)

    queue = list(tops)
    for key in queue:
        if is_single and seen.issuperset(targets):
            break
        if key in targets and not (is_single and key in seen):
            lead(before.get(key), key)
        for needed in dependencies(key):
            if needed in targets and not (is_single and needed in seen):
                lead(key, needed)
            if needed not in before:
                before[needed] = key
                queue.append(needed)
    return _Pruner(result, targets, depth, shows_cycles).run()


_Steps = Iterator["_Steps"]


def _run(steps: _Steps) -> None:
    """Runs what goes down a graph, however deep that is."""
    stack = [steps]
    while stack:
        below = next(stack[-1], None)
        if below is None:
            stack.pop()
        else:
            stack.append(below)


@dataclass(eq=False)
class _Pruner:
    """Cuts a graph at a depth; `targets` are None where nothing below it is wanted. Bazel:
    `ResultGraphPruner`."""

    _old: Result
    _targets: Collection[ModuleKey] | None
    _depth: int
    _shows_cycles: bool
    _result: dict[ModuleKey, ResultNode] = field(default_factory=dict)
    _above: set[ModuleKey] = field(default_factory=set)
    _visits: int = 0

    def run(self) -> Result:
        if ROOT not in self._old:
            return {}
        root = self._result[ROOT] = ResultNode()
        self._above.add(ROOT)
        for child in self._old[ROOT].by_key():
            root.children[Child(child.key, is_indirect=child.is_indirect)] = None
            _run(self._visit(child.key, 1, ROOT, True))
        return self._result

    def _visit(self, key: ModuleKey, depth: int, above: ModuleKey, is_expanded: bool) -> _Steps:
        self._count()
        old = self._old[key]
        node = self._result.setdefault(key, ResultNode())
        node.is_target = old.is_target
        if depth > 1:
            self._result[above].children[Child(key, is_expanded)] = None
        if not is_expanded:
            return
        self._above.add(key)
        for child in old.by_key():
            if child.key in self._above:
                if self._shows_cycles:
                    node.children[Child(child.key, False, False, True)] = None
            elif depth < self._depth:
                yield self._visit(child.key, depth + 1, key, child.is_expanded)
            elif self._targets is not None:
                yield self._visit_below(child.key, key, key, child.is_expanded)
        self._above.discard(key)

    def _visit_below(
        self, key: ModuleKey, above: ModuleKey, shown_above: ModuleKey, is_expanded: bool
    ) -> _Steps:
        """Keeps targets and their parents that stand below the depth."""
        self._count()
        old = self._old[key]
        node = ResultNode(old.is_target)
        self._above.add(key)
        if old.is_target or self._is_above_target(old):
            edge = Child(key, is_expanded, shown_above != above)
            self._result[shown_above].children[edge] = None
            self._result[key] = node
            shown_above = key
        for child in old.by_key() if is_expanded else ():
            if child.key not in self._above:
                yield self._visit_below(child.key, key, shown_above, child.is_expanded)
            elif self._shows_cycles:
                node.children[Child(child.key, False, False, True)] = None
        self._above.discard(key)

    def _is_above_target(self, node: ResultNode) -> bool:
        assert self._targets is not None
        return any(
            child.key in self._targets and child.key not in self._above for child in node.children
        )

    def _count(self) -> None:
        self._visits += 1
        if self._visits > _MOST_VISITS:
            raise TooManyPathsError
