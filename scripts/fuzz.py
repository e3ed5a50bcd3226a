"""Feeds random texts to everything that reads one: `scripts/fuzz.py --inputs 1000000`.

Rc files, command lines, Starlark, MODULE.bazel, lock files, queries, platform_mappings, labels and
versions; whole workspaces, our own commands, expressions of query, cquery and mod, and sessions
of an editor. A text is a function of subject, seed and number: `scripts/fuzz.py --again SUBJECT
SEED NUMBER` prints it. A campaign that was stopped goes on from its state file; each breach is a
line of JSON in the file beside it. Exit code 1 if one broke a promise. A part with a fixed seed
runs in CI (tests/hostile/test_fuzz_campaign.py).
"""

from __future__ import annotations

import json
import sys
import time
from dataclasses import asdict
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.hostile.fuzz_campaign import SUBJECTS, campaign, text_of


@click.command(help=__doc__)
@click.option("--inputs", default=10_000, help="Texts in all.")
@click.option("--seed", default=1)
@click.option("--seconds", default=86_400.0, help="Stop after so many seconds.")
@click.option("--subject", "names", multiple=True, type=click.Choice([s.name for s in SUBJECTS]))
@click.option("--state", type=click.Path(path_type=Path), default=Path("fuzz.state"))
@click.option("--again", nargs=3, default=None, help="Print the text SUBJECT SEED NUMBER.")
def main(
    inputs: int,
    seed: int,
    seconds: float,
    names: tuple[str, ...],
    state: Path,
    again: tuple[str, str, str] | None,
) -> None:
    if again is not None:
        subject = next(one for one in SUBJECTS if one.name == again[0])
        sys.stdout.write(text_of(subject, int(again[1]), int(again[2])))
        return
    broken = 0
    breaches_file = state.with_suffix(".breaches")
    for name, count, breaches in campaign(inputs, seed, state, names, time.monotonic() + seconds):
        broken += len(breaches)
        with breaches_file.open("a") as out:
            out.writelines(json.dumps(asdict(breach)) + "\n" for breach in breaches)
        click.echo(f"{name:10} {count:8} texts, {len(breaches)} broke a promise")
    click.echo(f"{broken} broke a promise" + (f", see {breaches_file}" if broken else ""))
    sys.exit(bool(broken))


if __name__ == "__main__":
    main()
