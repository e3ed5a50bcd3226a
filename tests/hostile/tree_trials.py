"""Commands about a real tree, chosen at random: whatever was kept by others before, whatever was
edited or harmed since, each answers as with `--no-cache`.

The tree is edited, so it has to be a copy. Each command is answered in a process of its own, whose
answer is compared byte by byte.
"""

from __future__ import annotations

import io
import multiprocessing
import os
import random
import sys
import time
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path

from bazelscope.cli.entry import main
from tests.hostile.cache_trials import damage

_SETTLING = 0.06
_TEMPLATES = (
    ("path", "A", "B"),
    ("path", "A", "B", "--define=x=1"),
    ("path", "A", "B", "-c", "opt", "--all"),
    ("deps", "A"),
    ("deps", "A", "--configured"),
    ("rdeps", "A"),
    ("graph", "A", "B", "--format", "dot"),
    ("query", "deps(A)"),
    ("query", "somepath(A, B)"),
    ("query", "kind(rule, deps(A, 2))", "--output=label_kind"),
    ("query", "deps(A) intersect deps(B)", "--noimplicit_deps"),
    ("cquery", "deps(A)"),
    ("cquery", "deps(A, 2)", "-c", "dbg"),
    ("explain", "A"),
    ("explain", "A", "-c", "opt"),
    ("select", "A"),
    ("why", "A"),
    ("diff", "A", "--", "-c", "opt"),
    ("repos",),
    ("settings",),
    ("flag", "compilation_mode"),
)
Answer = tuple[int, bytes, bytes]


def _say(words: list[str], connection: Connection) -> None:
    out, err = io.BytesIO(), io.BytesIO()
    sys.stdout, sys.stderr = (io.TextIOWrapper(one, write_through=True) for one in (out, err))
    code = main(words)
    connection.send((code, out.getvalue(), err.getvalue()))
    os._exit(0)


def answer(root: Path, cache: Path | None, words: list[str]) -> Answer:
    """What a run of its own answers; it keeps what it found out."""
    kept = ("--no-cache",) if cache is None else ("--cache-dir", str(cache))
    at = words.index("--") if "--" in words else len(words)
    whole = [*words[:at], "-w", str(root), *kept, *words[at:]]
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_say, args=(whole, theirs))
    process.start()
    theirs.close()
    try:
        found: Answer = ours.recv()
    except EOFError:
        found = (-1, b"", b"it ended without an answer")
    process.join()
    return found


def _labels(root: Path) -> list[str]:
    _, out, _ = answer(root, None, ["query", "kind(rule, //...)", "--keep_going"])
    return sorted(out.decode().split())


def tree_trials(root: Path, cache: Path, seed: int, count: int) -> Iterator[str]:
    """Asks `count` questions, each after a change of the tree or of the cache, or after none;
    yields those that were answered otherwise than with `--no-cache`."""
    rng = random.Random(seed)
    labels = _labels(root)
    builds = sorted([*root.rglob("BUILD"), *root.rglob("BUILD.bazel")])
    texts = {path: path.read_bytes() for path in builds}
    for number in range(count):
        chosen = {"A": rng.choice(labels), "B": rng.choice(labels)}
        template = rng.choice(_TEMPLATES)
        words = ["".join(chosen.get(char, char) for char in word) for word in template]
        done = _changed(root, cache, rng, texts)
        time.sleep(_SETTLING)
        wanted = answer(root, None, words)
        for run in ("first", "second"):
            if answer(root, cache, words) != wanted:
                yield f"seed {seed}, {number}, after {done}, {run} run: {' '.join(words)}"


def _changed(root: Path, cache: Path, rng: random.Random, texts: dict[Path, bytes]) -> str:
    """Does something to the tree or to the cache; says what."""
    path = rng.choice(sorted(texts))
    shown = path.relative_to(root)
    what = rng.choice(("nothing", "nothing", "touch", "edit", "undo", "damage", "again"))
    if what == "touch":
        path.touch()
    elif what == "edit":
        path.write_bytes(texts[path] + b'\nfilegroup(name = "added_for_a_trial")\n')
    elif what == "undo":
        for one, text in texts.items():
            if one.read_bytes() != text:
                one.write_bytes(text)
    elif what == "again":
        text = path.read_bytes()
        path.unlink()
        path.write_bytes(text)
    elif what == "damage" and any(one.is_file() for one in cache.rglob("*")):
        return damage(cache, rng)
    return what if what in ("nothing", "undo", "damage") else f"{what} {shown}"
