"""Offsets become the lines and columns that people and Bazel count, from 1."""

from __future__ import annotations

from bazelscope.base.source import Location, SourceFile, Span


def test_locations_and_lines() -> None:
    source = SourceFile("p/BUILD", "ab\ncd\r\n\nend")
    assert source.location(0) == Location("p/BUILD", 1, 1)
    assert source.location(2) == Location("p/BUILD", 1, 3)
    assert source.location(3) == Location("p/BUILD", 2, 1)
    assert source.location(len(source.text)) == Location("p/BUILD", 4, 4)
    assert [source.line(n) for n in range(6)] == ["", "ab", "cd", "", "end", ""]


def test_span_ends_after_its_last_character() -> None:
    source = SourceFile("p/BUILD", "ab\ncd\n")
    span = source.span(1, 5)
    assert span == Span("p/BUILD", 1, 2, 2, 3)
    assert (str(span), str(span.start), span.start.short) == (
        "p/BUILD:1:2",
        "p/BUILD:1:2",
        "p/BUILD:1",
    )


def test_empty_file() -> None:
    source = SourceFile("BUILD", "")
    assert source.location(0) == Location("BUILD", 1, 1)
    assert source.line(1) == ""
