"""Random rc files and command lines: our options beside a real Bazel's.

`BAZELSCOPE_FLAG_CASES` asks for more cases than the few of a usual run, and
`BAZELSCOPE_FLAG_SEED` for others. A failing case prints its files and words; each that ever
failed has a test by name in `tests/unit/flags/test_disagreements.py`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import fields, replace

import pytest

from tests.oracle.flags_cases import WorldMaker
from tests.oracle.flags_lines import NAMED
from tests.oracle.flags_oracle import Answer, RealBazel, World, ours
from tests.support.parts import bazel_binary, give_up

CASES = int(os.environ.get("BAZELSCOPE_FLAG_CASES", "200"))
SEED = int(os.environ.get("BAZELSCOPE_FLAG_SEED", "423"))

pytestmark = pytest.mark.oracle


@pytest.fixture(scope="module", params=["4.2.3", "2.1.0", "0.24.1"])
def real(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RealBazel]:
    version: str = request.param
    binary = bazel_binary(version)
    if binary is None:
        give_up("oracle", f"Bazel {version}")
    root = tmp_path_factory.mktemp("flags")
    bazel = RealBazel(str(binary), version, root, starlark=version != "0.24.1")
    yield bazel
    bazel.close()


def test_our_options_are_bazels(real: RealBazel) -> None:
    version = tuple(int(part) for part in real.version.split("."))
    maker = WorldMaker(version, SEED)
    # The old Bazels confirm what the everyday one says; fewer cases do.
    count = CASES if real.version == "4.2.3" else max(50, CASES // 4)
    refused = of_hashes = 0
    for number in range(count):
        world = maker.make()
        theirs = real.ask(world)
        answer = ours(world, real.version, real.root)
        refused += theirs.error
        if theirs != answer and hashes_decide(world, theirs, answer):
            of_hashes += 1
            continue
        assert theirs == answer, describe(number, world, theirs, answer)
    # The generator must neither make only worlds that Bazel refuses, nor none.
    assert 0 < refused < count * 0.5
    assert of_hashes <= 1 + count // 500


def test_lines_with_a_reason(real: RealBazel) -> None:
    # That Bazel has no build settings.
    is_old = real.version == "0.24.1"
    worlds = [w for w in NAMED if not is_old or not re.search("f:[sb]f", str(w))]
    for number, world in enumerate(worlds):
        theirs = real.ask(world)
        answer = ours(world, real.version, real.root)
        assert theirs == answer, describe(number, world, theirs, answer)


def hashes_decide(world: World, theirs: Answer, answer: Answer) -> bool:
    """Whether the two differ in what follows a `--` alone, in a file that `--bazelrc` names and
    another imports: does the second reading go on where the first ended? The client's table of
    sections decides, whose order is that of hashes where two of them collide."""
    texts = world.files.values()
    named = [name for name in world.files if f"@ROOT@/{name}" in " ".join(world.startup)]
    imported = any("import" in text for text in texts)
    dashes = any(re.search(r"(?<!\S)[\"']?--[\"']?(?!\S)", text) for text in texts)
    same = replace(theirs, targets=answer.targets, parsed=answer.parsed) == answer
    return bool(named) and imported and dashes and same


def describe(number: int, world: World, theirs: Answer, answer: Answer) -> str:
    lines = [f"case {number} of seed {SEED}"]
    lines += [f"{name}: {text!r}" for name, text in world.files.items()]
    lines.append(f"words: {world.startup} {world.command} {world.words}")
    for field in fields(Answer):
        bazel, our = getattr(theirs, field.name), getattr(answer, field.name)
        if bazel != our:
            lines += [f"{field.name}:", f"  Bazel {bazel}", f"  ours  {our}"]
    return "\n".join(lines)
