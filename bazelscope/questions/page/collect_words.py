"""What each word of a command line changes: variables of formulas, the platform, the loading.

A state of the page is a list of words. What a variable is under them is what the last word
says that sets it, else what the rc files alone lead to; constraints of platforms are looked up
by the options that decide the platform.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

from bazelscope.analysis.conditions.atoms import in_force, why_not_known
from bazelscope.analysis.conditions.matcher import Conditions
from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.base.errors import is_severe
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.flags.flag_values import FlagInstance
from bazelscope.questions.page.model import NOT_KNOWN, OTHER, PageBase, PageVariable, PageWords
from bazelscope.questions.shared.loading_words import Line, LoadingWords, Word, instances_of
from bazelscope.questions.shared.world import with_settings

_PLATFORM = (
    *("platforms", "cpu", "host_platform", "host_cpu"),
    *("extra_execution_platforms", "incompatible_auto_configure_host_platform"),
)
"""The options that decide which constraint values a platform has."""
_MOST_PLATFORMS = 240


class WordCollector(LoadingWords):
    """Finds out about the words of one host. `variables` come later, when graphs are there."""

    def describe(self, variables: Sequence[PageVariable]) -> PageBase:
        """Everything about the words, in terms of the variables."""
        platforms = _Platforms(self, variables)
        values = _values(variables, self.conditions(self.base))
        words = tuple(
            self._described(word, variables, values, platforms) for word in self.words.values()
        )
        return PageBase(
            self.host,
            instances_of(self.base.flags),
            values,
            platforms.of(self.base) if platforms.count else (),
            {n: self.base.loading_options.repo_env.get(n, "") for n in sorted(self.environment)},
            words,
            platforms.table(),
            _problem(self.base),
        )

    def _described(
        self,
        word: Word,
        variables: Sequence[PageVariable],
        base: Sequence[int],
        platforms: _Platforms,
    ) -> PageWords:
        touched = set(self._touched(word.typed))
        mine = _values(variables, self.conditions(word.line))
        sets: list[tuple[int, int]] = []
        resets: list[tuple[int, int]] = []
        for number, variable in enumerate(variables):
            if variable.unknown is not None or variable.values[0].is_constraint:
                continue
            is_new = mine[number] != base[number]
            first = variable.values[0]
            if first.what in touched and (is_new or not first.accumulates):
                sets.append((number, mine[number]))
            elif is_new:
                resets.append((number, mine[number]))
        before = dict(platforms.of(self.base))
        platform = tuple(
            (option, text)
            for option, text in platforms.of(word.line)
            if f"--{option}" in touched or text != before[option]
        )
        return PageWords(
            word.words,
            tuple(word.typed),
            tuple(sets),
            tuple(resets),
            tuple(_dropped(instances_of(self.base.flags), instances_of(word.line.flags))),
            platform if platforms.count else (),
            tuple((n, v) for n, v in word.environment.items() if n in self.environment),
            word.loads_otherwise,
            _problem(word.line),
        )

    def _touched(self, instances: Sequence[FlagInstance]) -> Iterator[str]:
        """What options set, as `FlagRequirement.what` writes it."""
        for one in instances:
            if one.name == "define":
                yield f"--define={(one.value or '').partition('=')[0]}"
            elif one.name.startswith(("//", "@")):
                label = self.base.world.label_of(one.name)
                yield one.name if label is None else str(label)
            else:
                yield f"--{one.name}"

    def conditions(self, line: Line) -> Conditions:
        """Decides conditions under the flags of a line, with the packages of the base."""
        return self.base.world.conditions_under(self.base.world.configure(line.flags))

    def unmapped(self, line: Line) -> Configuration:
        """The configuration of a line before platform mappings change it."""
        world, flags = self.base.world, line.flags
        if flags.settings is None:
            flags = with_settings(world.loader, flags)[0]
        return Configuration.of(flags, world.catalog)


@dataclass(slots=True)
class _Platforms:
    """What the options that decide the platform make of constraints, and, by platform
    mappings, of other variables."""

    words: WordCollector
    variables: Sequence[PageVariable]
    count: int = field(init=False)
    options: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        values = [variable for variable in self.variables if variable.values]
        self.count = sum(variable.values[0].is_constraint for variable in values)
        world = self.words.base.world
        mappings = world.mappings_of(world.configuration)
        if mappings.platforms or mappings.flags or mappings.own_flags is not None:
            self.count += 1
        known = world.configuration.definition
        self.options = tuple(name for name in _PLATFORM if known(name) is not None)

    def of(self, line: Line) -> tuple[tuple[str, str], ...]:
        """The values of the options under a line, before mappings change them."""
        configuration = self.words.unmapped(line)
        return tuple((name, configuration.value(name).value or "") for name in self.options)

    def table(self) -> dict[tuple[str, ...], tuple[tuple[int, int], ...]]:
        """For each combination of their values, what variables are there that the words
        themselves do not tell."""
        if not self.count:
            return {}
        seen: list[dict[str, None]] = [{text: None} for _, text in self.of(self.words.base)]
        lines = [word.line for word in self.words.words.values()]
        for line in lines:
            for number, (_, text) in enumerate(self.of(line)):
                seen[number][text] = None
        for need in (need for variable in self.variables for need in variable.values):
            option = need.what.removeprefix("--")
            if option in self.options and need.flag is not None:
                seen[self.options.index(option)][need.wanted] = None
        base = tuple(text for _, text in self.of(self.words.base))
        by_values: dict[tuple[str, ...], tuple[tuple[int, int], ...]] = {}
        # What is nearest to the rc files first: one option that differs, then two.
        for values in itertools.islice(_nearest_first(seen), _MOST_PLATFORMS):
            pairs = zip(self.options, values, base, strict=True)
            words = tuple(f"--{name}={text}" for name, text, first in pairs if text != first)
            by_values[values] = tuple(self._entry(self.words.with_words(words)))
        return by_values

    def _entry(self, line: Line) -> Iterator[tuple[int, int]]:
        words = self.words
        plain = words.base.world.conditions_under(words.unmapped(line))
        mapped = words.conditions(line)
        for number, variable in enumerate(self.variables):
            if variable.unknown is not None:
                continue
            is_constraint = variable.values[0].is_constraint
            value = _value(variable, mapped)
            if is_constraint or value != _value(variable, plain):
                yield number, value


def _nearest_first(seen: Sequence[Mapping[str, None]]) -> Iterator[tuple[str, ...]]:
    """Every combination of one of each, beginning with the first of each; then those where one
    is another, then two."""
    base = tuple(next(iter(values)) for values in seen)
    for count in range(len(seen) + 1):
        for places in itertools.combinations(range(len(seen)), count):
            others = ([v for v in seen[place] if v != base[place]] for place in places)
            for chosen in itertools.product(*others):
                changed = dict(zip(places, chosen, strict=True))
                yield tuple(changed.get(place, text) for place, text in enumerate(base))


def _values(variables: Sequence[PageVariable], conditions: Conditions) -> tuple[int, ...]:
    return tuple(_value(variable, conditions) for variable in variables)


def _value(variable: PageVariable, conditions: Conditions) -> int:
    """The number of the value that a variable has under a configuration."""
    if variable.unknown is not None:
        return OTHER
    holding = (n for n, need in enumerate(variable.values) if in_force(need, conditions).holds)
    number = next(holding, OTHER)
    if number == OTHER and any(why_not_known(need, conditions) for need in variable.values):
        return NOT_KNOWN
    return number


def _dropped(base: Sequence[FlagInstance], instances: Sequence[FlagInstance]) -> Iterator[int]:
    """The numbers of the instances of the rc files that a line takes away, as
    `--noenable_platform_specific_config` does."""
    left = Counter((one.text, one.origin) for one in instances)
    for number, one in enumerate(base):
        key = (one.text, one.origin)
        if not left[key]:
            yield number
        left[key] -= 1


def _problem(line: Line) -> str:
    """What Bazel has against a line."""
    for undefined in line.undefined_configs:
        return f"--config={undefined.name} is not defined"
    return next((error.message for error in line.errors if is_severe(error)), "")
