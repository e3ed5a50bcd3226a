"""What Bazel refuses of the affected targets, and which of them it is refused of: of all that lies
below them where that is little, and otherwise of what differs, and of what depends on it directly.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from bazelscope.analysis.refusals.refusal import Refusal
from bazelscope.base.graph_walk import distances
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.bazel.encoded_values import decode_label
from bazelscope.questions.affected.fingerprints import RULE, Fingerprints
from bazelscope.questions.shared.world import World

_MOST_BELOW = 1_000
"""Configured targets that are all looked at, which takes about a second."""
_MOST_CHANGED = 200


@dataclass(frozen=True, slots=True)
class Refused:
    """What is refused, and the affected targets of which it is; `is_whole`: of all below them."""

    refusals: tuple[Refusal, ...] = ()
    targets: frozenset[Label] = frozenset()
    is_whole: bool = True


def refused_below(
    world: World, old: Fingerprints, new: Fingerprints, tops: Sequence[int], starts: Iterable[int]
) -> Refused:
    """What Bazel refuses of the nodes `tops` of the later state, of which `starts` differ by
    themselves; files that only differ in what they hold need not be among these."""
    labels = [decode_label(new.keys[number][0]) for number in tops]
    if not labels:
        return Refused()
    # Under other flags alone nothing was looked at again: the former state has the edges.
    known = new if len(new.targets) or old is new else old
    if not _are_more(known, {new.keys[number][0] for number in tops}):
        return _of_all(world, labels)
    users = new.reverse()
    numbers = _looked_at(new, users, starts)
    names = dict.fromkeys(new.keys[number][0] for number in numbers)
    graph = world.configured
    refusals = world.refusals_of(graph.top(decode_label(name)) for name in names)
    failing = {str(one.target) for one in refusals}
    refused = [number for number in numbers if new.keys[number][0] in failing]
    above = distances(refused, lambda number: users.get(number, ()))
    targets = frozenset(
        label for number, label in zip(tops, labels, strict=True) if number in above
    )
    return Refused(refusals, targets, is_whole=False)


def _of_all(world: World, labels: Sequence[Label]) -> Refused:
    refusals = world.refusals_below(labels)
    if not refusals:
        return Refused()
    if any(one.target is None for one in refusals):
        return Refused(refusals, frozenset(labels))  # What is wrong with files or flags.
    from bazelscope.analysis.refusals.kept_refusals import failing_among

    return Refused(refusals, failing_among(world.configured, labels))


def _are_more(prints: Fingerprints, names: Collection[str]) -> bool:
    """Whether more lies below the targets of these names than is looked at as a whole."""
    pending = [number for number in prints.tops if prints.keys[number][0] in names]
    met = set(pending)
    for number in pending:
        if len(met) > _MOST_BELOW:
            return True
        new = [target for target in prints.edges(number) if target not in met]
        met.update(new)
        pending += new
    return len(met) > _MOST_BELOW


def _looked_at(
    prints: Fingerprints, users: Mapping[int, Sequence[int]], starts: Iterable[int]
) -> list[int]:
    """The first of the rules that differ, and of those that depend on what does."""
    found = dict.fromkeys(starts)
    for number in [*found]:
        if len(found) > _MOST_CHANGED:
            break
        found.update(dict.fromkeys(users.get(number, ())))
    rules = [number for number in found if prints.bits[number] & RULE]
    return rules[:_MOST_CHANGED]
