"""Workspaces made at random, with faults planted in them: what a Bazel refuses of each package is
compared with what we do.

One workspace holds many packages, to save starts of a server. Each has a few targets that
depend on one another, one to three faults, and decoys: what looks like a fault and is none.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

from tests.oracle.refusals.faults import DECOYS, FAULTS
from tests.oracle.refusals.packages import Package
from tests.oracle.refusals.shared_packages import SHARED
from tests.support.files import write_files

FLAGS = ("--define=a=1", "--define=b=1")
"""What all packages are asked under: `//cond:a` and `//cond:b` hold, `//cond:off` does not."""


@dataclass(frozen=True)
class RefusalWorld:
    """Files of a workspace, and what was planted in each package."""

    files: dict[str, str]
    planted: dict[str, tuple[str, ...]]

    def write(self, root: Path) -> None:
        write_files(root, self.files)


def _of_one_mind(faults: list[str]) -> list[str]:
    """At most one of the faults of keys: which of two Bazel tells of one target is chance."""
    keys = [name for name in faults if name in _OF_KEYS]
    return [name for name in faults if name not in keys[1:]]


_OF_KEYS = frozenset(
    {
        *("missing key", "key is no condition"),
        *("bad enum", "unknown option", "empty setting", "bad boolean", "no build setting"),
    }
)


def make_world(seed: int, packages: int) -> RefusalWorld:
    """A workspace of so many packages `p1`, `p2`, ..., each with one to three faults."""
    random_ = random.Random(seed)
    files = dict(SHARED)
    planted: dict[str, tuple[str, ...]] = {}
    for number in range(1, packages + 1):
        package = Package(f"p{number}", random_)
        faults = _of_one_mind(random_.sample(sorted(FAULTS), random_.randint(1, 3)))
        decoys = random_.sample(sorted(DECOYS), random_.randint(1, 4))
        for name in faults:
            FAULTS[name](package)
        for name in decoys:
            DECOYS[name](package)
        files[f"{package.name}/BUILD"] = package.text()
        files.update(package.extra)
        planted[package.name] = (*faults, *decoys)
    return RefusalWorld(files, planted)
