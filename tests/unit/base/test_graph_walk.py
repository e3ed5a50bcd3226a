"""Walks against networkx, on random graphs with cycles."""

from __future__ import annotations

import random

import networkx
import pytest

from bazelscope.base.graph_walk import distances, post_order

SEEDS = range(20)


def random_graph(seed: int) -> dict[int, list[int]]:
    choose = random.Random(seed)
    return {node: choose.sample(range(12), choose.randint(0, 3)) for node in range(12)}


@pytest.mark.parametrize("seed", SEEDS)
def test_distances_are_those_of_a_search_in_breadth(seed: int) -> None:
    graph = random_graph(seed)
    expected = networkx.single_source_shortest_path_length(networkx.DiGraph(graph), 0)
    assert distances([0], graph.__getitem__) == dict(expected)


@pytest.mark.parametrize("seed", SEEDS)
def test_each_node_stands_behind_what_it_leads_to(seed: int) -> None:
    graph = random_graph(seed)
    expected = list(networkx.dfs_postorder_nodes(networkx.DiGraph(graph), 0))
    assert post_order([0], graph.__getitem__) == expected


def test_a_path_may_be_longer_than_python_calls_can_nest() -> None:
    assert post_order([0], lambda n: [n + 1] if n < 20_000 else [])[0] == 20_000
