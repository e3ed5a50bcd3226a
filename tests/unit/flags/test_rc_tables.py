"""Rc files are read without Lark as Lark reads them."""

from __future__ import annotations

import json
import random
import runpy
from pathlib import Path

import pytest

from bazelscope.base import grammars
from bazelscope.flags import rcfile

_SCRIPT = Path(__file__).parents[3] / "scripts" / "make_rc_tables.py"
_PIECES = (
    "build", " ", "\t", "\n", "\r\n", "#", "'", '"', "\\", "\0", "\v", "\f", "--a=b",
    "\n#x\n", "é", "\u2028",
)  # fmt: skip


def by_lark(text: str) -> rcfile.Places:
    tree = grammars.build("bazelrc", start="file", lexer="basic").parse(text)
    return [[(word.start_pos, word.end_pos) for word in line.children] for line in tree.children]


def test_the_scanner_is_that_of_the_grammar() -> None:
    made = runpy.run_path(str(_SCRIPT))["made"]()
    told = "the grammar says something else: run scripts/make_rc_tables.py"
    assert json.loads(rcfile.TABLES.read_text("utf-8")) == made, told


@pytest.mark.parametrize("seed", range(20))
def test_words_are_where_lark_sees_them(seed: int) -> None:
    pick = random.Random(seed)
    for _ in range(200):
        text = "".join(pick.choices(_PIECES, k=pick.randrange(25)))
        assert rcfile.places(text) == by_lark(text), text
