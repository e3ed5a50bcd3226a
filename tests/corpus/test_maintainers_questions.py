"""Sixty questions that maintainers of trees with modules ask, with the line that decides each.

`maintainers_questions.txt` has them; `BAZELSCOPE_MODULE_TREES` names a folder with checkouts of any
recent commit. A row names the tree, what is asked, the file, and the text of the line which
decides: where that stands is found by reading the file, and the answer has to name the place. A
tree that has no such line any more is passed over for that question.
"""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from bazelscope.cli import main
from tests.support.parts import need_sibling, need_within

pytestmark = pytest.mark.corpus

_QUESTIONS = Path(__file__).with_name("maintainers_questions.txt").read_text()
_ROWS = [tuple(part.strip() for part in row.split("|")) for row in _QUESTIONS.splitlines() if row]


def _place(tree: Path, file: str, text: str) -> str | None:
    """Where the deciding text begins, or the place itself."""
    if not text:
        return file
    written = (tree / file).read_text()
    at = written.find(text.replace("\\n", "\n"))
    return f"{file}:{written.count(chr(10), 0, at) + 1}" if at >= 0 else None


def test_there_are_sixty() -> None:
    assert len(_ROWS) >= 60


@pytest.mark.parametrize(
    ("name", "words", "file", "text"), _ROWS, ids=lambda part: part.replace("/", "_")
)
def test_the_answer_names_the_line_that_decides(
    capfd: pytest.CaptureFixture[str],
    trees_cache: Path,
    name: str,
    words: str,
    file: str,
    text: str,
) -> None:
    tree = need_within(need_sibling("BAZELSCOPE_MODULE_TREES", "trees/modules"), name)
    place = _place(tree, file, text)
    # A tree of another day may ask otherwise: then the row is to be written anew, not passed over.
    assert place is not None, f"{file} of {name} has no line `{text}`"
    kept = ("--cache-dir", str(trees_cache))
    main([*shlex.split(words), "-w", str(tree), *kept, "--full"])
    said = capfd.readouterr().out
    assert place in said.split() or f"{place}," in said.split(), said[:3000]
