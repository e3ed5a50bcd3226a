#!/usr/bin/env python3
"""Measures the answers of the editor's state on a tree: how long they take when it is warm, what an
edit costs, and whether memory stays as it is over many edits.

    scripts/measure_editor.py TREE --cache-dir DIR --edits 10000 --file tensorflow/core/BUILD

Nothing is written into the tree: edits are unsaved texts.
"""

from __future__ import annotations

import argparse
import gc
import random
import statistics
import time
from collections.abc import Callable
from itertools import chain
from pathlib import Path

from bazelscope.base.budget import memory_in_use
from bazelscope.editor.completion import complete
from bazelscope.editor.definitions import definitions
from bazelscope.editor.hover import hover
from bazelscope.editor.problems import problems
from bazelscope.editor.references import read_ahead, references
from bazelscope.editor.settings import ClientSettings
from bazelscope.editor.state import EditorState
from bazelscope.editor.wording import to_markdown

_QUESTIONS: dict[str, Callable[..., object]] = {
    "hover": lambda state, source, offset: (
        to_markdown(told.facts) if (told := hover(state, source, offset)) else None
    ),
    "definition": definitions,
    "completion": complete,
    "references": references,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tree", type=Path)
    parser.add_argument("--cache-dir", type=Path)
    parser.add_argument("--file", default="BUILD", help="the file that is edited")
    parser.add_argument("--ask", action="append", default=[], help="further files to ask about")
    parser.add_argument("--words", default="", help="the command line")
    parser.add_argument("--edits", type=int, default=200)
    parser.add_argument("--places", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    gc.set_threshold(2_000_000, 50, 100)
    chance = random.Random(options.seed)
    settings = ClientSettings(tuple(options.words.split()))
    state = EditorState(options.tree, settings, {}, options.cache_dir)
    began = time.thread_time()
    with state.asking():
        for _ in chain(state.select_uses.count(state.build.loader), read_ahead(state)):
            pass
    print(f"all packages loaded and counted: {time.thread_time() - began:.1f} s")
    state.keep()
    for path in (options.file, *options.ask):
        _ask(state, path, options.places, chance)
    _edit(state, options.file, options.edits)


def _ask(state: EditorState, path: str, places: int, chance: random.Random) -> None:
    with state.asking():
        source = state.source(path)
    assert source is not None, path
    state.edit(f"{state.root}/{path}", source.text)
    offsets = [chance.randrange(len(source.text)) for _ in range(places)]
    for name, question in _QUESTIONS.items():
        for turn in ("first", "again"):
            taken: list[float] = []
            for offset in offsets:
                began = time.thread_time()
                with state.asking():
                    question(state, source, offset)
                taken.append((time.thread_time() - began) * 1000)
            taken.sort()
            most = taken[-1]
            middle, high = statistics.median(taken), taken[int(len(taken) * 0.95)]
            print(
                f"{path} {name} {turn}: median {middle:.1f} ms, 95 % {high:.1f} ms, most {most:.1f}"
            )


def _edit(state: EditorState, path: str, edits: int) -> None:
    with state.asking():
        source = state.source(path)
    assert source is not None
    full = f"{state.root}/{path}"
    taken: list[float] = []
    for number in range(edits):
        broken = number % 3 == 1
        text = f'{source.text}\nfilegroup(name = "edit_{number}"{"" if broken else ")"}\n'
        began = time.thread_time()
        with state.asking():
            state.edit(full, text)
            problems(state, path)
        taken.append((time.thread_time() - began) * 1000)
        if number % max(1, edits // 20) == 0 or number == edits - 1:
            gc.collect()
            print(f"edit {number}: {memory_in_use() >> 20} MB, {statistics.median(taken):.0f} ms")
            taken.clear()


if __name__ == "__main__":
    main()
