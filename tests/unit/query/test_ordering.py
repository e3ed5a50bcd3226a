"""Orders and ranks of query results."""

from __future__ import annotations

from bazelscope.query.language.environment import Shown
from bazelscope.query.language.graph_orders import (
    full_order,
    maximal_ranks,
    minimal_ranks,
    strong_components,
)

DIAMOND = {"a": ["b", "c"], "b": ["d"], "c": ["d"], "d": [], "e": []}
LOOP = {"a": ["b"], "b": ["c"], "c": ["b", "d"], "d": []}


def _same(node: str) -> str:
    return node


def test_full_order() -> None:
    assert full_order(DIAMOND, _same) == ["e", "a", "c", "b", "d"]
    assert full_order({"b": [], "a": []}, _same) == ["b", "a"]
    assert full_order(LOOP, _same) == ["a", "b", "c", "d"]


def test_full_order_of_a_long_chain() -> None:
    chain = {n: [n + 1] for n in range(20_000)} | {20_000: []}
    assert full_order(chain, lambda n: n) == list(range(20_001))


def test_minimal_ranks() -> None:
    expected = [(0, "a"), (0, "e"), (1, "b"), (1, "c"), (2, "d")]
    assert minimal_ranks(DIAMOND, _same) == expected
    assert minimal_ranks({"a": ["b", "c"], "b": ["c"], "c": []}, _same)[-1] == (1, "c")


def test_maximal_ranks() -> None:
    assert maximal_ranks({"a": ["b", "c"], "b": ["c"], "c": []}, _same)[-1] == (2, "c")
    assert maximal_ranks(LOOP, _same) == [(0, "a"), (1, "b"), (1, "c"), (2, "d")]


def test_strong_components() -> None:
    found = strong_components(LOOP)
    assert found["b"] == found["c"]
    assert len(set(found.values())) == 3
    assert found["d"] < found["b"] < found["a"]


def test_what_lies_between_is_contracted() -> None:
    shown: Shown[str] = Shown()
    for source, targets in {**DIAMOND, "d": ["f"]}.items():
        shown.add(source, targets)
    assert shown.between(["a", "d"]) == {"a": ("d",), "d": ()}
    assert shown.between(["a", "f"]) == {"a": ("f",), "f": ()}
    looped: Shown[str] = Shown()
    for source, targets in LOOP.items():
        looped.add(source, targets)
    assert looped.between(["a", "d"]) == {"a": ("d",), "d": ()}
