"""Whether a condition holds, why, how to have it hold, and what its branch means to a target."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from bazelscope.analysis.conditions.match_result import Match, Outcome
from bazelscope.analysis.conditions.select_choice import Chosen, SelectResult
from bazelscope.base.label import Label
from bazelscope.base.source import Location
from bazelscope.bazel.attribute_types import DEFAULT_CONDITION
from bazelscope.editor.facts import BranchFacts, ConditionFacts
from bazelscope.editor.pointed import SelectKeyAt
from bazelscope.editor.state import EditorState
from bazelscope.editor.targets import label_in, made_by
from bazelscope.loading.packages.targets import Rule
from bazelscope.questions.shared.conditions.holding import ways_to_hold

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
    ways, can_hold = ways_to_hold(world, label)
    return ConditionFacts(match, ways, selects, can_hold=can_hold)


def select_key(state: EditorState, at: SelectKeyAt) -> ConditionFacts | None:
    """The condition of a key of a select(), and in which of the targets that the call around it
    makes its branch is taken; None where the key is no label."""
    label = label_in(state, at.span.path, at.text)
    if label is None:
        return None
    is_default = label == DEFAULT_CONDITION
    facts = ConditionFacts(Match(label, label, ())) if is_default else condition(state, label)
    if at.call is None:
        return facts
    branches = _branches(state, at, at.call, label)
    return replace(facts, chosen=tuple(islice(branches, _MOST_TARGETS)))


def _branches(
    state: EditorState, at: SelectKeyAt, call: Location, label: Label
) -> Iterator[BranchFacts]:
    place = state.then(at.select)
    configured = state.build.world.configured
    for target in islice(made_by(state, call), _MOST_TARGETS):
        if not isinstance(target, Rule):
            continue
        for choice in configured.selects(target.label):
            if choice.result.selector.location == place:
                yield _branch(target.label, choice.attribute, choice.result, label)


def _branch(target: Label, attribute: str, result: SelectResult, key: Label) -> BranchFacts:
    if isinstance(result, Chosen):
        taken = result.branch.condition
        is_taken = taken == key
        return BranchFacts(target, attribute, is_taken, None if is_taken else taken)
    problem = getattr(result, "diagnostic", None)
    detail = problem.message if problem is not None else "which branch is taken cannot be told"
    return BranchFacts(target, attribute, False, None, detail)
