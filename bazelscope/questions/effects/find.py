"""What turns on a flag, a config, a variable or a setting: the answer to `effects`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field

from bazelscope.analysis.conditions.atoms import FlagRequirement, in_force
from bazelscope.analysis.conditions.diagrams import ValueTest
from bazelscope.analysis.conditions.formulas import Formulas
from bazelscope.analysis.conditions.matcher import Conditions, is_condition
from bazelscope.analysis.configuration.build_settings import is_build_setting
from bazelscope.analysis.configuration.platforms import constraint_of
from bazelscope.analysis.graph.reverse_edges import all_arrivals
from bazelscope.analysis.paths.kept_reach import ReachSummary
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.nearest import meant_by
from bazelscope.base.source import Location
from bazelscope.base.unknown import Unknown
from bazelscope.bazel.attribute_types import DEFAULT_CONDITION
from bazelscope.bazel.encoded_values import decode_label
from bazelscope.flags.flag_values import FlagInstance
from bazelscope.loading.packages.targets import Rule
from bazelscope.questions.effects.answer import ConditionUse, EffectsAnswer, FlagEffect, ValueEffect
from bazelscope.questions.shared.completeness import how_complete
from bazelscope.questions.shared.conditions.graph_reach import ReachFinder
from bazelscope.questions.shared.endpoint_answers import NameAnswer
from bazelscope.questions.shared.endpoints import unnamed, which_target
from bazelscope.questions.shared.envelope import Envelope
from bazelscope.questions.shared.loading_words import Line, Words
from bazelscope.questions.shared.named_configs import DefinerKind, sections_of, who_defines
from bazelscope.questions.shared.needs import describe_need
from bazelscope.questions.shared.nodes import OptionNeed
from bazelscope.questions.shared.world import World

_FIRST = 5
_DEFINE = "--define="


@dataclass(frozen=True, slots=True)
class _Asked:
    """One flag to look for, and the value (None: any) and place that it is set at."""

    what: str
    wanted: str | None = None
    variable: str = ""
    set_at: Location | None = None


def what_turns_on(
    world: World,
    envelope: Envelope,
    name: str,
    target: str | None,
    line: Line,
    with_words: Callable[[Words], Line],
) -> EffectsAnswer:
    """What turns on `name`: below `target`, or in the whole workspace. `line` is the command
    line, `with_words` gives it with words more, which may load other packages."""
    start: NameAnswer | None = None
    if target is not None:
        start = which_target(world, target)
        if start.label is None:
            closed = unnamed(world, envelope, target)
            return EffectsAnswer(closed, name, start, problem=start.why)
    finder = _Finder(world, start.label if start is not None else None, line, with_words)
    config = name.removeprefix("--config=")
    instances = world.configs.effects.sets(config) if not name.startswith("--define") else ()
    asked = tuple(map(_of_instance, instances) if instances else finder.asked_by_name(name))
    if not asked:
        asked = tuple(finder.asked_by_short_name(name))
    effects = tuple(map(finder.effect, dict.fromkeys(asked)))
    ranked = tuple(sorted(effects, key=_rank))
    starts = [start.label] if start and start.label else []
    aside = world.packages_aside(*starts)
    closed = envelope.closed(how_complete(world.loader, starts, aside=aside))
    if ranked:
        whole = finder.of_config(config) if instances else None
        return EffectsAnswer(closed, name, start, whole, ranked)
    known = (*finder.names(), *world.configs.effects.names(), *world.loader.table.variables())
    word = name.lstrip("-")
    suggestions = meant_by(word, known)
    problem = _of_no_effect(world, name, config)
    return EffectsAnswer(closed, name, start, problem=problem, suggestions=suggestions)


def _of_no_effect(world: World, name: str, config: str) -> str:
    """Says why a name means nothing, and which config of that name there is, or may be."""
    others = who_defines(config, world.flags, lambda: (), sections_of(config, world.rc_files))
    for one in others if config.isidentifier() else ():
        place = one.location.short if one.location is not None else ""
        if one.kind is DefinerKind.OTHER_COMMAND:
            told = f"`bazelscope configs {config}` tells what it sets"
            return f"config `{config}` is for another command (`{one.text}`, {place}): {told}"
        missing = f"{one.text}, which {place} imports, is not here and may define such a config"
        return f"no option, config, define, variable or setting is called `{name}`; {missing}"
    return f"no option, config, define, variable or setting is called `{name}`"


def _rank(effect: FlagEffect) -> tuple[int, int, str]:
    moved = max((value.brings + value.takes for value in effect.values), default=0)
    return (-moved, -effect.selects, effect.what)


def _of_instance(instance: FlagInstance) -> _Asked:
    """What an option of a config sets."""
    name, value, place = instance.name, instance.value or "", instance.location
    if name == "define":
        key, _, text = value.partition("=")
        return _Asked(f"{_DEFINE}{key}", text, "", place)
    if name in ("action_env", "repo_env"):
        variable, _, text = value.partition("=")
        return _Asked(f"--{name}={variable}", text, variable, place)
    starlark = name.startswith(("/", "@"))
    return _Asked(name if starlark else f"--{name}", value, "", place)


@dataclass(slots=True)
class _Finder:
    """Looks through the select()s of one target and of all below it, or of the workspace."""

    world: World
    start: Label | None
    line: Line
    with_words: Callable[[Words], Line]
    formulas: Formulas = field(init=False)
    _reached: ReachSummary | None = None
    _before: dict[Label, None] = field(default_factory=dict)
    """What is needed below the start, and what of that as things are."""
    _uses: dict[str, dict[Label, tuple[int, set[Label]]]] = field(default_factory=dict)
    _tests: dict[str, dict[str, FlagRequirement]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        finder = ReachFinder(self.world)
        self.formulas = finder.formulas
        if self.start is not None:
            self._reached = finder.summary(self.start)
        if self._reached is not None:
            self._before = self._needed(self._reached, self.world.conditions)
        self._look_through(self._labels())

    def _labels(self) -> Iterable[Label]:
        if self.start is None:
            return all_arrivals(self.world.graph, self.world.loader).labels()
        if self._reached is not None:
            return self._reached.labels()
        return self.world.graph.deps([self.start])

    def _look_through(self, labels: Iterable[Label]) -> None:
        """Notes which conditions are asked, by whom, and which flags each looks at."""
        asked: dict[Label, tuple[int, set[Label]]] = {}
        for label in labels:
            for keys in self.world.graph.select_keys(label):
                for text in keys:
                    condition = decode_label(text)
                    if condition == DEFAULT_CONDITION:
                        continue
                    count, users = asked.get(condition, (0, set()))
                    users.add(label)
                    asked[condition] = (count + 1, users)
        for condition, use in asked.items():
            for need in self._looked_at(condition):
                self._uses.setdefault(need.what, {})[condition] = use
                self._tests.setdefault(need.what, {}).setdefault(need.wanted, need)

    def _looked_at(self, condition: Label) -> Iterator[FlagRequirement]:
        """The flags that a condition looks at, itself or through the keys of a group."""
        formula = self.formulas.of_condition(condition)
        formulas = [formula.refused]
        for case in formula.cases:
            formulas += (case.guard, case.holds)
        for one in formulas:
            for test in self.formulas.diagrams.tests(one):
                need = self.formulas.atoms.asked(test)
                if isinstance(need, FlagRequirement):
                    yield need

    def names(self) -> Iterator[str]:
        """The names that may be asked about."""
        for what in self._uses:
            yield what.removeprefix(_DEFINE).removeprefix("--")

    def asked_by_name(self, name: str) -> Iterator[_Asked]:
        """The flags that a name means: `copt`, `--cpu=k8`, `define=x`, `x`, `//p:f`, `VARIABLE`."""
        plain = name.removeprefix("--")
        option, equals, value = plain.partition("=")
        if option == "define" and equals:
            key, has_value, text = value.partition("=")
            yield _Asked(f"{_DEFINE}{key}", text if has_value else None)
            return
        label = self.world.label_of(plain) if plain.startswith(("/", "@", ":")) else None
        if label is not None:
            yield from self._of_label(label)
            return
        wanted = value if equals else None
        if self.world.catalog.find(option, "build") is not None:
            yield _Asked(f"--{option}", wanted)
        if f"{_DEFINE}{option}" in self._uses:
            yield _Asked(f"{_DEFINE}{option}", wanted)
        if self.world.loader.table.readers_of(option):
            yield _Asked(option, wanted, option)

    def asked_by_short_name(self, name: str) -> Iterator[_Asked]:
        """The build setting of that name, or the flags that the condition of that name looks at."""
        label = which_target(self.world, name).label
        rule = self.world.graph.node(label) if label is not None else None
        if label is None or not isinstance(rule, Rule):
            return
        if is_condition(rule) or is_build_setting(rule):
            yield from self._of_label(label)

    def _of_label(self, label: Label) -> Iterator[_Asked]:
        """A build setting, a constraint setting or value, or a condition."""
        rule = self.world.graph.node(label)
        if str(label) in self._uses or (isinstance(rule, Rule) and is_build_setting(rule)):
            yield _Asked(str(label))
            return
        constraint = constraint_of(self.world.loader, label)
        if not isinstance(constraint, Unknown):
            yield _Asked(str(constraint.setting), str(constraint.value))
            return
        for need in dict.fromkeys(self._looked_at(label)):
            yield _Asked(need.what, need.wanted, "", need.location)

    def effect(self, asked: _Asked) -> FlagEffect:
        """What turns on one flag."""
        conditions = [
            ConditionUse(condition, self._place(condition), count, len(users))
            for condition, (count, users) in self._uses.get(asked.what, {}).items()
        ]
        conditions.sort(key=lambda use: (-use.selects, use.condition))
        tests = self._tests.get(asked.what, {})
        if asked.wanted not in (None, *tests) and any(one.accumulates for one in tests.values()):
            conditions, tests = [], {}  # One more value takes away none that they ask for.
        if asked.wanted is None:
            needs = list(tests.values())
        else:
            first = next(iter(tests.values()), None)
            test = tests.get(asked.wanted)
            needs = [test] if test else [first.with_value(asked.wanted)] if first else []
        values = sorted(map(self._value, needs), key=lambda one: -(one.brings + one.takes))
        variable = asked.variable
        readers = self.world.loader.table.readers_of(variable) if variable else ()
        if readers:
            values += self._values_of_variable(variable, asked.wanted)
        return FlagEffect(
            asked.what, asked.wanted, tuple(conditions), tuple(values), readers, asked.set_at
        )

    def _place(self, condition: Label) -> Location | None:
        return getattr(self.world.graph.node(condition), "location", None)

    def _value(self, need: FlagRequirement) -> ValueEffect:
        """What a value of a flag brings and takes, all other flags being as they are."""
        described = describe_need(need, self.world.conditions, self.world.configs)
        return self._compared(described, self._reached, self.world.conditions, need)

    def of_config(self, config: str) -> ValueEffect:
        """What a config as a whole brings and takes."""
        word = f"--config={config}"
        return self._of_words(OptionNeed(word, "--config", config), word)

    def _values_of_variable(self, variable: str, wanted: str | None) -> Iterator[ValueEffect]:
        """What values of a variable that repository rules read bring and take: those of configs,
        where none was asked about."""
        world = self.world
        effects = world.configs.effects
        setters = [*effects.setters("action_env"), *effects.setters("repo_env")]
        texts = [(one.instance.value or "").partition("=") for one in setters]
        values = [value for name, equals, value in texts if name == variable and equals]
        has_own = world.catalog.find("repo_env", "build") is not None
        option = "repo_env" if has_own else "action_env"
        for value in dict.fromkeys(values if wanted is None else [wanted]):
            what = f"--{option}={variable}"
            need = FlagRequirement(what, value, Label("", "external", variable))
            described = describe_need(need, world.conditions, world.configs)
            if described.holds or self._reached is None:
                yield ValueEffect(described)
            else:
                yield self._of_words(described, f"{what}={value}")

    def _of_words(self, described: OptionNeed, word: str) -> ValueEffect:
        """What a word more on the line brings and takes, in the packages that it loads."""
        if self._reached is None or self.start is None:
            return ValueEffect(described)
        line = self.with_words((word,))
        if line.loading_options.key() == self.line.loading_options.key():
            conditions = self.world.conditions_under(self.world.configure(line.flags))
            return self._compared(described, self._reached, conditions)
        line.load_near(self.line)
        world = line.world
        there = ReachFinder(world, atoms=self.formulas.atoms).summary(self.start)
        world.loader.save()
        return self._compared(described, there, world.conditions)

    def _compared(
        self,
        described: OptionNeed,
        there: ReachSummary | None,
        conditions: Conditions,
        need: FlagRequirement | None = None,
    ) -> ValueEffect:
        """What is needed under other conditions, with what `need` asks for, beside what is needed
        as things are."""
        if there is None:
            return ValueEffect(described)
        after = self._needed(there, conditions, need)
        is_refused = self._holds(conditions, need)(there.refused)
        return _moved(described, self._before, after, is_refused)

    def _needed(
        self, there: ReachSummary, conditions: Conditions, need: FlagRequirement | None = None
    ) -> dict[Label, None]:
        """What is needed under `conditions`, but for what `need` asks for."""
        holds = self._holds(conditions, need)
        known = {formula: holds(formula) for formula in dict.fromkeys(there.arrival.values())}
        pairs = zip(there.labels(), there.arrival.values(), strict=True)
        return {label: None for label, formula in pairs if known[formula]}

    def _holds(self, conditions: Conditions, need: FlagRequirement | None) -> Callable[[int], bool]:
        """Tells whether a formula holds under `conditions`, but for what `need` asks for."""
        atoms = self.formulas.atoms
        known: dict[ValueTest, bool] = {}

        def decide(test: ValueTest) -> bool:
            if test not in known:
                known[test] = is_so(atoms.asked(test))
            return known[test]

        def is_so(asked: FlagRequirement | Unknown) -> bool:
            if isinstance(asked, Unknown):
                return False
            if need is not None and asked.key == need.key:
                is_same = asked.wanted == need.wanted
                if is_same or not asked.accumulates:
                    return is_same
            return in_force(asked, conditions).holds

        return lambda formula: self.formulas.diagrams.holds(formula, decide)


def _moved(
    described: OptionNeed,
    before: Mapping[Label, None],
    after: Mapping[Label, None],
    is_refused: bool,
) -> ValueEffect:
    """What is needed before and after, beside each other."""
    brought = [label for label in after if label not in before]
    taken = [label for label in before if label not in after]
    first_brought, first_taken = tuple(brought[:_FIRST]), tuple(taken[:_FIRST])
    return ValueEffect(described, len(brought), len(taken), first_brought, first_taken, is_refused)
