"""What the tables take from Lark, which is not all of its public interface.

The upper bound of `lark` in pyproject.toml goes up when these tests pass with the next release.
"""

from __future__ import annotations

import runpy
from pathlib import Path

from lark.parsers.lalr_analysis import Shift

from bazelscope.base import grammars
from bazelscope.starlark.syntax import parse_tables

_SCRIPT = Path(__file__).parents[4] / "scripts" / "make_starlark_tables.py"


def test_lark_gives_its_parse_table_under_the_name_that_is_used() -> None:
    table = grammars.build("starlark", start="file").parser.parser._parse_table
    assert set(table.start_states) == set(table.end_states) == {"file"}
    actions = [action for row in table.states.values() for action, _ in row.values()]
    assert Shift in actions and len(set(actions)) == 2


def test_the_tables_are_those_of_the_grammar() -> None:
    made = runpy.run_path(str(_SCRIPT))["made"]()
    told = "the grammar says something else: run scripts/make_starlark_tables.py"
    assert parse_tables.load() == made, told
