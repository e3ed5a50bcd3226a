"""Random workspaces that mix toolchains, aspects, splits, macros, bindings and options of
all types, whose whole configured graph is compared with `bazel cquery`."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.oracle import mixed_worlds, query_language_world
from tests.oracle.configured_comparison import compare
from tests.support.bazel import Bazel

pytestmark = pytest.mark.oracle

WORLDS = int(os.environ.get("BAZELSCOPE_MIXED_WORLDS", "25"))
FLAG_SETS = int(os.environ.get("BAZELSCOPE_MIXED_FLAG_SETS", "3"))
SEED = int(os.environ.get("BAZELSCOPE_MIXED_SEED", "1"))


@pytest.mark.parametrize(
    ("version", "mappings"),
    [("4.2.3", False), ("4.2.3", True), ("2.1.0", False), ("2.1.0", True)],
    ids=["4.2.3", "4.2.3-platform_mappings", "2.1.0", "2.1.0-platform_mappings"],
)
def test_mixed_worlds(
    version: str, mappings: bool, bazel: Callable[[str], Bazel], warm_path: Path
) -> None:
    root = warm_path / "w"
    worlds = mixed_worlds.write(root, WORLDS, SEED, version, mappings=mappings)
    labels = [label for world in worlds for label in world.labels]
    # Toolchain resolution looks at Bazel's own toolchains, which need these.
    _, stubs = query_language_world.lay_out(warm_path / "stubs")
    flag_sets = [[*stubs, *flags] for flags in mixed_worlds.flag_sets(FLAG_SETS, SEED, version)]
    found = compare(bazel(version), root, labels, flag_sets, may_crash=len(worlds) // 10)
    print(found)
    if found.differences:
        pytest.fail(found.report({world.name: world.text for world in worlds}))
