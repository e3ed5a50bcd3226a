"""Diagnostics and call stacks as plain tuples, for the cache."""

from __future__ import annotations

from typing import Any

from bazelscope.base.errors import Diagnostic, Misspelling, Note, Severity
from bazelscope.base.source import CallStack, Span
from bazelscope.bazel.encoded_values import decode_stack


def encode_stack(stack: CallStack) -> tuple[tuple[str, str, int, int], ...]:
    """The call stack as `decode_stack` reads it."""
    return tuple([(frame.function, *frame.location) for frame in stack])


def encode_diagnostic(diagnostic: Diagnostic) -> tuple[Any, ...]:
    """The diagnostic as `decode_diagnostic` reads it."""
    slip = diagnostic.misspelling
    return (
        diagnostic.code,
        diagnostic.message,
        None if diagnostic.span is None else tuple(diagnostic.span),
        tuple(
            [
                (note.message, None if note.span is None else tuple(note.span))
                for note in diagnostic.notes
            ]
        ),
        diagnostic.hint,
        encode_stack(diagnostic.call_stack),
        diagnostic.severity.value,
        None if slip is None else (slip.written, slip.meant),
    )


def decode_diagnostic(data: tuple[Any, ...]) -> Diagnostic:
    """The diagnostic that `encode_diagnostic` wrote."""
    code, message, span, notes, hint, stack, severity, slip = data
    return Diagnostic(
        code,
        message,
        None if span is None else Span(*span),
        tuple([Note(text, None if place is None else Span(*place)) for text, place in notes]),
        hint,
        decode_stack(stack),
        Severity(severity),
        None if slip is None else Misspelling(*slip),
    )
