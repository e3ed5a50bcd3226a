"""What builtin functions, methods and operators take, beside real Bazels: each expression of
`builtin_probes` in a package of its own, whose one target bears the value's text as a tag. An
expression that a release refuses is refused, and what it takes has its value."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.oracle.builtin_probes import probes
from tests.oracle.tagged_values import in_error, values_of, values_of_ours
from tests.support.bazel import Bazel

pytestmark = pytest.mark.oracle

_CRASHES = re.compile(r"^getattr\('', (?:1|\[\]|\{\}|\(\)|True|depset\(\))\)$")
"""What 2.1.0 dies of."""
_NOT_COMPARED = re.compile(
    # What it prints looks like an error; text is bytes there; how functions and modules are shown.
    r"print\(|[^\x00-\x7f]|^getattr\('', 'join'|^json$|^native$"
    # Of these it is left open what later releases do, or what stands for a token.
    r"|^\+1$|,\)$|^depset\(None\)$|^\{range\(3\): 1\}$"
)


@pytest.mark.parametrize("version", ["4.2.3", "2.1.0", "0.24.1"])
def test_each_release_takes_what_it_takes(
    version: str, warm_path: Path, bazel: Callable[[str], Bazel]
) -> None:
    asked = [text for text in probes() if not _CRASHES.match(text)]
    root = warm_path / "w"
    for number, text in enumerate(asked):
        folder = root / f"p{number}"
        folder.mkdir(parents=True)
        statement = f'filegroup(name = "ok", tags = [repr({text})])\n'
        (folder / "BUILD").write_text(statement, encoding="utf-8")
    (root / "WORKSPACE").write_text("")
    answer = bazel(version).query(root, "//...", "--output=xml")
    theirs = values_of(answer.stdout)
    for number in in_error(answer.stderr):
        theirs.pop(number, None)
    mine = values_of_ours(root, version, len(asked))
    compared = [n for n, text in enumerate(asked) if not _NOT_COMPARED.search(text)]
    different = [(asked[n], mine.get(n), theirs.get(n)) for n in compared]
    assert [one for one in different if one[1] != one[2]] == []
    assert len(theirs) > len(asked) / 4
