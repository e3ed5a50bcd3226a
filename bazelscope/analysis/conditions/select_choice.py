"""Which branch of a select() is taken, and why each other one is not.

Bazel: `ConfiguredAttributeMapper.resolveSelector`. Collect the branches whose conditions
match; drop those whose condition another match refines; one must be left, or several with
one value where the Bazel version allows it; none left means the default branch.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import Protocol, TypeGuard

from bazelscope.analysis.conditions.match_result import (
    Match,
    MatchResult,
    NoMatch,
    Requirement,
    UnknownMatch,
)
from bazelscope.base.errors import Diagnostic, Note
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel.attribute_types import Branch, DictValue, Selector, SelectorList, parts_of
from bazelscope.bazel.release import Release


class ConditionMatcher(Protocol):
    """Decides conditions under one configuration."""

    @property
    def release(self) -> Release: ...

    def match(self, condition: Label, /) -> MatchResult: ...

    def refines(self, condition: Label, other: Label, /) -> bool:
        """Whether `condition` is more specific than `other`."""
        ...


@dataclass(frozen=True, slots=True)
class BranchOutcome:
    """One branch of a select: its match (None for the default) and what became of it.

    `beaten_by` are the conditions of matching branches that refine this one.
    """

    branch: Branch
    match: MatchResult | None
    is_chosen: bool = False
    beaten_by: tuple[Label, ...] = ()


@dataclass(frozen=True, slots=True)
class Chosen:
    """Bazel takes `branch`; others that matched are less specific, or equal in value."""

    selector: Selector
    branch: Branch
    outcomes: tuple[BranchOutcome, ...]


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """Several branches match and none is the most specific: Bazel's error."""

    selector: Selector
    candidates: tuple[Branch, ...]
    outcomes: tuple[BranchOutcome, ...]
    diagnostic: Diagnostic


@dataclass(frozen=True, slots=True)
class NoBranch:
    """No branch matches and there is no default: Bazel's error."""

    selector: Selector
    outcomes: tuple[BranchOutcome, ...]
    diagnostic: Diagnostic


@dataclass(frozen=True, slots=True)
class UnknownChoice:
    """The choice hinges on conditions that cannot be decided; `possible` may be taken."""

    selector: Selector
    possible: tuple[Branch, ...]
    outcomes: tuple[BranchOutcome, ...]
    unknowns: tuple[Unknown, ...]


SelectResult = Chosen | Ambiguous | NoBranch | UnknownChoice


@dataclass(frozen=True, slots=True)
class ResolvedValue:
    """An attribute value with its selects resolved, and each select's outcome in order.

    `value` is `Unknown` where one of the selects could not be resolved; `parts` are the
    plain values that were joined, each with the choice it came from (None: no select).
    """

    value: object
    choices: tuple[SelectResult, ...]
    parts: tuple[tuple[object, SelectResult | None], ...]


def distinct_branches(selector: Selector) -> tuple[Branch, ...]:
    """The branches as Bazel keeps them: two spellings of one label merge, the last wins."""
    branches: dict[Label, Branch] = {}
    for branch in selector.branches:
        branches[branch.condition] = branch
    return tuple(branches.values())


def resolve(selector: Selector, matcher: ConditionMatcher) -> SelectResult:
    """The branch of `selector` that is taken under the matcher's configuration."""
    branches = distinct_branches(selector)
    default = next((b for b in branches if b.is_default), None)
    results = {b.condition: matcher.match(b.condition) for b in branches if not b.is_default}
    matching = [b for b in branches if isinstance(results.get(b.condition), Match)]
    unknown = [b for b in branches if isinstance(results.get(b.condition), UnknownMatch)]

    beaten_by = {
        b.condition: tuple(
            other.condition
            for other in matching
            if other is not b and matcher.refines(other.condition, b.condition)
        )
        for b in (*matching, *unknown)
    }
    best = [b for b in matching if not beaten_by[b.condition]]
    best = _merge_aliases(best, results, matcher.release)
    # A condition in error is an error of the target, whatever else matches.
    open_questions = [
        b for b in unknown if not beaten_by[b.condition] or _is_error(results[b.condition])
    ]

    def outcomes(chosen: Branch | None) -> tuple[BranchOutcome, ...]:
        return tuple(
            BranchOutcome(b, results.get(b.condition), b is chosen, beaten_by.get(b.condition, ()))
            for b in branches
        )

    if open_questions:
        settled = best if best else [default] if default else []
        possible = [b for b in branches if b in settled or b in open_questions]
        matches = (results[b.condition] for b in open_questions)
        return UnknownChoice(
            selector,
            tuple(possible),
            outcomes(None),
            tuple(m.unknown for m in matches if isinstance(m, UnknownMatch)),
        )
    if len(best) > 1:
        same = all(b.value == best[0].value for b in best)
        if not (same and matcher.release.equal_branches_agree):
            return Ambiguous(selector, tuple(best), outcomes(None), _ambiguity(best))
    if best:
        return Chosen(selector, best[0], outcomes(best[0]))
    if default is not None:
        return Chosen(selector, default, outcomes(default))
    return NoBranch(selector, outcomes(None), _no_match(selector, results))


