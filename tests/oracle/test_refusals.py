"""What we refuse beside what a real Bazel refuses: packages with planted faults, as pairs of a
kind and a target. None is missed and none is invented; what Bazel would only come to next is
left out, and so are packages that cannot be loaded whole.

    BAZELSCOPE_RANDOM_SEED=500 BAZELSCOPE_RANDOM_WORLDS=5 pytest tests/oracle/test_refusals.py

tries five worlds of each Bazel from that seed on; by default one.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from bazelscope.analysis.refusals.kept_refusals import refusals_below
from bazelscope.api import Workspace
from bazelscope.base.label import Label
from bazelscope.loading.packages.package import Package
from tests.oracle.refusals.messages import said
from tests.oracle.refusals.worlds import FLAGS, make_world
from tests.support.bazel import Bazel

pytestmark = pytest.mark.oracle

_UNASKED = ("broken", "implied", "unloaded")
_SEED = int(os.environ.get("BAZELSCOPE_RANDOM_SEED", "1"))
_WORLDS = int(os.environ.get("BAZELSCOPE_RANDOM_WORLDS", "1"))
_PACKAGES = {"4.2.3": 60, "2.1.0": 40, "0.24.1": 40}


@pytest.mark.parametrize(
    ("version", "seed", "packages"),
    [
        (version, _SEED + 3 * world + index, packages)
        for index, (version, packages) in enumerate(_PACKAGES.items())
        for world in range(_WORLDS)
    ],
)
def test_nothing_is_missed_and_nothing_invented(
    version: str,
    seed: int,
    packages: int,
    warm_path: Path,
    bazel: Callable[[str], Bazel],
) -> None:
    world = make_world(seed, packages)
    root = warm_path / "w"
    world.write(root)
    mine, in_error = _ours(root, version)
    excluded = [f"-//{package}/..." for package in (*_UNASKED, *sorted(in_error))]
    answer = bazel(version).run(
        root, "build", "--nobuild", "--keep_going", "--color=no", *FLAGS, "--", "//...", *excluded
    )
    theirs, _ = said(answer.stderr, world)
    # 0.24.1 also tells of the Java tools that Bazel itself would download.
    theirs = frozenset(
        one for one in theirs if one[1].startswith("//") and _package(one[1]) not in in_error
    )
    assert len(theirs) > packages
    assert theirs - mine == set(), "missed"
    assert mine - theirs == set(), "invented"


def _ours(root: Path, version: str) -> tuple[frozenset[tuple[str, str]], frozenset[str]]:
    """The kinds and targets that we refuse, and the packages in error."""
    workspace = Workspace.open(root, bazel_version=version, host="linux")
    asked = workspace.configure([*FLAGS])
    labels: list[Label] = []
    in_error: set[str] = set()
    for id in asked.loader.trees.packages():
        package = asked.loader.package(id)
        if getattr(package, "diagnostics", ()):
            in_error.add(id.package)
        elif isinstance(package, Package) and id.package not in _UNASKED:
            # `build //...` looks at no config_setting that nothing uses.
            labels += [
                Label(*id, name)
                for name in package.targets
                if package.targets.is_rule(name)
                and package.targets[name].kind != "config_setting rule"
            ]
    found = refusals_below(asked.world.configured, labels)
    mine = frozenset((one.kind.value, str(one.target)) for one in found if not one.also)
    return mine, frozenset(in_error)


def _package(label: str) -> str:
    return label.removeprefix("//").partition(":")[0]
