"""Whether a condition holds, why, how to have it hold, and what its branch means to a target."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from bazelscope.analysis.conditions.diagrams import FALSE, TooLargeError
from bazelscope.analysis.conditions.match_result import Match, MatchResult, Outcome
from bazelscope.analysis.conditions.select_choice import Chosen, SelectResult
from bazelscope.analysis.paths.dependence import Alternative
from bazelscope.base.label import Label
from bazelscope.base.source import Location
from bazelscope.bazel.attribute_types import DEFAULT_CONDITION
from bazelscope.editor.facts import BranchFacts, ConditionFacts, WordsThatDo
from bazelscope.editor.pointed import SelectKeyAt
from bazelscope.editor.state import EditorState
from bazelscope.editor.targets import label_in, made_by
from bazelscope.loading.packages.targets import Rule
from bazelscope.questions.shared.conditions.condition_finder import ConditionFinder
from bazelscope.questions.shared.conditions.flag_trials import FlagTrials

_MOST_WAYS = 3
_MOST_TRIED = 12
_MOST_TARGETS = 200
"""A macro may make thousands of targets from one select()."""


def condition(state: EditorState, label: Label) -> ConditionFacts:
    """Whether a condition holds under the command line, why, and what would have it hold."""
    world = state.build.world
    match = world.conditions.match(label)
    uses = state.select_uses
    selects = uses.of(world.loader, match.setting) if uses.is_whole else None
    if match.outcome is not Outcome.DOES_NOT_HOLD:
        return ConditionFacts(match, selects=selects)
    finder = ConditionFinder(world, free=True)
    formulas = finder.dependences.formulas
    try:
        cases = formulas.of_condition(label).cases
        diagrams = formulas.diagrams
        formula = diagrams.any(diagrams.both(case.guard, case.holds) for case in cases)
    except TooLargeError:
        return ConditionFacts(match, selects=selects)
    trials = finder.trials
    ways: dict[tuple[str, ...], WordsThatDo] = {}
    for way in islice(_candidates(trials, finder.edges.ways(formula)), _MOST_TRIED):
        if len(ways) == _MOST_WAYS:
            break
        if way.words not in ways and _holds_with(trials, way.words, label):
            ways[way.words] = way
    return ConditionFacts(match, tuple(ways.values()), selects, can_hold=formula != FALSE)


def select_key(state: EditorState, at: SelectKeyAt) -> ConditionFacts | None:
    """The condition of a key of a select(), and in which of the targets that the call around it
    makes its branch is taken; None where the key is no label."""
    label = label_in(state, at.span.path, at.text)
    if label is None:
        return None
    if label == DEFAULT_CONDITION:
        facts = ConditionFacts(_default(label))
    else:
        facts = condition(state, label)
    if at.call is None:
        return facts
    shown = tuple(islice(_branches(state, at, label), _MOST_TARGETS))
    return ConditionFacts(facts.match, facts.ways, facts.selects, shown, facts.can_hold)


def _default(label: Label) -> MatchResult:

    return Match(label, label, ())


def _branches(state: EditorState, at: SelectKeyAt, label: Label) -> Iterator[BranchFacts]:
    assert at.call is not None
    place = state.then(at.select)
    configured = state.build.world.configured
    for target in islice(made_by(state, at.call), _MOST_TARGETS):
        if not isinstance(target, Rule):
            continue
        for choice in configured.selects(target.label):
            called = choice.result.selector.location
            if called is not None and _same(called, place):
                yield _branch(target.label, choice.attribute, choice.result, label)


def _same(place: Location, other: Location) -> bool:
    return (place.path, place.line, place.column) == (other.path, other.line, other.column)


def _branch(target: Label, attribute: str, result: SelectResult, key: Label) -> BranchFacts:
    if isinstance(result, Chosen):
        taken = result.branch.condition
        is_taken = taken == key
        return BranchFacts(target, attribute, is_taken, None if is_taken else taken)
    problem = getattr(result, "diagnostic", None)
    detail = problem.message if problem is not None else "which branch is taken cannot be told"
    return BranchFacts(target, attribute, False, None, detail)


def _candidates(trials: FlagTrials, alternatives: Sequence[Alternative]) -> Iterator[WordsThatDo]:
    """Words that may have a condition hold: one config, or the flags themselves."""
    for alternative in alternatives:
        for config in trials.configs(alternative):
            yield WordsThatDo((f"--config={config.config}",), config.location)
    for alternative in alternatives:
        for words in islice(trials.lines(alternative), _MOST_WAYS):
            if words:
                yield WordsThatDo(words)


def _holds_with(trials: FlagTrials, words: tuple[str, ...], label: Label) -> bool:
    return trials.graph(words).conditions().match(label).outcome is Outcome.HOLDS
