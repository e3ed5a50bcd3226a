"""Asks real trees questions with a cache in many states, and compares each answer with that of
`--no-cache`, byte for byte.

    scripts/compare_kept.py --count 80 TREE...

Of each tree a copy is asked: without a cache; with one that grows from question to question;
again after every BUILD file was touched; after some were edited, and lines of all have moved; after
edits of WORKSPACE, and of .bzl files; then with a cache that was halved, or has flipped bits; whose
directory is a file; that eight runs share from the beginning; whose writers were killed at random
moments. Prints what differs; the exit code is how many do, 100 at most.
"""

from __future__ import annotations

import itertools
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import click

_Words = tuple[str, ...]
_BUILD_FILES = ("BUILD", "BUILD.bazel")
_EVERY = 40
"""Of so many BUILD files, one is edited."""
_TOGETHER = 8


class Answer(NamedTuple):
    code: int
    said: bytes
    errors: bytes


def _ask(tree: Path, words: Sequence[str], *options: str) -> Answer:
    line = [sys.executable, "-m", "bazelscope", *words, *options]
    done = subprocess.run(line, cwd=tree, capture_output=True)
    return Answer(done.returncode, done.stdout, done.stderr)


def _questions(tree: Path, cache: Path, count: int, chosen: random.Random) -> list[_Words]:
    """Questions about targets of a tree, of every kind in turn."""
    options = (f"--cache-dir={cache}",)
    listed = _ask(tree, ("query", "kind(rule, //...)", "--keep_going"), *options).said.decode()
    rules = listed.split()
    if not rules:
        raise click.UsageError(f"no rules in {tree}")
    rc = tree / ".bazelrc"
    configs = [
        line.split(":", 1)[1].split()[0]
        for line in (rc.read_text().splitlines() if rc.is_file() else ())
        if line.startswith("build:")
    ] or [""]
    kinds: tuple[Callable[[str, str, str], _Words], ...] = (
        lambda a, b, c: ("path", a, b),
        lambda a, b, c: ("path", a.rpartition(":")[2], b.rpartition(":")[2]),
        lambda a, b, c: ("query", f"deps({a})"),
        lambda a, b, c: ("select", a),
        lambda a, b, c: ("deps", a),
        lambda a, b, c: ("cquery", f"deps({a})", *c.split()),
        lambda a, b, c: ("explain", a, *c.split()),
        lambda a, b, c: ("path", a, b, *c.split()),
        lambda a, b, c: ("query", f"somepath({a}, {b})"),
        lambda a, b, c: ("when", a, b),
        lambda a, b, c: ("rdeps", b, a),
        lambda a, b, c: ("query", f"rdeps(deps({a}), {b}, 1)", "--output=label_kind"),
    )
    questions: dict[_Words, None] = {}
    for kind in itertools.cycle(kinds):
        if len(questions) >= count:
            return list(questions)
        a, b = _pair(tree, options, rules, chosen)
        name = chosen.choice(configs)
        questions[kind(a, b, f"--config={name}" if name else "")] = None
    return []


def _pair(
    tree: Path, options: tuple[str, ...], rules: list[str], chosen: random.Random
) -> tuple[str, str]:
    """A rule and, more often than not, another target that it depends on."""
    a = chosen.choice(rules)
    below = _ask(tree, ("query", f"deps({a})", "--keep_going"), *options).said.decode().split()
    return a, chosen.choice(below if below and chosen.random() < 0.8 else rules)


def _build_files(tree: Path) -> list[Path]:
    return _files(tree, lambda name: name in _BUILD_FILES)


def _files(tree: Path, is_wanted: Callable[[str], bool]) -> list[Path]:
    return sorted(
        Path(above, name) for above, _, names in os.walk(tree) for name in names if is_wanted(name)
    )


