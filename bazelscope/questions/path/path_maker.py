"""Paths of the analysis phase put into the form of answers."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from bazelscope.analysis.conditions.atoms import FlagRequirement
from bazelscope.analysis.conditions.edges import Edge
from bazelscope.analysis.conditions.match_result import Match, MatchResult
from bazelscope.analysis.conditions.select_choice import Chosen, SelectResult
from bazelscope.analysis.configuration.configuration import ConfigurationKind
from bazelscope.analysis.paths.configured_paths import ConfiguredPath, ConfiguredStep
from bazelscope.analysis.paths.path_finder import Path
from bazelscope.analysis.paths.transition_scopes import Scope
from bazelscope.base.unknown import Unknown
from bazelscope.questions.path.answer import Cut, PathStep
from bazelscope.questions.shared.conditions.condition_finder import ConditionFinder
from bazelscope.questions.shared.described_edges import describe_edge
from bazelscope.questions.shared.described_targets import describe_node
from bazelscope.questions.shared.nodes import BranchAnswer, EdgeAnswer, OptionNeed

# Looking up where a label was written reads that part of its file: up to so many edges have that.
_MOST_TERMS = 1000


class PathMaker:
    """Puts paths of the analysis phase into the form of the answer."""

    def __init__(self, finder: ConditionFinder) -> None:
        self._finder = finder
        self._world = finder.world
        self._terms = _MOST_TERMS

    def _edge(self, edge: Edge, uncertain: Unknown | None = None) -> EdgeAnswer:
        self._terms -= 1
        return describe_edge(self._world, edge, uncertain, with_term=self._terms >= 0)

    def steps(self, path: Path, wanted: Collection[FlagRequirement] = ()) -> tuple[PathStep, ...]:
        """The steps of a path of the unconfigured graph, its end included; `wanted` are the
        needs of the whole."""
        made = []
        for state, step in zip(path.states, path.steps, strict=False):
            edge = self._edge(step.edge)
            if step.edge.branch is not None:
                branch = self._finder.edges.branch(
                    step.edge.branch, state.scope, self._world.conditions, wanted
                )
                edge = replace(edge, branch=branch)
            made.append(PathStep(describe_node(self._world, step.edge.source, edited=True), edge))
        return (*made, PathStep(describe_node(self._world, path.labels[-1], edited=True)))

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
            made.append(PathStep(describe_node(self._world, edge.source, edited=True), answer))
            for need in branch.needs if branch else ():
                needs.setdefault(need.text, need)
        return (*made, PathStep(describe_node(self._world, path.target, edited=True))), tuple(
            needs.values()
        )

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
        chosen = step.edge.edge.branch
        if chosen is None:
            return None
        configuration = step.source.configuration
        is_exec = configuration is not None and configuration.kind is ConfigurationKind.EXEC
        conditions = self._world.configured.conditions(None if is_exec else configuration)
        return self._finder.edges.branch(chosen, Scope(is_exec=is_exec), conditions)


def _chosen(choice: SelectResult | None) -> MatchResult | None:
    if not isinstance(choice, Chosen):
        return None
    condition = choice.branch.condition
    for entry in choice.outcomes:
        if entry.is_chosen and entry.match is not None:
            return entry.match
    return Match(condition, condition, ())
