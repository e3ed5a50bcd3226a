"""Paths of the analysis phase put into the form of answers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from bazelscope.analysis.conditions.atoms import FlagRequirement
from bazelscope.analysis.conditions.edges import Edge
from bazelscope.analysis.conditions.match_result import Match, MatchResult
from bazelscope.analysis.conditions.select_choice import Chosen, SelectResult
from bazelscope.analysis.configuration.configuration import ConfigurationKind
from bazelscope.analysis.paths.clashes import Clash
from bazelscope.analysis.paths.configured_paths import ConfiguredPath, ConfiguredStep
from bazelscope.analysis.paths.path_finder import Path, PathFinder
from bazelscope.analysis.paths.transition_scopes import Scope
from bazelscope.base.unknown import Unknown
from bazelscope.questions.path.answer import ClashAnswer, Cut, PathStep
from bazelscope.questions.shared.described_edges import describe_edge
from bazelscope.questions.shared.described_targets import describe_node
from bazelscope.questions.shared.needs import describe_branch, describe_need
from bazelscope.questions.shared.nodes import BranchAnswer, EdgeAnswer, OptionNeed
from bazelscope.questions.shared.world import World

# Looking up where a label was written reads that part of its file: up to so many edges have that.
_MOST_TERMS = 1000


class PathMaker:
    """Puts paths of the analysis phase into the form of the answer."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.finder = PathFinder(world.graph, world.configuration)
        self._terms = _MOST_TERMS

    def _edge(self, edge: Edge, uncertain: Unknown | None = None) -> EdgeAnswer:
        self._terms -= 1
        return describe_edge(self.world, edge, uncertain, with_term=self._terms >= 0)

    def steps(self, path: Path) -> tuple[PathStep, ...]:
        """The steps of a path of the unconfigured graph, its end included."""
        wanted = frozenset(path.needs)
        conditions, configs = self.world.conditions, self.world.configs
        made = []
        for step in path.steps:
            edge = self._edge(step.edge)
            branch = describe_branch(step, conditions, configs, wanted)
            made.append(
                PathStep(describe_node(self.world, step.edge.source), replace(edge, branch=branch))
            )
        return (*made, PathStep(describe_node(self.world, path.target)))

    def configured_steps(
        self, path: ConfiguredPath
    ) -> tuple[tuple[PathStep, ...], tuple[OptionNeed, ...]]:
        """The steps of a configured path, and the options that hold its branches."""
        made = []
        needs: dict[str, OptionNeed] = {}
        for step in path.steps:
            edge = step.edge.edge
            branch = self._branch(step)
            answer = self._edge(edge, step.edge.uncertain)
            answer = replace(answer, branch=branch)
            made.append(PathStep(describe_node(self.world, edge.source), answer))
            for need in branch.needs if branch else ():
                needs.setdefault(need.text, need)
        return (*made, PathStep(describe_node(self.world, path.target))), tuple(needs.values())

    def cuts(self, path: ConfiguredPath) -> tuple[Cut, ...]:
        """The branches on a path that are not taken, and what would make them."""
        made = []
        for cut in path.cuts:
            edge = cut.step.edge.edge
            branch = self._branch(cut.step)
            made.append(
                Cut(
                    edge=replace(self._edge(edge), branch=branch),
                    condition=cut.match,
                    chosen=_chosen(cut.step.edge.choice),
                    fixes=tuple(n for n in branch.needs if not n.holds) if branch else (),
                )
            )
        return tuple(made)

    def _branch(self, step: ConfiguredStep) -> BranchAnswer | None:
        """The branch of a configured edge, its needs as flags of the command line."""
        configuration = step.source.configuration
        is_exec = configuration is not None and configuration.kind is ConfigurationKind.EXEC
        conditions = self.world.configured.conditions(None if is_exec else configuration)
        prefix = self.finder.step(step.edge.edge, Scope(is_exec=is_exec))
        return describe_branch(prefix, conditions, self.world.configs)

    def needs(self, requirements: Iterable[FlagRequirement]) -> tuple[OptionNeed, ...]:
        conditions, configs = self.world.conditions, self.world.configs
        return tuple(describe_need(need, conditions, configs) for need in requirements)

    def combinations(self, path: Path) -> tuple[tuple[OptionNeed, ...], ...]:
        """What may not hold as a whole beside the needs of a path."""
        return tuple(self.needs(combination) for combination in path.forbids)

    def clash(self, clash: Clash, paths: int | None = None) -> ClashAnswer:
        """Why no flags make a path, or several."""
        return ClashAnswer(clash.kind, self.needs(clash.needs), clash.condition, paths)


def _chosen(choice: SelectResult | None) -> MatchResult | None:
    if not isinstance(choice, Chosen):
        return None
    condition = choice.branch.condition
    for entry in choice.outcomes:
        if entry.is_chosen and entry.match is not None:
            return entry.match
    return Match(condition, condition, ())
