"""Hundreds of packages with one mistake each, or what looks like one: those that real Bazels refuse
are those of which their file says so, and of which we say so.

Kinds are compared with what we say alone: Bazel's errors have none.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.oracle.compile_worlds import write_stubs as write_stubs_of_tools
from tests.support.bazel import Bazel, Output
from tests.support.refused_rules import (
    CRASH,
    LISTS,
    RefusedRule,
    read_cases,
    write_stubs,
    write_workspace,
)

pytestmark = pytest.mark.oracle

_ABOUT = re.compile(r"(?:^|[ '\"(])(?:ROOT/|//)(\w+)[/:]")
_OF_PACKAGE = re.compile(
    r"(?:package contains errors: |error loading package '|^ERROR: file '(?=.* conflicting ))(\w+)"
)
_NO_ERRORS = ("command succeeded", "Analysis of target")
_OPTIONS = (
    *("--nobuild", "--keep_going", "--color=no"),
    # Each question is short: what Bazel does besides is what takes its time.
    *("--loading_phase_threads=1", "--noshow_progress", "--noshow_loading_progress"),
    # No file changes between them: the system tells so sooner than a look at each.
    "--watchfs",
)


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("version", ["4.2.3", "2.1.0", "0.24.1"])
def test_what_is_refused(
    version: str, name: str, warm_path: Path, bazel: Callable[[str], Bazel]
) -> None:
    cases = tuple(case for case in read_cases(name) if case.kind(version) != CRASH)
    by_flags: dict[tuple[str, ...], list[RefusedRule]] = {}
    for case in cases:
        by_flags.setdefault(case.flags, []).append(case)
    root = warm_path / "w"
    write_workspace(root, cases)
    stubs = warm_path / "stubs"
    flags = (*write_stubs(stubs), *write_stubs_of_tools(stubs))

    def ask(asked: tuple[RefusedRule, ...], *own: str) -> Output:
        labels = [f"//{case.name}:{case.asks}" for case in asked]
        answer = bazel(version).run(root, "build", *_OPTIONS, *flags, *own, "--", *labels)
        assert "crashed" not in answer.stderr
        return answer

    def refused(asked: tuple[RefusedRule, ...], *own: str) -> set[str]:
        answer = ask(asked, *own)
        if own and len(asked) == 1:
            return {case.name for case in asked if answer.exit_code}
        told = _told(answer.stderr.replace(str(root), "ROOT")) & {case.name for case in asked}
        if own and answer.exit_code and not told:  # It is about the line itself.
            return set[str]().union(*(refused((case,), *own) for case in asked))
        return told

    # Each line looks at all files that the server has seen: that which asks for most comes last.
    lines = sorted(by_flags.items(), key=lambda line: len(line[1]))
    told = set[str]().union(*(refused(tuple(some), *own) for own, some in lines))
    assert told == {case.name for case in cases if case.kind(version)}


def _told(stderr: str) -> set[str]:
    """The packages that Bazel's errors are about: the first one that each names."""
    told = set()
    for line in stderr.splitlines():
        is_error = line.startswith("ERROR") or line.lstrip().startswith('File "ROOT/')
        about = _OF_PACKAGE.search(line) or (_ABOUT.search(line) if is_error else None)
        if about is not None and not any(words in line for words in _NO_ERRORS):
            told.add(about[1])
    return told
