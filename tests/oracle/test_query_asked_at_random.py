"""Random questions, answered by us and by a real Bazel 4.2.3: every byte, and the exit code.

`BAZELSCOPE_RANDOM_QUESTIONS` says how many (120 unless told); `BAZELSCOPE_RANDOM_SEED` where the
seeds begin. Where no order is asked for, lines are compared as a set.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from bazelscope.cli.entry import main
from tests.oracle.query_language_world import lay_out
from tests.support.bazel import Bazel
from tests.support.random_queries import Question, make_question
from tests.support.random_worlds import make_world

pytestmark = [pytest.mark.oracle, pytest.mark.slow]

VERSION = "4.2.3"
COUNT = int(os.environ.get("BAZELSCOPE_RANDOM_QUESTIONS", "120"))
SEED = int(os.environ.get("BAZELSCOPE_RANDOM_SEED", "0"))
WORLDS = 4
BAZEL_CRASHED = 37
"""Its exit code where it fell over a question, which is no answer to hold ours against."""
CORNERS = Path(__file__).parent / "data" / "query_corners"
"""What the world of the query language lacks: loops, missing targets, features of packages,
default visibility, macros of other repositories, names with signs in them."""


@dataclass(frozen=True)
class Asked:
    """The workspace, the Bazel to ask about it, and the words for questions."""

    bazel: Bazel
    root: Path
    flags: tuple[str, ...]
    labels: tuple[str, ...]
    patterns: tuple[str, ...]


@pytest.fixture(scope="module")
def asked(clear_room: Callable[[], Path], bazel: Callable[[str], Bazel]) -> Asked:
    root, flags = lay_out(clear_room(), "w")
    shutil.copytree(CORNERS, root, dirs_exist_ok=True)
    for name in ("with space.txt", "a=b", "#hash"):
        (root / "x" / name).touch()
    definitions = [(root / "WORKSPACE").read_text()]
    for number in range(WORLDS):
        world = make_world(number)
        world.write(root)
        definitions.append(world.workspace)
    (root / "WORKSPACE").write_text("".join(definitions))
    real = bazel(VERSION)
    base = real.run(root, "info", "output_base").checked().stdout.strip()
    # Locations in other repositories lie below it, and what was fetched is read there.
    (root / ".bazelrc").write_text(f"startup --output_base={base}\n")
    universe = "//...:* + @ext//...:*"
    told = real.query(root, universe, *flags, "--order_output=full").lines
    packages = sorted({label.partition(":")[0] for label in told})
    patterns = ("//...", "//...:*", "//a/...", "//b/...:*", "//x:all-targets", "b/...", "//:all")
    wildcards = tuple(f"{package}:{end}" for package in packages for end in ("all", "*"))
    return Asked(real, root, flags, told, patterns + wildcards)


@pytest.mark.parametrize("seed", range(SEED, SEED + COUNT))
def test_question(seed: int, asked: Asked, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    question = make_question(seed, asked.labels, asked.patterns)
    words = (*asked.flags, *question.flags, question.expression)
    own = ("-w", str(asked.root), "--bazel-version", VERSION, "--no-pager", "--no-cache")
    capfdbinary.readouterr()
    code = main(["query", *own, *words])
    found = capfdbinary.readouterr().out
    theirs = asked.bazel.run(asked.root, "query", "--noshow_progress", *words)
    if theirs.exit_code == BAZEL_CRASHED:
        assert code in (0, 3), str(question)
        return
    assert code == theirs.exit_code, f"{question}\n{theirs.errors}"
    wanted = theirs.stdout.encode("utf-8", "surrogateescape")
    assert _comparable(found, question) == _comparable(wanted, question), str(question)


def test_a_question_in_a_file(asked: Asked, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    (asked.root / "question").write_text("let x = //a:leaf +\n//b:b in\n\tdeps($x)\n")
    words = (*asked.flags, "--noimplicit_deps", "--query_file=question")
    capfdbinary.readouterr()
    assert main(["query", "-w", str(asked.root), "--bazel-version", VERSION, *words]) == 0
    found = capfdbinary.readouterr().out.decode()
    theirs = asked.bazel.run(asked.root, "query", "--noshow_progress", *words).checked()
    assert found == theirs.stdout


def test_who_streams_says_a_target_twice(
    asked: Asked, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    """`visible` hands its targets on one by one, and without an order nobody remembers who has
    been told: a target that depends on two of them comes twice from Bazel, from us once.
    Bazel: `SamePkgDirectRdepsFunction`, which keeps no list where the environment has its own.
    """
    question = "same_pkg_direct_rdeps(visible(set(), //w0000/c:all))"
    words = (*asked.flags, "--noimplicit_deps", "--order_output=no", question)
    capfdbinary.readouterr()
    assert main(["query", "-w", str(asked.root), "--bazel-version", VERSION, *words]) == 0
    found = capfdbinary.readouterr().out.decode().splitlines()
    theirs = asked.bazel.run(asked.root, "query", "--noshow_progress", *words).checked().lines
    assert theirs.count("//w0000/c:many_alpha") == 2
    assert sorted(found) == sorted(set(theirs))


def _comparable(answer: bytes, question: Question) -> bytes | list[bytes]:
    """Without an order lines are a set: see `test_who_streams_says_a_target_twice`."""
    return answer if question.is_ordered else sorted(set(re.split(rb"[\n\0]", answer)))
