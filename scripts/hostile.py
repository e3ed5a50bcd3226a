"""Runs the hostile trials as a whole; a seeded sample of the same runs in CI (tests/hostile).

Prints a line for each trial, and at the end those that broke a promise; the exit code is their
number, 100 at most.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.hostile.cache_trials import comparisons, damages, kills
from tests.hostile.floods import Flood, floods
from tests.hostile.judge import fault_of
from tests.hostile.rule_attacks import attacks, floods_of_places, warm_up
from tests.hostile.rule_attacks import fault_of as fault_of_attack
from tests.hostile.tree_trials import tree_trials
from tests.hostile.trial import run, write_tree


def _flood(flood: Flood) -> tuple[str, str]:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "w")
        write_tree(root, flood.files)
        ending = run(root, [*flood.words, "--no-cache", *flood.options])
    fault = fault_of(flood, ending)
    told = f"{flood.name:32} exit {ending.code:3} {ending.seconds:6.1f} s {ending.megabytes:5} MB"
    return f"{told}  {fault or 'ok'}", fault


def _ended(broken: list[str]) -> None:
    print(f"\n{len(broken)} broke a promise", *broken, sep="\n")
    sys.exit(min(len(broken), 100))


def _trials(trial: Callable[[Path, Path, int, int], Iterator[str]], count: int, first: int) -> None:
    """Runs so many trials, in workspaces of 50 each."""
    broken: list[str] = []
    for seed in range(first, first + count // _OF_A_SEED):
        with tempfile.TemporaryDirectory() as folder:
            broken += trial(Path(folder, "w"), Path(folder, "cache"), seed, _OF_A_SEED)
        print(f"seed {seed}: {len(broken)} wrong so far", flush=True)
    _ended(broken)


_OF_A_SEED = 50
_count = click.option("--count", default=1000, show_default=True, help="How many trials.")
_first = click.option("--seed", "first", default=0, help="The first seed; 50 trials have one.")


@click.group(help=__doc__)
def main() -> None:
    """Runs what the subcommand names."""


@main.command("floods")
@click.argument("names", nargs=-1)
@click.option("--jobs", default=1, show_default=True, help="How many run at once.")
def _floods(names: tuple[str, ...], jobs: int) -> None:
    """Programs, rc files, queries and trees that ask for endless time or memory: those whose
    names begin with one of NAMES, or all."""
    every = (*floods(), *floods_of_places())
    asked = [flood for flood in every if not names or flood.name.startswith(names)]
    broken = []
    with ThreadPoolExecutor(jobs) as pool:
        for line, fault in pool.map(_flood, asked):
            print(line, flush=True)
            if fault:
                broken.append(line)
    _ended(broken)


@main.command("attacks")
@click.argument("names", nargs=-1)
def _attacks(names: tuple[str, ...]) -> None:
    """Attacks on what Starlark is given where it is run dry: those whose names begin with one of
    NAMES, or all."""
    warm_up()
    asked = [attack for attack in attacks() if not names or attack.name.startswith(names)]
    broken = []
    for attack in asked:
        fault, _ = fault_of_attack(attack)
        if fault:
            broken.append(f"{attack.name}: {fault}")
    print(f"{len(asked)} attacks")
    _ended(broken)


@main.command("comparisons")
@_count
@_first
def _comparisons(count: int, first: int) -> None:
    """Answers after edits, touches and link switches, beside those of --no-cache."""
    _trials(comparisons, count, first)


@main.command("damages")
@_count
@_first
def _damages(count: int, first: int) -> None:
    """Answers with damaged, swapped and half-written caches, beside those of --no-cache."""
    _trials(damages, count, first)


@main.command("kills")
@_count
@_first
def _kills(count: int, first: int) -> None:
    """Runs that are killed at a random moment, and the answers of those that follow."""
    _trials(kills, count, first)


@main.command("trees")
@click.argument("trees", nargs=-1, type=click.Path(path_type=Path))
@click.option("--count", default=84, show_default=True, help="How many questions on each tree.")
@_first
def _trees(trees: tuple[Path, ...], count: int, first: int) -> None:
    """Random questions about copies of real TREES, after edits, touches and damage to the cache,
    beside those of --no-cache: six trees make 500."""
    broken: list[str] = []
    for number, tree in enumerate(trees):
        with tempfile.TemporaryDirectory() as folder:
            root = shutil.copytree(tree, Path(folder, "w"), symlinks=True)
            for fault in tree_trials(root, Path(folder, "cache"), first + number, count):
                print(fault, flush=True)
                broken.append(f"{tree.name}: {fault}")
        print(f"{tree.name}: {len(broken)} wrong so far", flush=True)
    _ended(broken)


if __name__ == "__main__":
    main()
