"""Refusals as plain values, for the next run."""

from __future__ import annotations

from typing import Any

from bazelscope.analysis.refusals.refusal import Refusal, RefusalCause, RefusalKind
from bazelscope.base.label import Label
from bazelscope.base.source import Location
from bazelscope.bazel.encoded_values import decode_label, decode_stack
from bazelscope.loading.cache.diagnostic_codec import encode_stack


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