class _Comparison:
    """One copy of a tree, what it says without a cache, and how often that was not said."""

    def __init__(self, tree: Path, cache: Path, questions: list[_Words], jobs: int) -> None:
        self._tree = tree
        self._cache = cache
        self._questions = questions
        self._jobs = jobs
        self._right: dict[_Words, Answer] = {}
        self.wrong: list[str] = []

    def answer_without(self) -> None:
        with ThreadPoolExecutor(self._jobs) as pool:
            answers = pool.map(lambda q: _ask(self._tree, q, "--no-cache"), self._questions)
            self._right = dict(zip(self._questions, answers, strict=True))

    def ask_all(self, state: str, jobs: int = 1, every: int = 1, compared: int = 3) -> None:
        """Asks with the cache as it is, and compares so many parts of each answer."""
        begun, before = time.time(), len(self.wrong)
        asked = self._questions[::every]
        option = f"--cache-dir={self._cache}"
        with ThreadPoolExecutor(jobs) as pool:
            for question, answer in zip(
                asked, pool.map(lambda q: _ask(self._tree, q, option), asked), strict=True
            ):
                if answer[:compared] != self._right[question][:compared]:
                    self.wrong.append(f"{self._tree.name}, {state}: {' '.join(question)}")
        count = len(self.wrong) - before
        print(f"{self._tree.name:14} {state:34} {len(asked):4} asked, {count} differ", end="")
        print(f"  {time.time() - begun:6.0f} s", flush=True)

    def forget_answers(self) -> None:
        """Leaves of the cache what answers are made from."""
        shutil.rmtree(self._cache / "answers", ignore_errors=True)

    def damage(self, how: Callable[[bytes], bytes]) -> None:
        self.forget_answers()
        for path in filter(Path.is_file, self._cache.rglob("*")):
            path.write_bytes(how(path.read_bytes()))

    def empty(self) -> None:
        shutil.rmtree(self._cache, ignore_errors=True)
        self._cache.unlink(missing_ok=True)

    def kill(self, times: int, chosen: random.Random) -> None:
        """Asks and kills who answers, again and again."""
        for question in itertools.islice(itertools.cycle(self._questions), times):
            line = [sys.executable, "-m", "bazelscope", *question, f"--cache-dir={self._cache}"]
            run = subprocess.Popen(line, cwd=self._tree, stdout=subprocess.DEVNULL)
            time.sleep(chosen.uniform(0, 6))
            run.kill()
            run.wait()


def _with_lines_more(text: str, chosen: random.Random) -> Iterator[str]:
    """The lines of a text, with empty ones and comments between them."""
    for line in text.splitlines(keepends=True):
        if chosen.random() < 0.03:
            yield chosen.choice(("\n", "  # One line more.\n", " \t\n"))
        yield line


def _states(one: _Comparison, tree: Path, every: int, chosen: random.Random) -> Iterator[str]:
    """Brings the cache and the tree from state to state."""
    one.ask_all("a cache that grows")
    one.ask_all("the same again")
    one.forget_answers()
    one.ask_all("nothing new but the answers")
    for path in _build_files(tree):
        path.touch()
    one.ask_all("every BUILD file touched")
    for path in _build_files(tree)[::_EVERY]:
        with path.open("a") as file:
            file.write('\nfilegroup(name = "added_at_the_end", srcs = [])\n')
    one.answer_without()
    one.ask_all("some BUILD files edited")
    for path in _build_files(tree):
        path.write_text("".join(_with_lines_more(path.read_text(), chosen)))
    one.answer_without()
    one.ask_all("lines of BUILD files moved")
    workspace = _files(tree, lambda name: name in ("WORKSPACE", "MODULE.bazel"))
    modules = _files(tree, lambda name: name.endswith(".bzl"))
    for state, edited in (
        ("WORKSPACE edited", workspace),
        ("some .bzl files edited", modules[:: _EVERY // 4]),
    ):
        for path in edited:
            path.write_bytes(b"# One line more.\n" + path.read_bytes() + b"\n# The end.\n")
        one.answer_without()
        one.ask_all(state)

    def flipped(content: bytes) -> bytes:
        changed = bytearray(content)
        for _ in range(8 if changed else 0):
            changed[chosen.randrange(len(changed))] ^= 1 << chosen.randrange(8)
        return bytes(changed)

    for state, how in (("halved", lambda c: c[: len(c) // 2]), ("with flipped bits", flipped)):
        one.damage(how)
        one.ask_all(f"a cache {state}", every=every)
    one.empty()
    one._cache.write_text("in the way")
    # That nothing can be kept is said among the errors.
    one.ask_all("a file where the cache is to be", every=every * 4, compared=2)
    one.empty()
    one.ask_all("eight runs at once", jobs=_TOGETHER, every=every)
    one.empty()
    one.kill(12, chosen)
    one.ask_all("after runs that were killed", every=every)
    yield from one.wrong


@click.command(help=__doc__)
@click.argument("trees", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
@click.option("--count", default=80, show_default=True, help="Questions about each tree.")
@click.option("--every", default=4, show_default=True, help="Of these, who is asked of damage.")
@click.option("--jobs", default=2, show_default=True, help="How many answer without a cache.")
@click.option("--seed", default=0)
def main(trees: tuple[Path, ...], count: int, every: int, jobs: int, seed: int) -> None:
    wrong: list[str] = []
    for original in trees:
        chosen = random.Random(f"{seed} {original.name}")
        with tempfile.TemporaryDirectory() as folder:
            tree, cache = Path(folder, original.name), Path(folder, "cache")
            shutil.copytree(original, tree, symlinks=True)
            questions = _questions(tree, Path(folder, "names"), count, chosen)
            one = _Comparison(tree, cache, questions, jobs)
            one.answer_without()
            wrong += _states(one, tree, every, chosen)
    print(f"\n{len(wrong)} differ", *wrong, sep="\n")
    sys.exit(min(len(wrong), 100))


if __name__ == "__main__":
    main()
