"""Random questions for `cquery`, answered by us and by real Bazels.

`BAZELSCOPE_RANDOM_CQUERIES` says how many of each world (40 unless told; of those with random
rules, which each release has, a third);
`BAZELSCOPE_RANDOM_SEED` where the seeds begin.

Left out is what cannot be compared: targets that some command line fails to analyse, and the
answers to questions that Bazel says are in error, of which it prints nothing and we print what
is known. A server that has been asked before answers with what it has analysed for others as
well, so that it forgets all of it before a difference counts.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import accumulate, pairwise, starmap
from pathlib import Path

import pytest

from bazelscope.cli.entry import main
from tests.oracle import mixed_worlds
from tests.oracle.cquery_answers import KINDS, comparable, with_kinds, without_hashes
from tests.oracle.query_language_world import lay_out
from tests.support.bazel import Bazel, Output
from tests.support.random_cqueries import make_cquery
from tests.support.random_rule_worlds import RuleWorld

pytestmark = [pytest.mark.oracle, pytest.mark.slow]

COUNT = int(os.environ.get("BAZELSCOPE_RANDOM_CQUERIES", "40"))
_FEWER = (COUNT + 2) // 3
_COUNTS = {
    "language-4.2.3": COUNT,
    "mixed-4.2.3": COUNT,
    "rules-4.2.3": _FEWER,
    "rules-2.1.0": _FEWER,
    "rules-0.24.1": _FEWER,
}
_ENDS = tuple(accumulate(_COUNTS.values(), initial=0))
WORLDS = dict(zip(_COUNTS, starmap(range, pairwise(_ENDS)), strict=True))
"""Worlds with the release that is asked about each, and the numbers of the questions. No two have
one in common: pytest asks all of one number together, and would lay a world out for each."""
_NEWEST = "4.2.3"
SEED = int(os.environ.get("BAZELSCOPE_RANDOM_SEED", "0"))
MIXED = 6
"""How many packages the mixed world has."""
TRANSITIONS = Path(__file__).parent / "data" / "transitions" / "p"
FLAG_SETS = (
    (),
    ("-c", "opt"),
    ("-c", "dbg", "--define=a=b", "--cpu=arm"),
    ("--copt=-O3", "--host_copt=-g"),
)
_REFUSED = re.compile(r"^ERROR: |^\tat com\.google", re.MULTILINE)
_FAILING = re.compile(r"errors encountered while analyzing target '([^']+)'")


@dataclass
class Asked:
    """A workspace, the Bazel to ask about it, and the words for questions."""

    bazel: Bazel
    root: Path
    flags: tuple[str, ...]
    flag_sets: tuple[tuple[str, ...], ...]
    labels: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    universe: str = ""
    numbers: range = range(0)
    """Those of the questions that are asked about it."""
    _kinds: dict[tuple[str, ...], dict[str, str]] = field(default_factory=dict)

    def find_words(self) -> None:
        """Takes the targets that can be analysed under every set of flags."""
        told = self.bazel.query(self.root, "//...:*", *self.flags, "--order_output=full").lines
        good = set(told)
        for flags in self.flag_sets:
            answer = self.bazel.cquery(self.root, "//...:*", *self.flags, *flags)
            good &= {line.rpartition(" (")[0] for line in answer.lines}
            # What others depend on is found though it fails as what is asked for.
            good -= set(_FAILING.findall(answer.stderr))
        broken = {_package(label) for label in set(told) - good}
        whole = sorted({_package(label) for label in good} - broken)
        assert whole, "no package can be analysed"
        self.labels = tuple(label for label in told if label in good)
        self.patterns = tuple(f"{package}:{end}" for package in whole for end in ("all", "*"))
        single = [label for label in self.labels if _package(label) in broken]
        self.universe = " + ".join([*(f"{package}:*" for package in whole), *single])

    def kinds(self, flags: tuple[str, ...]) -> dict[str, str]:
        """The kind of every configuration in the workspace, by Bazel's short hash."""
        if flags not in self._kinds:
            question = (f"deps({self.universe})", *self.flags, *flags)
            program = f"--starlark:file={self.root.parent / 'kinds.cquery'}"
            # A transition may fail where a target is asked for, of which the rest tells.
            named = self.bazel.cquery(self.root, *question).lines
            told = self.bazel.cquery(self.root, *question, "--output=starlark", program).lines
            assert told, "no configuration is told"
            lines = zip(named, told, strict=True)
            self._kinds[flags] = {line.rpartition("(")[2][:-1]: kind for line, kind in lines}
        return self._kinds[flags]

    def ask(self, *words: str) -> Output:
        return self.bazel.run(self.root, "cquery", "--noshow_progress", *words)


