"""Files that ask for hours or gigabytes end within their budgets, each with its sentence.

A sample of the shortest; `scripts/hostile.py floods` runs all.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.hostile.floods import Flood, floods
from tests.hostile.judge import fault_of
from tests.hostile.trial import run, write_tree

SAMPLE = frozenset(
    {
        *("struct-str", "struct-key", "tuple_nested-key", "select-nothing", "select-str"),
        *("json-indent", "loop-glob", "append-on-a-cycle-cquery", "regex-0-filt"),
        *("depset-equal", "source-brackets", "source-assignments", "list-nothing"),
        "repositories-read",
    }
)


@pytest.mark.parametrize(
    "flood", [one for one in floods() if one.name in SAMPLE], ids=lambda flood: flood.name
)
def test_a_flood_ends(tmp_path: Path, flood: Flood) -> None:
    root = tmp_path / "w"
    write_tree(root, flood.files)
    ending = run(root, [*flood.words, "--no-cache", *flood.options])
    assert fault_of(flood, ending) == ""
