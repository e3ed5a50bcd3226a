"""What the tables take from Lark, which is not all of its public interface.

The upper bound of `lark` in pyproject.toml goes up when these tests pass with the next release.
"""

from __future__ import annotations

from lark.parsers.lalr_analysis import Shift

from bazelscope.base import grammars
from bazelscope.starlark.syntax import parse_tables


def test_lark_gives_its_parse_table_under_the_name_that_is_used() -> None:
    table = grammars.build("starlark", start="file").parser.parser._parse_table
    assert set(table.start_states) == set(table.end_states) == {"file"}
    actions = [action for row in table.states.values() for action, _ in row.values()]
    assert Shift in actions and len(set(actions)) == 2


def test_tables_stay_the_same_as_plain_values() -> None:
    tables = parse_tables.build()
    assert parse_tables.from_plain(parse_tables.to_plain(tables)) == tables
