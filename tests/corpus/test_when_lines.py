"""`when`'s condition, evaluated, beside the configured graph, on real trees: pairs of targets
under command lines drawn from the tree's own configs. Numbers and trees come from the
environment; the TensorFlow among the parts is always asked."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.support.parts import need_tensorflow, need_tree
from tests.support.when_lines import Pairs

pytestmark = pytest.mark.corpus

PAIRS = int(os.environ.get("BAZELSCOPE_WHEN_PAIRS", "16"))
LINES = int(os.environ.get("BAZELSCOPE_WHEN_LINES", "6"))
SEED = int(os.environ.get("BAZELSCOPE_WHEN_SEED", "1"))
SOURCES = (
    "//tensorflow/tools/pip_package:build_pip_package",
    "//tensorflow/core:framework",
    "//tensorflow/core/kernels:conv_ops",
    "//tensorflow/compiler/jit:jit",
)
NAMED = {
    "tf2.4": ("2.4", "3.1.0"),
    "tf1.14": ("1.14", "0.24.1"),
    "tf2.14": ("", "6.1.0"),
}


@pytest.mark.parametrize("tree", NAMED)
def test_the_condition_is_what_the_graph_says(tree: str, trees_cache: Path) -> None:
    release, version = NAMED[tree]
    root = need_tensorflow(release) if release else need_tree("tensorflow")
    pairs = Pairs(SOURCES, PAIRS, SEED)
    opened = {"cache_dir": trees_cache, "environment": {}, "bazel_version": version}
    lines = pairs.lines(root, LINES, SEED, **opened)
    found = pairs.compare(root, lines, **opened)
    summary = f"{found.decided} decided, {found.refused} refused, {found.open} open"
    print(f"{tree}: {summary}, {found.graphs} graphs, {len(found.differences)} differ")
    assert not found.differences, summary + "\n" + "\n".join(found.differences[:20])
    assert found.decided > PAIRS


@pytest.mark.parametrize("tree", NAMED)
def test_what_is_told_has_been_tried(tree: str, trees_cache: Path) -> None:
    """An alternative leads there, an exception does not: each under a line that makes it so."""
    release, version = NAMED[tree]
    root = need_tensorflow(release) if release else need_tree("tensorflow")
    pairs = Pairs(SOURCES, PAIRS, SEED)
    opened = {"cache_dir": trees_cache, "environment": {}, "bazel_version": version}
    found = pairs.told(root, LINES, **opened)
    summary = f"{found.decided} tried, {found.refused} refused, {found.open} without a line"
    print(f"{tree}: {summary}, {found.graphs} lines, {len(found.differences)} differ")
    assert not found.differences, summary + "\n" + "\n".join(found.differences[:20])
    assert found.decided > PAIRS