def is_settled_by_keys(result: SelectResult) -> TypeGuard[Chosen]:
    """Whether a branch is chosen whatever the branches hold: no other that matches is as
    specific."""
    return isinstance(result, Chosen) and all(
        outcome.is_chosen or outcome.beaten_by or not isinstance(outcome.match, Match)
        for outcome in result.outcomes
    )


def chosen_as(other: Chosen, selector: Selector) -> Chosen:
    """What becomes of a `selector` with the keys of another that these have settled."""
    outcomes = tuple(
        [
            BranchOutcome(branch, same.match, same.is_chosen, same.beaten_by)
            for branch, same in zip(distinct_branches(selector), other.outcomes, strict=True)
        ]
    )
    (chosen,) = [outcome.branch for outcome in outcomes if outcome.is_chosen]
    return Chosen(selector, chosen, outcomes)


def _is_error(result: MatchResult) -> bool:
    return isinstance(result, UnknownMatch) and result.unknown.reason is Reason.FAILED


def resolve_value(
    value: object, matcher: ConditionMatcher, attribute_default: object = None
) -> ResolvedValue:
    """`value` with its selects resolved and its parts joined.

    A branch that is None stands for the attribute's default.
    """
    if not isinstance(value, Selector | SelectorList):
        return ResolvedValue(value, (), ((value, None),))
    choices: list[SelectResult] = []
    parts: list[tuple[object, SelectResult | None]] = []
    for part in parts_of(value):
        if not isinstance(part, Selector):
            parts.append((part, None))
            continue
        choice = resolve(part, matcher)
        choices.append(choice)
        inner = resolve_value(_value_of(choice, attribute_default), matcher, attribute_default)
        choices += inner.choices
        parts.append((inner.value, choice))
    return ResolvedValue(join([p for p, _ in parts]), tuple(choices), tuple(parts))


def _value_of(choice: SelectResult, attribute_default: object) -> object:
    if isinstance(choice, Chosen):
        value = choice.branch.value
    elif isinstance(choice, UnknownChoice):
        possible = choice.possible
        if not possible or any(b.value != possible[0].value for b in possible):
            return choice.unknowns[0]
        value = possible[0].value
    else:
        return Unknown(Reason.FAILED, "select()", choice.diagnostic.message)
    return attribute_default if value is None else value


def join(parts: list[object]) -> object:
    """The parts of `a + select(...) + b` as one value; `Unknown` if one of them is."""
    if len(parts) == 1:
        return parts[0]
    present = [part for part in parts if part is not None]
    for part in present:
        if isinstance(part, Unknown):
            return part
    if not present:
        return None
    lists = [part for part in present if isinstance(part, tuple)]
    if len(lists) == len(present):
        return tuple(chain.from_iterable(lists))
    texts = [part for part in present if isinstance(part, str)]
    if len(texts) == len(present):
        return "".join(texts)
    dicts = [part for part in present if isinstance(part, DictValue)]
    if len(dicts) == len(present):
        merged = {key: (key, element) for one in dicts for key, element in one.items}
        return DictValue(tuple(merged.values()))
    return present[-1]


def _merge_aliases(
    best: list[Branch], results: dict[Label, MatchResult], release: Release
) -> list[Branch]:
    """Before 1.0, branches were keyed by the setting behind the alias: the last one won."""
    if len(best) < 2 or not release.branches_by_setting:
        return best
    by_setting: dict[Label, Branch] = {}
    for branch in best:
        match = results[branch.condition]
        assert isinstance(match, Match)
        by_setting[match.setting] = branch
    return list(by_setting.values())


def _ambiguity(best: list[Branch]) -> Diagnostic:
    names = ", ".join(str(b.condition) for b in best)
    return Diagnostic(
        "ambiguous-select",
        f"several conditions of this select() match and none is the most specific: {names}",
        hint="a condition is more specific if its entries include all of another's and more",
    )


def _no_match(selector: Selector, results: dict[Label, MatchResult]) -> Diagnostic:
    message = "no condition of this select() matches and it has no default"
    if selector.no_match_error:
        message = f"{message}: {selector.no_match_error}"
    notes = tuple(
        Note(f"{condition}: wanted {diff.what}={diff.wanted}, {_got(diff)}")
        for condition, result in results.items()
        if isinstance(result, NoMatch)
        for diff in result.diffs
    )
    frames = selector.call_stack
    return replace(Diagnostic("no-matching-condition", message, notes=notes), call_stack=frames)


def _got(requirement: Requirement) -> str:
    return "is not set" if requirement.got is None else f"got {requirement.got}"
