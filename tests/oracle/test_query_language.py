"""Every function and every output format of the query language, beside what Bazel 4.2.3 prints.

Text is compared byte for byte; where Bazel's own order changes from run to run, lines are sorted
first. Bazel's output base is no part of our answer, so that locations below it are cut.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from query_language_cases import CONFIGURED, FUNCTIONS, OUTPUTS, UNIVERSAL, Case
from query_language_world import lay_out

from bazelscope.api import Workspace
from bazelscope.render.query.written import answer_query
from support.bazel import Bazel
from support.parts import give_up

pytestmark = [pytest.mark.oracle, pytest.mark.slow]

BAZEL = "4.2.3"

_CONFIGURATION = re.compile(r"\((?:[0-9a-f]{7,}|HOST|target|exec|null)\)")


@dataclass(frozen=True)
class Asked:
    """The world, a Bazel to ask about it, and the flags that both take."""

    bazel: Bazel
    workspace: Path
    flags: tuple[str, ...]

    def theirs(self, command: str, case: Case) -> str:
        words = (*self.flags, *case.flags, case.expression)
        output = self.bazel.run(self.workspace, command, "--noshow_progress", *words)
        if output.exit_code not in (0, 3):
            output.checked()
        return re.sub(rf"{re.escape(str(self.bazel.scratch))}/root/\w+/", "", output.stdout)

    def ours(self, command: str, case: Case) -> str:
        workspace = Workspace.open(self.workspace, bazel_version=BAZEL)
        asked = workspace.configure((*self.flags, *case.flags, case.expression), command=command)
        assert not asked.flags.diagnostics
        root = str(self.workspace)
        package = asked.directory_package
        return answer_query(asked.world, asked.setup, case.expression, root, package)[1]


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asked]:
    folder = tmp_path_factory.mktemp("query")
    workspace, flags = lay_out(folder)
    bazel = Bazel(BAZEL, folder / "bazel")
    if not workspace.is_dir():
        give_up("oracle", "the workspace of the query language")
    yield Asked(bazel, workspace, flags)
    bazel.shutdown()


@pytest.mark.parametrize("case", [*FUNCTIONS, *OUTPUTS], ids=str)
def test_query(asked: Asked, case: Case) -> None:
    assert asked.ours("query", case) == asked.theirs("query", case)


@pytest.mark.parametrize("case", UNIVERSAL, ids=str)
def test_query_of_a_universe(asked: Asked, case: Case) -> None:
    theirs = sorted(asked.theirs("query", case).splitlines())
    assert sorted(asked.ours("query", case).splitlines()) == theirs


@pytest.mark.parametrize("case", CONFIGURED, ids=str)
def test_cquery(asked: Asked, case: Case) -> None:
    """Bazel prints a hash for a configuration; we say which kind it is."""
    found = _normal(asked.ours("cquery", case), asked)
    assert found == _normal(asked.theirs("cquery", case), asked)


def _normal(text: str, asked: Asked) -> list[str]:
    return sorted(_CONFIGURATION.sub(_kind, line) for line in text.splitlines())


def _kind(match: re.Match[str]) -> str:
    word = match.group()
    if word in ("(null)", "(HOST)", "(exec)"):
        return {"(HOST)": "(exec)"}.get(word, word)
    return "(target)"
