"""Each select() of one target: the branch taken, and what would take each other one.

What would take a branch is derived from its conditions and then tried: the flags are
resolved anew with the change, and only a change under which Bazel takes that very branch
is shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice

from bazelscope.analysis.conditions.diagrams import FALSE, TooLargeError
from bazelscope.analysis.conditions.match_result import Match, NoMatch
from bazelscope.analysis.conditions.select_choice import (
    Ambiguous,
    BranchOutcome,
    Chosen,
    SelectResult,
)
from bazelscope.analysis.paths.dependence import Alternative
from bazelscope.base.label import Label
from bazelscope.base.nearest import nearest
from bazelscope.bazel.attribute_types import Branch
from bazelscope.loading.packages.targets import Rule
from bazelscope.questions.select.answer import (
    BranchWays,
    SelectsAnswer,
    SelectWays,
    Separation,
    Way,
    WayKind,
)
from bazelscope.questions.shared.completeness import how_complete
from bazelscope.questions.shared.conditions.condition_finder import ConditionFinder
from bazelscope.questions.shared.conditions.loaded_sets import configs_that_load_others
from bazelscope.questions.shared.described_targets import describe_node
from bazelscope.questions.shared.endpoints import labels_of, unnamed, which_target
from bazelscope.questions.shared.envelope import Envelope
from bazelscope.questions.shared.explained_targets import explain_select
from bazelscope.questions.shared.select_answers import SelectAnswer
from bazelscope.questions.shared.world import World

_MAX_WAYS = 4
_MAX_TRIED = 12
_MAX_BRANCHES = 100
"""Each trial decides the whole select() again."""


def why_selects(world: World, envelope: Envelope, asked: str) -> SelectsAnswer:
    """Every select() of the target that `asked` names, `TARGET` or `TARGET.ATTRIBUTE`."""
    text, attribute = _split(world, asked)
    target = which_target(world, text)
    if target.label is None:
        return SelectsAnswer(unnamed(world, envelope, text), target, attribute)
    result = world.graph.node(target.label)
    node = describe_node(world, target.label)
    problem = ""
    selects: list[SelectWays] = []
    if isinstance(result, Rule):
        trial = _Trial(world)
        choices = world.configured.selects(target.label)
        for choice in choices:
            if attribute in (None, choice.attribute):
                answer = explain_select(world, result, choice)
                selects.append(trial.select_ways(answer, choice.result))
        if not selects:
            problem = _why_none(result, attribute, [choice.attribute for choice in choices])
    else:
        problem = f"{target.label} is a {node.kind}: it has no attributes"
        if node.unknown is not None:
            problem = f"what {target.label} is cannot be told: {node.unknown}"
    incompatible = world.incompatible(target.label)
    completeness = how_complete(world.loader, [target.label], _conditions(selects), world.assumed)
    return SelectsAnswer(
        envelope=envelope.closed(
            completeness,
            refusals=world.refusals_below((target.label,)),
            not_covered=configs_that_load_others(world),
        ),
        target=target,
        attribute=attribute,
        node=node,
        selects=tuple(selects),
        incompatible=incompatible,
        problem=problem,
    )


def _conditions(selects: Iterable[SelectWays]) -> Iterator[Label]:
    """What the branches hang on, and the settings behind it."""
    for ways in selects:
        for branch in ways.select.branches:
            yield branch.condition.condition
            yield branch.condition.setting


def _split(world: World, asked: str) -> tuple[str, str | None]:
    """`//a:b.deps` as a target and an attribute, unless there is a target of that name."""
    text, dot, attribute = asked.rpartition(".")
    if not dot or not text or not attribute.isidentifier() or _is_name(world, asked):
        return asked, None
    return (text, attribute) if _is_name(world, text) else (asked, None)


def _is_name(world: World, text: str) -> bool:
    if text.startswith(("//", "@")):
        for label in labels_of(text):
            package = world.loader.package(label.package_id)
            return label.name in getattr(package, "targets", ())
        return False
    return bool(world.loader.find_targets(text.rpartition(":")[2].rpartition("/")[2]))


def _why_none(rule: Rule, attribute: str | None, others: list[str]) -> str:
    if attribute is None:
        return "no select() in its attributes"
    is_there = rule.attribute(attribute) is not None
    near = () if is_there else nearest(attribute, (*dict.fromkeys(others), *rule.attributes))
    where = ", ".join(dict.fromkeys((*(one for one in near if one in others), *others)))
    elsewhere = f"; there is one in {where}" if where else ""
    if not is_there:
        meant = f"; did you mean `{near[0]}`?" if near and near[0] not in others else ""
        return f"{rule.rule_class.name} has no attribute `{attribute}`{meant or elsewhere}"
    return f"no select() in `{attribute}`{elsewhere}"


class _Trial:
    """Finds changes of one command line that have branches taken."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._finder = ConditionFinder(world, free=True)
        self._formulas = self._finder.dependences.formulas
        self._trials = self._finder.trials

    def select_ways(self, answer: SelectAnswer, result: SelectResult) -> SelectWays:
        """The select() as an answer, with the ways to each branch that is not taken."""
        chosen = result.branch if isinstance(result, Chosen) else None
        unused = [outcome for outcome in result.outcomes if outcome.branch is not chosen]
        others = (
            *(self._ways(result, outcome) for outcome in unused[:_MAX_BRANCHES]),
            *(
                BranchWays(outcome.branch.condition, (), is_tried=False)
                for outcome in unused[_MAX_BRANCHES:]
            ),
        )
        separations = tuple(_separations(result)) if isinstance(result, Ambiguous) else ()
        return SelectWays(answer, others, separations)

    def _ways(self, result: SelectResult, outcome: BranchOutcome) -> BranchWays:
        selector, branch = result.selector, outcome.branch
        try:
            formula = self._formulas.of_select(selector).of(branch)
        except TooLargeError:
            return BranchWays(branch.condition, ())
        alternatives = self._finder.edges.ways(formula)
        ways: dict[tuple[str, ...], Way] = {}
        for way in islice(self._candidates(alternatives, result), _MAX_TRIED):
            if len(ways) < _MAX_WAYS and way.words not in ways and self._takes(way, result, branch):
                ways[way.words] = way
        words = alternatives[0] if alternatives else ()
        unmet = (word for word in self._finder.in_words.combination(words).words if word.is_so)
        needs = tuple(word.need for word in unmet if not word.need.holds)
        if formula == FALSE:
            asked = self._formulas.asked_by(branch.condition) if not branch.is_default else ()
            needs = self._finder.in_words.needs(one for one in asked if not one.is_settable)
        return BranchWays(
            branch.condition,
            tuple(ways.values()),
            needs,
            _obstacles(result, outcome),
            is_contradictory=formula == FALSE,
        )

    def _candidates(
        self, alternatives: tuple[Alternative, ...], result: SelectResult
    ) -> Iterator[Way]:
        """Changes worth trying: one named config, the flags themselves, a word less, other
        values for what may not be."""
        plain = [tuple(word for word in one if word.is_so) for one in alternatives]
        more = [way for alternative in plain for way in self._additions(alternative)]
        more.sort(key=lambda way: way.kind is not WayKind.CONFIG)
        yield from more
        superfluous = tuple(self._superfluous(result))
        for word in superfluous:
            yield Way(WayKind.LESS, (), (word,))
            yield from (replace(way, without=(word,)) for way in more)
        if not superfluous:
            yield from (way for one in alternatives for way in self._additions(one))

    def _additions(self, alternative: Alternative) -> Iterator[Way]:
        """Words that would set what an alternative needs."""
        for config in self._trials.configs(alternative):
            word = f"--config={config.config}"
            yield Way(WayKind.CONFIG, (word,), (), config.location, config.through)
        for words in islice(self._trials.lines(alternative), _MAX_WAYS):
            if words:
                yield Way(WayKind.FLAGS, words)

    def _superfluous(self, result: SelectResult) -> Iterator[str]:
        """Words of the command line without which what holds now may not hold."""
        seen: set[str] = set()
        for outcome in result.outcomes:
            if not isinstance(outcome.match, Match):
                continue
            for entry in outcome.match.requirements:
                position = entry.set_by.typed_word if entry.set_by is not None else None
                if position is not None and position < len(self._world.words):
                    word = self._world.words[position]
                    if word not in seen and "=" in word:
                        seen.add(word)
                        yield word

    def _takes(self, way: Way, result: SelectResult, branch: Branch) -> bool:
        conditions = self._trials.graph(way.words, way.without).conditions()
        choice = conditions.resolve(result.selector)
        return isinstance(choice, Chosen) and choice.branch is branch


def _obstacles(result: SelectResult, outcome: BranchOutcome) -> tuple[Label, ...]:
    if outcome.beaten_by:
        return outcome.beaten_by
    return tuple(
        other.branch.condition
        for other in result.outcomes
        if isinstance(other.match, Match) and other is not outcome
    )


def _separations(result: Ambiguous) -> Iterator[Separation]:
    """What each candidate lacks of the entries of the others."""
    entries: dict[Label, dict[str, None]] = {}
    for outcome in result.outcomes:
        if isinstance(outcome.match, Match | NoMatch) and any(
            outcome.branch is candidate for candidate in result.candidates
        ):
            entries[outcome.branch.condition] = {
                f"{entry.what}={entry.wanted}": None for entry in outcome.match.requirements
            }
    for condition, own in entries.items():
        missing = dict.fromkeys(
            text for other in entries.values() for text in other if text not in own
        )
        if missing:
            yield Separation(condition, tuple(missing))
