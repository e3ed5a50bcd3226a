"""Flags that make a path, tried before they are told."""

from __future__ import annotations

from collections.abc import Iterable

from bazelscope.analysis.conditions.atoms import FlagRequirement, in_force
from bazelscope.analysis.conditions.configured_edges import Taken
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.paths.alternatives import Alternative
from bazelscope.analysis.paths.configured_paths import follow
from bazelscope.analysis.paths.path_finder import Path, PathFinder
from bazelscope.analysis.paths.witness_flags import Witness
from bazelscope.base.label import Label, PackageId, parse_label
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import Rule
from bazelscope.questions.path.answer import PathFlags, Tried
from bazelscope.questions.shared.needs import describe_need
from bazelscope.questions.shared.nodes import OptionNeed
from bazelscope.questions.shared.world import ResolveWords, World

_TRIED = {
    Taken.YES: Tried.CONFIRMED,
    Taken.UNKNOWN: Tried.UNCERTAIN,
    Taken.NO: Tried.REFUTED,
}
_ROOT = PackageId("", "")
# Platforms of the constraints' own packages; further ones are further away.
_MAX_PLATFORMS = 20


class FlagTrial:
    """Finds and tries flags on top of one command line."""

    def __init__(self, world: World, words: tuple[str, ...], resolve_words: ResolveWords) -> None:
        self._world = world
        self._words = words
        self._resolve = resolve_words
        self._graphs: dict[tuple[str, ...], ConfiguredGraph] = {(): world.configured}

    def flags_for(self, path: Path, finder: PathFinder) -> PathFlags:
        """What makes `path`, which does not contradict itself. `finder` has found it, and
        knows requirements of other targets, whose values may serve."""
        asked = Alternative(
            frozenset(path.needs), frozenset(frozenset(members) for members in path.forbids)
        )
        conditions = self._world.conditions
        needs = Witness(conditions, finder.seen()).find(asked)
        if needs is None:
            needs = Witness(conditions, finder.seen_below(path.source)).find(asked)
        if needs is None:
            held = [
                member
                for members in path.forbids
                if all(in_force(member, conditions).holds for member in members)
                for member in members
            ]
            return PathFlags(unmet=self._described(held))
        words = tuple(need.flag for need in needs if need.flag is not None)
        unsettable = [need for need in needs if not need.is_settable]
        if unsettable:
            return PathFlags(options=words, unmet=self._described(unsettable))
        constraints = tuple(need for need in needs if need.is_constraint)
        platforms = self._platforms(constraints)
        if platforms is None:
            return PathFlags(options=words, unmet=self._described(constraints))
        words = (*words, *platforms)
        configs = tuple(
            source
            for source in self._world.configs.which_meet_all(needs)
            if self._try((f"--config={source.config}",), path.labels) is Taken.YES
        )
        return PathFlags(words, _TRIED[self._try(words, path.labels)], configs)

    def _described(self, needs: Iterable[FlagRequirement]) -> tuple[OptionNeed, ...]:
        world = self._world
        return tuple(describe_need(need, world.conditions, world.configs) for need in needs)

    def _platforms(self, constraints: tuple[FlagRequirement, ...]) -> tuple[str, ...] | None:
        """Options that choose platforms which have these constraints; None for none."""
        options: list[str] = []
        for of_exec, option in ((False, "--platforms"), (True, "--host_platform")):
            wanted = [need for need in constraints if need.of_exec is of_exec]
            if not wanted:
                continue
            for label in self._declared_platforms(wanted)[:_MAX_PLATFORMS]:
                word = f"{option}={label}"
                conditions = self._graph((word,)).conditions()
                if all(in_force(need, conditions).holds for need in wanted):
                    options.append(word)
                    break
            else:
                return None
        return tuple(options)

    def _declared_platforms(self, needs: Iterable[FlagRequirement]) -> list[Label]:
        """Platforms of the packages that declare the constraints or ask for them."""
        packages: dict[PackageId, None] = {}
        for need in needs:
            for text in (need.wanted, need.what, str(need.setting)):
                packages[parse_label(text, _ROOT).package_id] = None
        platforms: list[Label] = []
        for id in packages:
            package = self._world.loader.package(id)
            if isinstance(package, Package):
                platforms += [
                    target.label
                    for target in package.targets.values()
                    if isinstance(target, Rule) and target.rule_class.name == "platform"
                ]
        return platforms

    def _try(self, words: tuple[str, ...], labels: tuple[Label, ...]) -> Taken:
        return follow(self._graph(words), labels)

    def _graph(self, words: tuple[str, ...]) -> ConfiguredGraph:
        graph = self._graphs.get(words)
        if graph is None:
            world = self._world
            configuration = world.configure(self._resolve((*self._words, *words)))
            mappings = world.mappings_of(configuration)
            graph = ConfiguredGraph(world.graph, configuration, mappings)
            self._graphs[words] = graph
        return graph
