"""Runs the hostile trials as a whole: `scripts/hostile.py floods [NAME...]`, `... comparisons N`,
`... damages N`, `... kills N`.

What runs in CI is a seeded sample of the same (tests/hostile). Prints a line for each trial, and
at the end those that broke a promise; the exit code is their number, 100 at most.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.hostile.cache_trials import comparisons, damages, kills
from tests.hostile.floods import Flood, floods
from tests.hostile.judge import fault_of
from tests.hostile.trial import run, write_tree


def _flood(flood: Flood) -> tuple[str, str]:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "w")
        write_tree(root, flood.files)
        ending = run(root, [*flood.words, "--no-cache", *flood.options])
    fault = fault_of(flood, ending)
    told = f"{flood.name:32} exit {ending.code:3} {ending.seconds:6.1f} s {ending.megabytes:5} MB"
    return f"{told}  {fault or 'ok'}", fault


def _floods(words: list[str]) -> list[str]:
    """Runs the floods whose names begin with one of `words`; all without any."""
    asked = [f for f in floods() if not words or f.name.startswith(tuple(words))]
    broken = []
    with ThreadPoolExecutor(int(os.environ.get("HOSTILE_JOBS", "1"))) as pool:
        for line, fault in pool.map(_flood, asked):
            print(line, flush=True)
            if fault:
                broken.append(line)
    return broken


def _trials(trial: Callable[[Path, Path, int, int], Iterator[str]], words: list[str]) -> list[str]:
    """Runs so many trials, in workspaces of 50 each."""
    broken = []
    for seed in range(int(words[0]) // 50):
        with tempfile.TemporaryDirectory() as folder:
            broken += trial(Path(folder, "w"), Path(folder, "cache"), seed, 50)
        print(f"seed {seed}: {len(broken)} wrong so far", flush=True)
    return broken


_WHAT = {
    "floods": _floods,
    "comparisons": partial(_trials, comparisons),
    "damages": partial(_trials, damages),
    "kills": partial(_trials, kills),
}


def main(words: list[str]) -> int:
    """Runs what the first word names."""
    broken = _WHAT[words[0]](words[1:])
    print(f"\n{len(broken)} broke a promise", *broken, sep="\n")
    return min(len(broken), 100)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
