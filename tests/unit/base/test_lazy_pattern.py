"""A pattern is compiled when it is first asked for something, and then is what `re` makes."""

from __future__ import annotations

import re

import pytest

from bazelscope.base.lazy_pattern import lazy_pattern


def test_it_finds_what_a_compiled_one_finds() -> None:
    pattern = lazy_pattern(r"(?P<name>\w+)=(\d+)", re.IGNORECASE)
    compiled = re.compile(r"(?P<name>\w+)=(\d+)", re.IGNORECASE)
    text = "a=1, B=22"
    assert pattern.findall(text) == compiled.findall(text)
    assert pattern.sub("-", text) == compiled.sub("-", text)
    assert [one.span() for one in pattern.finditer(text)] == [(0, 3), (5, 9)]
    found = pattern.match(text, 5)
    assert found is not None
    assert found["name"] == "B"
    assert (pattern.pattern, pattern.flags) == (compiled.pattern, compiled.flags)


def test_it_takes_bytes() -> None:
    assert lazy_pattern(rb"a+").search(b"baab") is not None


def test_what_is_no_pattern_is_refused_when_it_is_used() -> None:
    pattern = lazy_pattern("(")
    with pytest.raises(re.error):
        pattern.match("")


def test_only_what_is_used_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[object] = []
    monkeypatch.setattr(re, "compile", lambda *words: compiled.append(words) or re.template)
    lazy_pattern("x" * 40)
    assert not compiled
