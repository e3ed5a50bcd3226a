"""Why one target depends on another: the answer to `path`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from bazelscope.analysis.alternatives import FlagRequirement
from bazelscope.analysis.configured import ConfiguredEdge, Taken
from bazelscope.analysis.configured_paths import ConfiguredPath, find_configured_path
from bazelscope.analysis.edges import WRITTEN, Edge
from bazelscope.analysis.names import (
    AmbiguousName,
    Endpoints,
    NoSuchName,
    resolve_endpoints,
    resolve_name,
)
from bazelscope.analysis.paths import Path, PathFinder
from bazelscope.analysis.selects import Chosen, SelectResult, UnknownChoice
from bazelscope.errors import LabelError
from bazelscope.explain.completeness import how_complete
from bazelscope.explain.conditions import ConditionAnswer, Outcome, why_condition
from bazelscope.explain.configs import UndefinedConfig
from bazelscope.explain.describe import describe_node, describe_repository, describe_term
from bazelscope.explain.explanation import Setup
from bazelscope.explain.needs import describe_branch, describe_need
from bazelscope.explain.nodes import EdgeAnswer, NodeAnswer, OptionNeed
from bazelscope.explain.path_answers import (
    Cut,
    NameAnswer,
    PathAnswer,
    PathOutcome,
    PathStep,
    RepositoryAnswer,
)
from bazelscope.explain.world import World
from bazelscope.label import Label, PackageId, parse_label
from bazelscope.loading.targets import NoSuchTarget, Package, Rule
from bazelscope.loading.terms import why_label
from bazelscope.unknown import Unknown


def find_path(
    world: World,
    setup: Setup,
    undefined_configs: tuple[UndefinedConfig, ...],
    asked: tuple[str, str],
    configured: bool,
) -> PathAnswer:
    """Why the first of the `asked` names depends on the second.

    `configured`: only the branches that the flags choose count; else every branch does,
    and the answer says what each needs.
    """
    ends, source, target, outcome = which_targets(world, *asked)
    if ends is None:
        return PathAnswer(
            setup, source, target, outcome, configured, undefined_configs=undefined_configs,
            completeness=how_complete(world.loader, labels_of(*asked)),
        )  # fmt: skip
    maker = _PathMaker(world)
    steps: tuple[PathStep, ...] = ()
    cuts: tuple[Cut, ...] = ()
    needs: tuple[OptionNeed, ...] = ()
    forbids: tuple[tuple[OptionNeed, ...], ...] = ()
    contradiction: tuple[OptionNeed, ...] = ()
    outcome = PathOutcome.NO_PATH
    if configured:
        found = find_configured_path(world.configured, ends.start, ends.end)
        if found is not None:
            outcome = PathOutcome.FOUND if found.exists else PathOutcome.CUT
            steps, needs = maker.configured_steps(found)
            cuts = maker.cuts(found)
    else:
        path = maker.finder.find(ends.start, ends.end)
        if path is not None:
            outcome = PathOutcome.FOUND
            steps = maker.steps(path)
            needs = maker.needs(path.needs)
            forbids = tuple(maker.needs(combination) for combination in path.forbids)
            contradiction = maker.needs(path.contradiction)
    labels = [step.node.label for step in steps] or [ends.start, ends.end]
    return PathAnswer(
        setup=setup,
        source=source,
        target=target,
        outcome=outcome,
        configured=configured,
        steps=steps,
        needs=needs,
        forbids=forbids,
        contradiction=contradiction,
        cuts=cuts,
        undefined_configs=undefined_configs,
        repositories=which_repositories(world, labels),
        completeness=how_complete(world.loader, labels),
    )


def which_targets(
    world: World, source: str, target: str
) -> tuple[Endpoints | None, NameAnswer, NameAnswer, PathOutcome]:
    """The two targets that names mean, or why one of them means none.

    Of several targets that a path joins, the one nearest to the workspace's root is taken,
    if there is a single nearest one; the answer names the others.
    """
    texts = [source, target]
    passed_over: dict[int, tuple[Label, ...]] = {}
    while True:
        ends = resolve_endpoints(world.graph, world.loader, texts[0], texts[1])
        if not isinstance(ends, AmbiguousName) or ends.text not in texts:
            break
        nearest = _nearest_to_root(ends.candidates)
        if nearest is None:
            break
        position = texts.index(ends.text)
        texts[position] = str(nearest)
        passed_over[position] = tuple(c for c in ends.candidates if c != nearest)
    if isinstance(ends, Endpoints):
        others = [passed_over.get(0, ()), passed_over.get(1, ())]
        start = NameAnswer(source, ends.start, others[0] or _namesakes(ends.start, ends.others))
        end = NameAnswer(target, ends.end, others[1] or _namesakes(ends.end, ends.others))
        return ends, start, end, PathOutcome.FOUND
    failed = _unresolved(world, ends)
    outcome = (
        PathOutcome.NAME_AMBIGUOUS if isinstance(ends, AmbiguousName) else PathOutcome.NAME_UNKNOWN
    )
    if ends.text == texts[0]:
        return None, failed, NameAnswer(target, None, is_settled=False), outcome
    return None, NameAnswer(source, None, is_settled=False), failed, outcome


def which_target(world: World, text: str) -> NameAnswer:
    """The target that one name means by itself."""
    found = resolve_name(world.loader, text)
    if isinstance(found, Label):
        return NameAnswer(text, found)
    nearest = _nearest_to_root(found.candidates) if isinstance(found, AmbiguousName) else None
    if nearest is not None and isinstance(found, AmbiguousName):
        return NameAnswer(text, nearest, tuple(c for c in found.candidates if c != nearest))
    return _unresolved(world, found)


def _nearest_to_root(candidates: tuple[Label, ...]) -> Label | None:
    """The one candidate with the shortest package path; None if there are several."""

    def depth(label: Label) -> tuple[bool, int]:
        return (bool(label.repository), label.package.count("/") if label.package else -1)

    nearest = min(map(depth, candidates))
    found = [label for label in candidates if depth(label) == nearest]
    return found[0] if len(found) == 1 else None


def _unresolved(world: World, found: AmbiguousName | NoSuchName) -> NameAnswer:
    if isinstance(found, AmbiguousName):
        why = f"`{found.text}` is the name of {len(found.candidates)} targets; say which"
        return NameAnswer(found.text, None, found.candidates, (), why)
    why = found.message or f"no target is named `{found.text}`"
    if isinstance(found.missing, NoSuchTarget):
        broken = problem_of_package(world, found.missing.label)
        if broken is not None:
            return NameAnswer(found.text, None, (), (), broken)
    return NameAnswer(found.text, None, (), found.nearest, why)


def problem_of_package(world: World, label: Label) -> str | None:
    """Why it cannot be told whether `label` exists: its package is in error. Else None."""
    package = world.loader.package(label.package_id)
    if isinstance(package, Package) and package.diagnostics:
        return f"package `{package.id}` is in error, so {label} cannot be told"
    return None


def labels_of(*names: str) -> list[Label]:
    """The labels among names."""
    found = []
    for name in names:
        if name.startswith(("//", "@")):
            try:
                found.append(parse_label(name, PackageId("", "")))
            except LabelError:
                continue  # The name's own answer says so.
    return found


def _namesakes(label: Label, others: tuple[Label, ...]) -> tuple[Label, ...]:
    return tuple(other for other in others if other.name == label.name)


def which_repositories(world: World, labels: list[Label]) -> tuple[RepositoryAnswer, ...]:
    """The external repositories of `labels`, in order of appearance."""
    names = dict.fromkeys(label.repository for label in labels if label.repository)
    found = ((name, world.loader.repository(name)) for name in names)
    return tuple(describe_repository(name, repository) for name, repository in found if repository)


class _PathMaker:
    """Puts paths of the analysis phase into the form of the answer."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.finder = PathFinder(world.graph, world.configuration)

    def steps(self, path: Path) -> tuple[PathStep, ...]:
        """The steps of a path of the unconfigured graph, its end included."""
        wanted = frozenset(path.needs)
        conditions, configs = self.world.conditions, self.world.configs
        made = []
        for step in path.steps:
            edge = self.edge(step.edge)
            branch = describe_branch(step, conditions, configs, wanted)
            made.append(PathStep(self.node(step.edge.source), replace(edge, branch=branch)))
        return (*made, PathStep(self.node(path.target)))

    def configured_steps(
        self, path: ConfiguredPath
    ) -> tuple[tuple[PathStep, ...], tuple[OptionNeed, ...]]:
        """The steps of a configured path, and the options that hold its branches."""
        made = []
        needs: dict[str, OptionNeed] = {}
        for step in path.steps:
            edge = step.edge.edge
            conditions = self.world.configured.conditions(step.source.configuration)
            branch = describe_branch(self.finder.step(edge), conditions, self.world.configs)
            answer = replace(self.edge(edge), branch=branch, uncertain=_uncertain(step.edge))
            made.append(PathStep(self.node(edge.source), answer))
            for need in branch.needs if branch else ():
                needs.setdefault(need.text, need)
        return (*made, PathStep(self.node(path.target))), tuple(needs.values())

    def cuts(self, path: ConfiguredPath) -> tuple[Cut, ...]:
        """The branches on a path that are not taken, and what would make them."""
        made = []
        for cut in path.cuts:
            edge = cut.step.edge.edge
            conditions = self.world.configured.conditions(cut.step.source.configuration)
            branch = describe_branch(self.finder.step(edge), conditions, self.world.configs)
            made.append(
                Cut(
                    edge=replace(self.edge(edge), branch=branch),
                    condition=why_condition(cut.match) if cut.match else None,
                    chosen=_chosen(cut.step.edge.choice),
                    fixes=tuple(n for n in branch.needs if not n.holds) if branch else (),
                )
            )
        return tuple(made)

    def needs(self, found: Iterable[FlagRequirement]) -> tuple[OptionNeed, ...]:
        conditions, configs = self.world.conditions, self.world.configs
        return tuple(describe_need(need, conditions, configs) for need in found)

    def node(self, label: Label) -> NodeAnswer:
        package = self.world.loader.package(label.package_id)
        return describe_node(label, self.world.graph.node(label), package)

    def edge(self, edge: Edge) -> EdgeAnswer:
        rule = self.world.graph.node(edge.source)
        term = None
        if isinstance(rule, Rule) and edge.kind in WRITTEN:
            selector = edge.branch.selector if edge.branch else None
            found = why_label(self.world.loader, rule, edge.attribute, edge.target, selector)
            term = describe_term(found)
        location = term.location if term else None
        if location is None and isinstance(rule, Rule):
            location = rule.location
        return EdgeAnswer(
            source=edge.source,
            target=edge.target,
            attribute=edge.attribute,
            kind=edge.kind.value,
            location=location,
            term=term,
            is_tool=edge.is_tool,
        )


def _uncertain(edge: ConfiguredEdge) -> Unknown | None:
    if edge.taken is Taken.UNKNOWN and isinstance(edge.choice, UnknownChoice):
        return edge.choice.unknowns[0]
    return edge.unknown


def _chosen(choice: SelectResult | None) -> ConditionAnswer | None:
    if not isinstance(choice, Chosen):
        return None
    condition = choice.branch.condition
    for entry in choice.outcomes:
        if entry.is_chosen and entry.match is not None:
            return why_condition(entry.match)
    return ConditionAnswer(condition, condition, Outcome.HOLDS)
