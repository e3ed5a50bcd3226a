"""What `affected` tells of random edits, beside brute force with a real Bazel 4.2.3.

Nothing may be missed, and hardly anything told that does not differ.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.oracle import configured_worlds
from tests.oracle.affected_oracle import check, compare, put
from tests.support.bazel import Bazel

pytestmark = pytest.mark.oracle

EDITS = int(os.environ.get("BAZELSCOPE_AFFECTED_EDITS", "12"))
WORLDS = int(os.environ.get("BAZELSCOPE_AFFECTED_WORLDS", "6"))
SEED = int(os.environ.get("BAZELSCOPE_AFFECTED_SEED", "1"))
VERSION = "4.2.3"


def _texts(root: Path, pattern: str) -> list[Path]:
    return sorted(path for path in root.glob(pattern) if path.is_file() and not path.is_symlink())


def _substituted(pick: random.Random, path: Path, pattern: str, values: list[str]) -> str:
    return put(
        pick,
        path,
        pattern,
        lambda place: pick.choice([value for value in values if value != place[0]]),
    )


def _edit(pick: random.Random, root: Path) -> str:
    """One random edit. Returns what it is."""
    builds = _texts(root, "w*/BUILD")
    while True:
        kind = pick.randrange(11)
        path = pick.choice(builds)
        if kind < 3:
            files = [one for one in _texts(root, "**/*.txt") if ".git/" not in str(one)]
            file = pick.choice(files) if files else path
            if file is not path:
                file.write_text(f"{pick.random()}")
                return f"{file.relative_to(root)} is edited"
        elif kind < 6:
            done = _substituted(pick, path, r'"(x|yy|red|blue)"', ['"x"', '"yy"', '"red"'])
            if done:
                return f"{path.parent.name}/{done}"
        elif kind == 6:
            done = _substituted(pick, path, r"\b[07]\b", ["0", "7", "8"])
            if done:
                return f"{path.parent.name}/{done}"
        elif kind == 7:
            path.write_text(f"# {pick.random()}\n\n{path.read_text()}")
            return f"{path.parent.name}/BUILD: a comment"
        elif kind == 8:
            done = _substituted(pick, path, r'"(opt|dbg|fastbuild)"', ['"opt"', '"dbg"'])
            if done:
                return f"{path.parent.name}/{done}"
        elif kind == 9 and pick.random() < 0.4:
            (root / "lib/rules.bzl").write_text(
                (root / "lib/rules.bzl").read_text() + f"# {pick.random()}\n"
            )
            return "lib/rules.bzl: a comment"
        elif kind == 10 and pick.random() < 0.4:
            (root / ".bazelrc").write_text(f"build --define=d={pick.randrange(99)}\n")
            return ".bazelrc: a define"


def test_random_edits(bazel: Callable[[str], Bazel], warm_path: Path) -> None:
    root = warm_path / "w"
    pick = random.Random(SEED)
    worlds = configured_worlds.write(root, WORLDS, SEED, mappings=False)
    labels = [label for world in worlds for label in world.labels]
    count = compare(
        bazel(VERSION), root, labels, (), partial(_edit, pick), EDITS, warm_path / "cache"
    )
    check(count)
    assert count.needed > 0
