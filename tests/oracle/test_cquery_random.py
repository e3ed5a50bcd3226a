"""Random workspaces whose whole configured graph is compared with `bazel cquery` 4.2.3.

Compared are which targets can be analysed, every configured target of their closure with
its kind of configuration and the options of that, and every attribute that is set.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.oracle import configured_worlds
from tests.oracle.configured_comparison import compare
from tests.support.bazel import Bazel

pytestmark = pytest.mark.oracle

WORLDS = int(os.environ.get("BAZELSCOPE_CQUERY_WORLDS", "30"))
FLAG_SETS = int(os.environ.get("BAZELSCOPE_CQUERY_FLAG_SETS", "3"))
SEED = int(os.environ.get("BAZELSCOPE_CQUERY_SEED", "1"))
VERSION = "4.2.3"


@pytest.mark.parametrize("mappings", [False, True], ids=["plain", "platform_mappings"])
def test_configured_graph(mappings: bool, bazel: Callable[[str], Bazel], warm_path: Path) -> None:
    root = warm_path / "w"
    worlds = configured_worlds.write(root, WORLDS, SEED, mappings=mappings)
    labels = [label for world in worlds for label in world.labels]
    flag_sets = configured_worlds.flag_sets(FLAG_SETS, SEED)
    found = compare(bazel(VERSION), root, labels, flag_sets, may_crash=len(worlds) // 10)
    print(found)
    if found.differences:
        pytest.fail(found.report({world.name: world.text for world in worlds}))