def _package(label: str) -> str:
    return label.partition(":")[0]


@pytest.fixture(scope="module")
def asked(
    request: pytest.FixtureRequest,
    clear_room: Callable[[], Path],
    bazel: Callable[[str], Bazel],
) -> Asked:
    name, _, version = request.param.partition("-")
    folder = clear_room()
    root, flags = lay_out(folder, "w" if name == "language" else "world")
    flag_sets = FLAG_SETS
    if name == "mixed":
        root = folder / "w"
        mixed_worlds.write(root, MIXED, 1, version, mappings=False)
        flag_sets = tuple(map(tuple, mixed_worlds.flag_sets(5, 3, version)))
    elif name == "rules":
        root = folder / "w"
        rules = RuleWorld(SEED, version)
        rules.write(root)
        flag_sets = rules.flag_sets(3)
    else:
        for path in TRANSITIONS.iterdir():
            (root / "p").mkdir(exist_ok=True)
            shutil.copy(path, root / "p" / path.name.removesuffix(".txt"))
        for name in ("f.txt", "f.cc", "t.sh"):
            (root / "p" / name).touch()
    (folder / "kinds.cquery").write_text(KINDS)
    real = bazel(version)
    base = real.run(root, "info", "output_base").checked().stdout.strip()
    # Locations in other repositories lie below it, and what was fetched is read there.
    (root / ".bazelrc").write_text(f"startup --output_base={base}\n")
    world = Asked(real, root, flags, flag_sets, numbers=WORLDS[request.param])
    world.find_words()
    return world


@pytest.mark.parametrize(
    ("asked", "number"),
    [(world, number) for world, numbers in WORLDS.items() for number in numbers],
    indirect=["asked"],
    scope="module",
)
def test_question(number: int, asked: Asked, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    # One set of flags after the other: a change makes a server analyse everything anew.
    place = asked.numbers.index(number)
    flags = asked.flag_sets[place * len(asked.flag_sets) // len(asked.numbers)]
    version = asked.bazel.version
    question = make_cquery(SEED + place, asked.labels, asked.patterns, version)
    words = (*asked.flags, *flags, *question.flags, question.expression)
    about = f"{' '.join(flags)} {question}"
    capfdbinary.readouterr()
    line = ["cquery", "-w", str(asked.root), "--bazel-version", version, "--no-pager"]
    code = main([*line, *words])
    found = capfdbinary.readouterr().out.decode("utf-8", "surrogateescape")

    def shared(text: str) -> list[str]:
        is_newest = version == _NEWEST
        told = with_kinds(text, asked.kinds(flags)) if is_newest else without_hashes(text)
        return comparable(told, question.output)

    def problem() -> str | None:
        theirs = asked.ask(*words)
        is_refused = bool(_REFUSED.search(theirs.stderr))
        if is_refused and not theirs.stdout:
            is_same = code != 0
        elif "somepath" in question.expression:
            # Which path it is, is Bazel's own affair.
            is_same = (code != 0) == is_refused and bool(found) == bool(theirs.stdout)
        else:
            # Releases before 4 answer with what is left.
            is_same = (code != 0) == is_refused and shared(found) == shared(theirs.stdout)
        return None if is_same else f"{found}\nexit {code}, Bazel:\n{theirs}"

    if problem() is not None:
        asked.bazel.run(asked.root, "clean").checked()
        told = problem()
        assert told is None, f"{about}\n{told}"
