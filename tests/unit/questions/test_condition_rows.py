"""Combinations of flags as lines: that of now is among them, and denials take one word."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bazelscope.base.unknown import Reason, Unknown
from bazelscope.questions.shared.conditions.flag_conditions import (
    FlagCombination,
    FlagCondition,
    FlagWord,
    Now,
    Verdict,
)
from bazelscope.questions.shared.nodes import OptionNeed
from bazelscope.questions.shared.text_flag_conditions import condition_rows, needs_text
from bazelscope.render.console import to_text
from bazelscope.render.document import Document


def _word(name: str, is_so: bool, holds: bool) -> FlagWord:
    return FlagWord(OptionNeed(f"--{name}=true", f"--{name}", "true", holds=holds), is_so)


def _lines(
    *alternatives: FlagCombination, full: bool = False, is_complete: bool = True
) -> list[str]:
    mixed = FlagCombination((_word("c", True, False), _word("a", False, False)))
    condition = FlagCondition(Verdict.SOMETIMES, Now.YES, alternatives, (mixed,))
    condition = replace(condition, is_complete=is_complete)
    document = Document()
    document.add(condition_rows(condition, full))
    return to_text(document).splitlines()


_ELSE = [FlagCombination((_word(f"set{i}", True, False),)) for i in range(8)]
_NOW = FlagCombination((_word("a", False, False), _word("b", False, False)))


def test_the_combination_of_now_is_told_first_where_it_is_a_long_one() -> None:
    lines = _lines(*_ELSE, _NOW)
    assert lines[0] == "without --a=true or --b=true (so now)"
    assert lines[-1] == "and 4 more combinations (--full lists all)"
    assert len(lines) == 6


def test_what_cannot_be_listed_is_told_where_the_rest_is_counted() -> None:
    lines = _lines(*_ELSE, is_complete=False)
    more = "and 3 longer combinations (--full lists them); there are more than can be listed"
    assert lines[-1] == more
    few = _lines(*_ELSE[:2], is_complete=False)
    assert few[-1] == "and more: there are too many combinations to list"


def test_a_combination_of_now_that_is_shown_keeps_its_place() -> None:
    lines = _lines(*_ELSE[:2], _NOW, *_ELSE[2:])
    assert lines[2] == "without --a=true or --b=true"
    assert lines[-1] == "and 4 longer combinations (--full lists all)"
    assert _lines(*_ELSE, _NOW, full=True)[-1] == "without --a=true or --b=true"


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        (["--a=1", "--b=2"], "--a=1 --b=2"),
        (["a platform with //p:x"], "a platform with //p:x"),
        (
            ["a platform with //p:x", "--a=1", "a platform with //p:y", "--b=2"],
            "--a=1 --b=2 and a platform with //p:x and //p:y",
        ),
    ],
)
def test_one_platform_has_all_constraints(texts: list[str], said: str) -> None:
    assert needs_text(OptionNeed(text, text, "") for text in texts) == said


def test_what_is_told_by_fewer_of_the_same_words_is_told_once() -> None:
    unknown = Unknown(Reason.NEEDS_ANALYSIS, "x", "a transition decides it")
    words = [replace(_word(name, True, False), unknown=unknown) for name in ("a", "b", "c")]
    ways = [FlagCombination(tuple(words[:2])), FlagCombination(tuple(words[1::-1]))]
    wider, other = FlagCombination(tuple(words)), FlagCombination((words[2],))
    assert _lines(ways[0], *ways, wider) == _lines(ways[0])
    assert len(_lines(ways[0], other)) == 2
