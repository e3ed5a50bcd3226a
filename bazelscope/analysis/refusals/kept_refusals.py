"""What Bazel refuses, as an earlier run has found it, or else by a walk: what the next run needs of
that is kept as plain values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.graph.kept_findings import KeptFinding
from bazelscope.analysis.refusals.refusal import Refusal, RefusalCause, RefusalKind
from bazelscope.base.label import Label
from bazelscope.base.source import Location
from bazelscope.bazel.encoded_values import decode_label, decode_stack
from bazelscope.flags.flag_values import origins_digest
from bazelscope.loading.cache.diagnostic_codec import encode_stack

_ASPECTS = "aspects"
"""The option that has more than targets looked at."""


def refusals_below(graph: ConfiguredGraph, labels: Iterable[Label]) -> tuple[Refusal, ...]:
    """What Bazel refuses of the targets `labels` and of all that they depend on, in the order in
    which it is met: what is deepest comes first. That nothing is, most trees being sound, is kept
    for the next run under the same flags; what is refused, for one whose flags come from the same
    lines, too, since causes name them."""
    tops = tuple(labels)
    if graph.configuration.value(_ASPECTS).values:
        # What is kept tells of targets alone.
        return _walked(graph, tops)
    sound = KeptFinding(graph, "sound", tops)
    if sound.known():
        return ()
    kept = KeptFinding(graph, "refused", tops, told_of=origins_digest(graph.configuration.flags))
    known = kept.known()
    if known is not None:
        return tuple(map(decode_refusal, known))
    refusals = _walked(graph, tops)
    if refusals:
        kept.keep([*map(encode_refusal, refusals)])
    else:
        sound.keep(True)
    return refusals


def _walked(graph: ConfiguredGraph, tops: Sequence[Label]) -> tuple[Refusal, ...]:
    from bazelscope.analysis.refusals.closure import ClosureWalk

    walk = ClosureWalk(graph)
    graph.load_below(tops)
    for label in tops:
        walk.visit(label)
    return walk.refusals()


def failing_among(graph: ConfiguredGraph, labels: Sequence[Label]) -> frozenset[Label]:
    """Those of the targets `labels` of which Bazel builds nothing."""
    from bazelscope.analysis.refusals.closure import ClosureWalk

    walk = ClosureWalk(graph)
    graph.load_below(labels)
    return frozenset(label for label in labels if walk.fails(label))


def refusals_of(graph: ConfiguredGraph, nodes: Iterable[ConfiguredNode]) -> tuple[Refusal, ...]:
    """What Bazel refuses of configured targets themselves, whatever they depend on."""
    from bazelscope.analysis.refusals.closure import ClosureWalk

    walk = ClosureWalk(graph)
    for node in nodes:
        walk.look_at(node)
    return walk.refusals()


def encode_refusal(refusal: Refusal) -> tuple[Any, ...]:
    """The refusal as `decode_refusal` reads it."""
    return (
        refusal.kind.value,
        refusal.message,
        _label(refusal.target),
        refusal.attribute,
        _place(refusal.location),
        tuple((cause.text, _place(cause.location)) for cause in refusal.causes),
        refusal.remedy,
        encode_stack(refusal.call_stack),
        refusal.also,
        _label(refusal.dependency),
    )


def decode_refusal(data: tuple[Any, ...]) -> Refusal:
    """The refusal that `encode_refusal` made plain."""
    kind, message, target, attribute, place, causes, remedy, stack, also, dependency = data
    return Refusal(
        RefusalKind(kind),
        message,
        None if target is None else decode_label(target),
        attribute,
        None if place is None else Location(*place),
        tuple(RefusalCause(text, at and Location(*at)) for text, at in causes),
        remedy,
        decode_stack(stack),
        also,
        None if dependency is None else decode_label(dependency),
    )


def _label(label: Label | None) -> str | None:
    return None if label is None else str(label)


def _place(location: Location | None) -> tuple[str, int, int] | None:
    return None if location is None else (location.path, location.line, location.column)
