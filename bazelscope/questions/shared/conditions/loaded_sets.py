"""The sets of packages that named configs load, by the variables that repository rules read.

Beside the packages of the line in force those of all these sets are looked at, so that what is
said of flags holds for what these flags load; sets that are not are named.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import field, replace

from bazelscope.analysis.conditions.atoms import UNSET, FlagRequirement
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.memoized import memoized
from bazelscope.flags.flag_values import FlagInstance, FromCommandLine
from bazelscope.loading.loader import Loader
from bazelscope.questions.shared.conditions.flag_conditions import (
    LoadedValues,
    NotLoaded,
    OtherPackages,
)
from bazelscope.questions.shared.loading_flags import ENVIRONMENT_OPTIONS, LOADING_OPTIONS
from bazelscope.questions.shared.loading_words import (
    Line,
    LoadingWords,
    OpenLine,
    Words,
    instances_of,
)
from bazelscope.questions.shared.world import World

_Changes = tuple[tuple[str, str], ...]
"""Options that a config sets and that loading reads, each with its value."""


@dataclass(frozen=True, slots=True)
class LoadedSet:
    """The line whose packages are loaded, the values of the variables for which they are, and the
    configs that lead to them: none for the line as it is. Sets may have one line."""

    line: Line
    values: Mapping[str, str]
    configs: tuple[str, ...] = ()
    near: Line | None = None

    @property
    def world(self) -> World:
        """The packages; they are loaded when somebody asks for them."""
        if self.near is not None:
            self.line.load_near(self.near)
        return self.line.world


@dataclass(eq=False)
class LoadedSets:
    """The sets that the configs of the rc files reach from one line, this line's own counted at
    most `most` of them (None: all).

    `words` are the options of the line. Only variables count that rules of repositories read
    which the line's own packages have come to: ask once these are loaded.
    """

    host: str
    open_line: OpenLine
    words: Words
    most: int | None
    base: Line
    sets: list[LoadedSet] = field(init=False)
    unloaded: list[LoadedValues] = field(default_factory=list)
    _names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _place_repositories(self.base.world.loader)
        groups = self._groups()
        loading = LoadingWords(self.host, self.open_line, (), self.words)
        ranked = _ranked(groups)
        chosen: list[tuple[tuple[str, ...], Line]] = []
        base = dict(self.base.loading_options.repo_env)
        for key in ranked:
            configs = tuple(groups[key])
            loads_otherwise = any(name not in ENVIRONMENT_OPTIONS for name, _ in key)
            word = None if loads_otherwise else loading.word((f"--config={configs[0]}",))
            if word is not None and not word.environment:
                continue
            if word is None or word.loads_otherwise:
                texts = tuple(f"--{name}={value}" for name, value in key)
                self.unloaded.append(LoadedValues(configs, texts, NotLoaded.OTHERWISE))
            else:
                chosen.append((configs, word.line))
        changed = {
            name
            for _, line in chosen
            for name in {*line.loading_options.repo_env, *base}
            if line.loading_options.repo_env.get(name) != base.get(name) and self.readers(name)
        }
        self._names = tuple(sorted(changed))
        self.sets = [LoadedSet(self.base, self._values(base))]
        for configs, line in chosen:
            values = self._values(line.loading_options.repo_env)
            if all(one.values != values for one in self.sets):
                self.sets.append(LoadedSet(line, values, configs, self.base))
        if self.most is not None:
            self.leave_out(range(self.most, len(self.sets)), NotLoaded.NOT_ASKED)

    def _groups(self) -> dict[_Changes, list[str]]:
        """The configs by what they change of the loading. A variable that the line itself says
        is as it says."""
        effects = self.base.world.configs.effects
        given = {
            (one.value or "").partition("=")[0]
            for one in instances_of(self.base.flags)
            if one.name in ENVIRONMENT_OPTIONS and isinstance(one.chain[0].origin, FromCommandLine)
        }
        groups: dict[_Changes, list[str]] = {}
        for config in effects.names():
            changes = tuple(sorted(self._changes(effects.sets(config))))
            is_given = any(
                name in ENVIRONMENT_OPTIONS and value.partition("=")[0] in given
                for name, value in changes
            )
            if changes and not is_given:
                groups.setdefault(changes, []).append(config)
        return groups

    def _changes(self, instances: Iterable[FlagInstance]) -> Iterator[tuple[str, str]]:
        now = self.base.loading_options.repo_env
        for one in instances:
            if one.name in ENVIRONMENT_OPTIONS:
                name, _, value = (one.value or "").partition("=")
                if self.readers(name) and now.get(name) != value:
                    yield one.name, one.value or ""
            elif one.name in LOADING_OPTIONS:
                yield one.name, one.value or ""

    @memoized
    def readers(self, variable: str) -> tuple[str, ...]:
        """The repositories that read a variable and that packages have come to."""
        table = self.base.world.loader.table
        return tuple(name for name in table.readers_of(variable) if table.is_ready(name))

    def _values(self, environment: Mapping[str, str]) -> dict[str, str]:
        return {name: environment.get(name, UNSET) for name in self._names}

    def needs(self, number: int) -> dict[str, FlagRequirement]:
        """The variables that tell the sets apart, each with its value in one of them."""
        values = self.sets[number].values
        return {name: self._need(name, value) for name, value in values.items()}

    def world(self, number: int) -> World:
        """The packages of a set."""
        return self.sets[number].world

    def told(self) -> tuple[object, ...]:
        """All that there is to tell of the sets without loading one."""
        values = tuple((tuple(one.values.items()), one.configs) for one in self.sets)
        return (values, tuple(self.unloaded))

    def same(self, number: int, other: int) -> None:
        """Takes the packages of another set for those of one: they are the same."""
        self.sets[number] = replace(self.sets[number], line=self.sets[other].line)

    def put_down(self, number: int) -> None:
        """Leaves nothing of a set in memory: what is asked of it again, an earlier run, or this
        one, has kept."""
        one = self.sets[number]
        line = self.open_line(self.host, (*self.words, f"--config={one.configs[0]}"))
        self.sets[number] = replace(one, line=line)

    def leave_out(self, numbers: Collection[int], why: NotLoaded) -> None:
        """Counts sets as not looked at."""
        for number in numbers:
            texts = tuple(need.text for need in self.needs(number).values())
            self.unloaded.append(LoadedValues(self.sets[number].configs, texts, why))
        self.sets = [one for number, one in enumerate(self.sets) if number not in numbers]

    def _need(self, name: str, value: str) -> FlagRequirement:
        world = self.base.world
        has_own = world.catalog.find("repo_env", "build") is not None
        option = "repo_env" if has_own else "action_env"
        reader = self.readers(name)[0]
        repository = world.loader.table.get(reader)
        definition = repository.definition if repository is not None else None
        return FlagRequirement(
            f"--{option}={name}",
            value,
            Label("", "external", reader),
            definition.location if definition is not None else None,
            domain=tuple(dict.fromkeys(known.values[name] for known in self.sets)),
        )

    def number_of(self, added: Words) -> int | None:
        """The set that the line with words more loads; None if it was not loaded."""
        line = self.open_line(self.host, (*self.words, *added))
        options = line.loading_options
        base, mine = self.base.loading_options.repo_env, options.repo_env
        if replace(options, repo_env=base).key() != self.base.loading_options.key():
            return None
        changed = {name for name in {*base, *mine} if base.get(name) != mine.get(name)}
        if any(self.readers(name) for name in changed - set(self._names)):
            return None
        values = self._values(mine)
        return next((n for n, one in enumerate(self.sets) if one.values == values), None)

    def described(self) -> OtherPackages:
        """What was loaded beside the line's own packages, and what was not."""
        base = self.sets[0].values
        loaded = tuple(
            LoadedValues(
                one.configs,
                tuple(
                    need.text for n, need in self.needs(number).items() if one.values[n] != base[n]
                ),
            )
            for number, one in enumerate(self.sets[1:], 1)
        )
        return OtherPackages(loaded, tuple(self.unloaded), self._names)


