"""Command lines that may make something so, tried on top of the one in force."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import field
from itertools import product

from bazelscope.analysis.conditions.atoms import FlagRequirement, in_force
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.paths.dependence import Alternative, Word
from bazelscope.analysis.paths.witnesses import other_values
from bazelscope.analysis.rules.feature_flags import with_feature_flags
from bazelscope.base.label import MAIN_ROOT, Label, PackageId, parse_label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.unknown import Unknown
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import Rule
from bazelscope.questions.shared.nodes import ConfigSource
from bazelscope.questions.shared.world import World

_MOST_PLATFORMS = 20
"""Platforms of the constraints' own packages; further ones are further away."""
_MOST_VALUES = 3
"""Other values of one flag that are tried."""

Words = tuple[str, ...]
KnownValues = Callable[[FlagRequirement], Iterable[FlagRequirement]]
"""The values of a flag that anything asks for."""


@dataclass(slots=True)
class FlagTrials:
    """Finds words for the command line of a world, and the configured graphs under them."""

    world: World
    known_values: KnownValues = lambda need: ()
    _graphs: dict[Words, ConfiguredGraph] = field(default_factory=dict)

    def graph(
        self, added: Words, without: Words = (), world: World | None = None
    ) -> ConfiguredGraph:
        """The configured graph of the line with words more, and others less, in the packages of
        another `world` if these words load them."""
        if not added and not without:
            return self.world.configured
        line = (*(word for word in self.world.words if word not in without), *added)
        known = self._graphs.get(line)
        if known is None:
            world = world or self.world
            configuration = world.configure(self.world.resolve_words(line))
            mappings = world.mappings_of(configuration)
            known = self._graphs[line] = with_feature_flags(
                ConfiguredGraph(world.graph, configuration, mappings)
            )
        return known

    def lines(self, alternative: Alternative) -> Iterator[Words]:
        """Words that may make an alternative so: flags for what is missing, other values for
        what may not be, and platforms."""
        wanted: list[list[str]] = []
        constraints: list[tuple[FlagRequirement, bool]] = []
        excluded = {
            (word.asked.what, word.asked.wanted): None
            for word in alternative
            if isinstance(word.asked, FlagRequirement) and not word.is_so
        }
        for asked, is_so in self.open_words(alternative):
            if asked.is_constraint:
                constraints.append((asked, is_so))
            elif is_so:
                wanted.append([] if asked.flag is None else [asked.flag])
            else:
                known = self.known_values(asked)
                others = [
                    one.flag
                    for one in other_values(asked, self.world.conditions, known)
                    if one.flag is not None and (one.what, one.wanted) not in excluded
                ]
                # An empty value does what any other does that is not asked for.
                told = [one for one in others if not one.endswith("=")] or others
                wanted.append(told[:_MOST_VALUES])
        if constraints:
            for option in ("--platforms", "--host_platform"):
                of_exec = option != "--platforms"
                some = [one for one in constraints if one[0].of_exec is of_exec]
                if some:
                    wanted.append(list(self._platforms(option, some)))
        yield from product(*wanted)

    def configs(self, alternative: Alternative) -> tuple[ConfigSource, ...]:
        """The named configs each of which sets all that an alternative misses."""
        missing = [asked for asked, is_so in self.open_words(alternative) if is_so]
        return self.world.configs.which_meet_all(missing)

    def open_words(self, alternative: Alternative) -> Iterator[tuple[FlagRequirement, bool]]:
        """What of an alternative is not as it should be."""
        for asked, is_so in alternative:
            if isinstance(asked, Unknown):
                continue
            if in_force(asked, self.world.conditions).holds != is_so:
                yield asked, is_so

    def unmet(self, alternative: Alternative) -> tuple[FlagRequirement, ...]:
        """What of an alternative no words are known for."""
        return tuple(
            asked
            for asked, is_so in self.open_words(alternative)
            if not any(True for _ in self.lines((Word(asked, is_so),)))
        )

    def _platforms(
        self, option: str, constraints: Iterable[tuple[FlagRequirement, bool]]
    ) -> Iterator[str]:
        """Options that choose platforms which have these constraints, or have them not."""
        needs = [need for need, _ in constraints]
        for label in self._declared_platforms(needs)[:_MOST_PLATFORMS]:
            word = f"{option}={label}"
            conditions = self.graph((word,)).conditions()
            if all(in_force(need, conditions).holds == is_so for need, is_so in constraints):
                yield word

    def _declared_platforms(self, needs: Iterable[FlagRequirement]) -> list[Label]:
        """Platforms of the packages that declare the constraints or ask for them."""
        packages: dict[PackageId, None] = {}
        for need in needs:
            for text in (need.wanted, need.what, str(need.setting)):
                packages[parse_label(text, MAIN_ROOT).package_id] = None
        platforms: list[Label] = []
        for id in packages:
            package = self.world.loader.package(id)
            if isinstance(package, Package):
                platforms += [
                    target.label
                    for target in package.targets.values()
                    if isinstance(target, Rule) and target.rule_class.name == "platform"
                ]
        return platforms
