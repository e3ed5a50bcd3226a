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
_OF_PACKAGE = re.compile(r"(?:package contains errors: |error loading package ')(\w+)")
_NO_ERRORS = ("command succeeded", "Analysis of target")


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("version", ["4.2.3", "2.1.0", "0.24.1"])
def test_what_is_refused(
    version: str, name: str, tmp_path: Path, bazel: Callable[[str], Bazel]
) -> None:
    cases = tuple(case for case in read_cases(name) if case.kind(version) != CRASH)
    root = tmp_path / "workspace"
    write_workspace(root, cases)
    folder = tmp_path / "stubs"
    flags = (*write_stubs(folder), *write_stubs_of_tools(folder))

    def ask(asked: tuple[RefusedRule, ...], *own: str) -> Output:
        options = ("--nobuild", "--keep_going", "--color=no", *flags, *own)
        labels = [f"//{case.name}:{case.asks}" for case in asked]
        answer = bazel(version).run(root, "build", *options, "--", *labels)
        assert "crashed" not in answer.stderr
        return answer

    answer = ask(tuple(case for case in cases if not case.flags))
    told = _told(answer.stderr.replace(str(root), "ROOT"))
    told |= {case.name for case in cases if case.flags and ask((case,), *case.flags).exit_code}
    expected = {case.name for case in cases if case.kind(version)}
    assert told & {case.name for case in cases} == expected


def _told(stderr: str) -> set[str]:
    """The packages that Bazel's errors are about: the first one that each names."""
    told = set()
    for line in stderr.splitlines():
        is_error = line.startswith("ERROR") or line.lstrip().startswith('File "ROOT/')
        about = _OF_PACKAGE.search(line) or (_ABOUT.search(line) if is_error else None)
        if about is not None and not any(words in line for words in _NO_ERRORS):
            told.add(about[1])
    return told
