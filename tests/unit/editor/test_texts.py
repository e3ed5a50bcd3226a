"""Positions as editors count them, and lines of a text in a later one."""

from __future__ import annotations

import ntpath
import posixpath
from types import ModuleType

import pytest

from bazelscope.base.source import Location, SourceFile
from bazelscope.editor.protocol import path_of
from bazelscope.editor.texts import Shift, Units, offset_at


@pytest.mark.parametrize(
    ("units", "count", "offset"),
    [(Units.UTF_16, 4, 3), (Units.UTF_8, 7, 3), (Units.UTF_32, 3, 3), (Units.UTF_16, 3, 2)],
)
def test_columns_are_counted_in_the_clients_units(units: Units, count: int, offset: int) -> None:
    assert offset_at(SourceFile("f", "aé😀b\n"), 0, count, units) == offset


def test_a_position_behind_the_line_is_its_end_and_one_behind_the_text_is_none() -> None:
    source = SourceFile("f", "ab\ncd")
    assert offset_at(source, 0, 99, Units.UTF_16) == 2
    assert offset_at(source, 2, 0, Units.UTF_16) is None
    assert offset_at(source, -1, 0, Units.UTF_16) is None


@pytest.mark.parametrize(
    ("now", "line", "expected"),
    [
        ("a\nx\nb\nc\n", 2, 3),
        ("a\nx\nb\nc\n", 1, 1),
        ("b\nc\n", 3, 2),
        ("b\nc\n", 1, 1),
        ("a\nB\nc\n", 2, 2),
        ("a\nb\nc\n", 3, 3),
    ],
)
def test_lines_move_with_what_is_typed_above_them(now: str, line: int, expected: int) -> None:
    shift = Shift("a\nb\nc\n", now)
    assert shift.location(Location("f", line, 1)).line == expected


@pytest.mark.parametrize(
    ("uri", "rules", "path"),
    [
        ("file:///w/a%20b/BUILD", posixpath, "/w/a b/BUILD"),
        ("file:///c%3A/w/../BUILD", posixpath, "/c:/BUILD"),
        ("file:///c%3A/w/../BUILD", ntpath, r"c:\BUILD"),
        ("file:///C:/a%20b/BUILD.bazel", ntpath, r"C:\a b\BUILD.bazel"),
        ("file:///w/BUILD", ntpath, r"\w\BUILD"),
        ("file://server/share/BUILD", ntpath, None),
        ("file:///w/a%00b", ntpath, None),
    ],
)
def test_a_uri_is_a_path_of_its_system(uri: str, rules: ModuleType, path: str | None) -> None:
    assert path_of(uri, rules) == path
