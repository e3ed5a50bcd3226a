"""Every function and every output format of the query language, beside what Bazel 4.2.3 prints.

Text is compared byte for byte; where Bazel's own order changes from run to run, lines are sorted
first. Bazel's output base is no part of our answer, so that locations below it are cut.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from bazelscope.api import ConfiguredWorkspace, Workspace
from bazelscope.query.formats.written import ask_query
from tests.oracle.query_language_cases import (
    BINARY,
    CONFIGURED,
    FUNCTIONS,
    OUTPUTS,
    UNIVERSAL,
    Case,
)
from tests.oracle.query_language_world import lay_out
from tests.support.bazel import Bazel
from tests.support.ours import share_packages
from tests.support.parts import give_up

pytestmark = [pytest.mark.oracle, pytest.mark.slow]

BAZEL = "4.2.3"

MESSAGES = (
    "//a:main",
    "//a:sel",
    "//a:mac2",
    "//a:plat",
    "//a:BUILD",
    "//a:cc",
    "//b:b",
    "//b:gen",
    "//b:in.txt",
    "//b:out1.txt",
    "//b:small_test",
)

_CONFIGURATION = re.compile(r"\(([0-9a-f]{7,}|HOST|target|exec|host)\)")


@dataclass(frozen=True)
class Asked:
    """The world, a Bazel to ask about it, and the flags that both take."""

    bazel: Bazel
    workspace: Path
    flags: tuple[str, ...]
    opened: Workspace
    _tops: dict[tuple[str, ...], str] = field(default_factory=dict)
    _loaded: list[ConfiguredWorkspace] = field(default_factory=list)

    def top(self, flags: tuple[str, ...]) -> str:
        """The hash of what targets are configured for under some flags."""
        if flags not in self._tops:
            told = self.theirs("cquery", Case("top", "//a:plat", flags))
            self._tops[flags] = told.rpartition("(")[2].strip()[:-1]
        return self._tops[flags]

    def theirs(self, command: str, case: Case) -> str:
        words = (*self.flags, *case.flags, case.expression)
        output = self.bazel.run(self.workspace, command, "--noshow_progress", *words)
        if output.exit_code not in (0, 3):
            output.checked()
        root = re.escape(str(self.bazel.scratch / "root"))
        return re.sub(rf"{root}/\w+/", "", output.stdout)

    def ours(self, command: str, case: Case) -> str:
        """Bytes of messages as a text from which they can be had back."""
        words = (*self.flags, *case.flags, case.expression)
        asked = self.opened.configure(words, command=command)
        assert not asked.flags.diagnostics
        # Questions of the same loading share what is evaluated.
        share_packages(asked, self._loaded)
        root = str(self.workspace)
        package = asked.directory_package
        written = ask_query(
            asked.world, asked.envelope_of_flags, case.expression, root, package
        ).text()
        if isinstance(written, bytes):
            return written.decode("utf-8", "surrogateescape")
        return written


@pytest.fixture(scope="module")
def asked(clear_room: Callable[[], Path], bazel: Callable[[str], Bazel]) -> Asked:
    workspace, flags = lay_out(clear_room(), "w")
    if not workspace.is_dir():
        give_up("oracle", "the workspace of the query language")
    return Asked(bazel(BAZEL), workspace, flags, Workspace.open(workspace, bazel_version=BAZEL))


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
    flags = tuple(flag for flag in case.flags if not flag.startswith("--output"))
    found = _normal(asked.ours("cquery", case), "target")
    assert found == _normal(asked.theirs("cquery", case), asked.top(flags))


def _normal(text: str, top: str) -> list[str]:
    def kind(match: re.Match[str]) -> str:
        if match[1] == top:
            return "(target)"
        return "(host)" if match[1].lower() == "host" else "(exec)"

    return sorted({_CONFIGURATION.sub(kind, line) for line in text.splitlines()})


@pytest.mark.parametrize("target", MESSAGES)
def test_json_messages(asked: Asked, target: str) -> None:
    """4.2.3 writes JSON for cquery only. Its hashes of configurations are its own."""
    case = Case("jsonproto", target, ("-c", "opt", "--noimplicit_deps", "--output=jsonproto"))
    theirs = re.sub(
        r'"checksum": "(?!null)\w+"', '"checksum": "target"', asked.theirs("cquery", case)
    )
    assert asked.ours("cquery", case) == theirs


@pytest.mark.parametrize("case", BINARY, ids=str)
def test_messages(asked: Asked, case: Case) -> None:
    assert asked.ours("query", case) == asked.theirs("query", case)


@pytest.mark.parametrize("output", ["textproto", "proto", "jsonproto"])
@pytest.mark.parametrize("target", MESSAGES)
def test_configured_messages(asked: Asked, target: str, output: str) -> None:
    flags = ("-c", "opt", "--noimplicit_deps", "--noproto:include_configurations")
    case = Case(f"cquery --output={output}", target, (*flags, f"--output={output}"))
    assert asked.ours("cquery", case) == asked.theirs("cquery", case)
