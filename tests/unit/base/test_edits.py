"""Edits of a text: made together, left out where they touch, and told as a diff."""

from __future__ import annotations

import pytest

from bazelscope.base.edits import Edit, Fix, compatible, edited, patch, whole_lines
from bazelscope.base.source import SourceFile, Span

_SOURCE = SourceFile("a", "one two\nthree\nfour")


def _edit(line: int, column: int, end_column: int, text: str) -> Edit:
    return Edit(Span("a", line, column, line, end_column), text)


def test_edits_are_made_together() -> None:
    edits = [_edit(3, 1, 5, "4"), _edit(1, 5, 8, "2"), _edit(1, 4, 4, ","), _edit(2, 1, 1, "> ")]
    assert edited(_SOURCE, edits) == "one, 2\n> three\n4"


def test_whole_lines_go_with_their_ends() -> None:
    assert edited(_SOURCE, [Edit(whole_lines(_SOURCE, 1, 2), "")]) == "four"
    assert edited(_SOURCE, [Edit(whole_lines(_SOURCE, 3, 3), "")]) == "one two\nthree\n"


@pytest.mark.parametrize(
    ("second", "is_made"),
    [
        (_edit(1, 5, 8, "2"), True),
        (_edit(1, 4, 4, "behind"), True),
        (_edit(1, 1, 1, "before"), True),
        (_edit(1, 1, 4, "1"), True),  # It is the same edit.
        (_edit(1, 3, 5, ""), False),
        (_edit(1, 2, 2, "inside"), False),
        (Edit(whole_lines(_SOURCE, 1, 1), ""), False),
    ],
)
def test_a_fix_that_touches_an_earlier_one_is_left_out_whole(second: Edit, is_made: bool) -> None:
    first, far = _edit(1, 1, 4, "1"), _edit(2, 1, 1, "far")
    taken = compatible([Fix("first", (first,)), Fix("second", (second, far))])
    assert set(taken["a"]) == {first, *((second, far) if is_made else ())}
    assert taken["a"] == sorted(taken["a"])


def test_many_edits_are_looked_at_in_order_and_not_each_beside_each() -> None:
    count = 5_000
    source = SourceFile("a", "x\n" * count)
    lines = [Fix("x", (Edit(whole_lines(source, n, n), ""),)) for n in range(1, count + 1)]
    (edits,) = compatible([*lines, *reversed(lines)]).values()
    assert len(edits) == count
    assert edited(source, edits) == ""


def test_a_diff_names_the_files_of_the_workspace_alone() -> None:
    def fix(path: str) -> Fix:
        return Fix("x", (Edit(Span(path, 3, 1, 3, 5), "4"),))

    paths = ["a", "/b", "external/c/d", "<builtin>/e", "f\ng", "\x1b[h", "missing"]
    diff = patch(
        map(fix, paths), lambda path: None if path == "missing" else SourceFile(path, _SOURCE.text)
    )
    assert diff.splitlines() == [
        *("--- a/a", "+++ b/a", "@@ -1,3 +1,3 @@", " one two", " three"),
        *("-four", "\\ No newline at end of file", "+4", "\\ No newline at end of file"),
    ]
