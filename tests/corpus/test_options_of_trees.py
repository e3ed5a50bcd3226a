"""Every option in the rc files of public trees has its sentence, where the environment names trees
(`BAZELSCOPE_RC_TREES`: a folder of trees)."""

from __future__ import annotations

import re

import pytest

from bazelscope.bazel.option_summaries import summary
from bazelscope.bazel.option_table import option_table
from tests.support.parts import need_sibling

pytestmark = pytest.mark.corpus

_OPTION = re.compile(r"(?<!\S)--([a-z_0-9]+)")
_DEPTH = 4


def test_every_option_of_rc_files_has_a_sentence() -> None:
    folder = need_sibling("BAZELSCOPE_RC_TREES", "trees")
    known = frozenset(option_table().names)
    used: set[str] = set()
    for tree in folder.iterdir():
        for file in tree.glob("**/*bazelrc*"):
            if file.is_file() and len(file.relative_to(tree).parts) <= _DEPTH:
                used |= _options_of(file.read_text(encoding="utf-8", errors="replace"), known)
    assert len(used) > 50
    assert sorted(name for name in used if not summary(name)) == []


def _options_of(text: str, known: frozenset[str]) -> set[str]:
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    names = [name for line in lines for name in _OPTION.findall(line)]
    plain = [name if name in known else name.removeprefix("no") for name in names]
    return {name for name in plain if name in known}