def configs_that_load_others(world: World) -> tuple[str, ...]:
    """The named configs that set a variable which repository rules read, as far as packages
    have come to these repositories, to another value than it has."""
    now = world.loader.options.repo_env
    setters: dict[str, dict[str, None]] = {}
    for config, text in (pair for o in ENVIRONMENT_OPTIONS for pair in world.configs.setters(o)):
        name, _, value = text.partition("=")
        if now.get(name) != value:
            setters.setdefault(name, {})[config] = None
    if not setters:
        return ()
    table = world.loader.table
    readers = {name: table.readers_of(name) for name in setters}
    if any(readers.values()):
        _place_repositories(world.loader)
    read = [name for name in setters if any(map(table.is_ready, readers[name]))]
    return tuple(sorted({config for name in read for config in setters[name]}))


def _place_repositories(loader: Loader) -> None:
    """Looks into each repository that packages have come to, and so into those that these are
    made of: an earlier run may have kept the packages."""
    for name in loader.account.repositories():
        loader.table.get(name)


def _ranked(groups: Iterable[_Changes]) -> list[_Changes]:
    """What configs change, the fewest changes that are new and that most others build on
    first."""
    left = sorted(groups)
    counted = Counter(change for key in left for change in key)
    ranked: list[_Changes] = []
    covered: set[tuple[str, str]] = set()

    def worth(key: _Changes) -> float:
        return sum(counted[change] for change in key if change not in covered) / len(key) ** 2

    while left:
        best = max(left, key=worth)
        ranked.append(best)
        left.remove(best)
        covered.update(best)
    return ranked
