"""What `affected` tells of edits that move, shadow, link or hide files, beside brute force with a
real Bazel 4.2.3: one edit of each kind, and several at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.oracle import affected_files
from tests.oracle.affected_oracle import check, compare
from tests.support.bazel import Bazel

pytestmark = [pytest.mark.oracle, pytest.mark.slow]


@pytest.mark.parametrize(
    "kinds", (affected_files.EDITS, affected_files.TOGETHER), ids=("one", "several")
)
def test_edits_of_where_files_lie(
    bazel: Callable[[str], Bazel], warm_path: Path, kinds: Mapping[str, Callable[[Path], None]]
) -> None:
    root = warm_path / "w"
    flags = affected_files.write(root)
    edits = iter(kinds.items())

    def edit(root: Path) -> str:
        name, change = next(edits)
        change(root)
        return name

    count = compare(
        bazel("4.2.3"),
        root,
        ("//f:all", "//tc:all", "//plain:all", "//p0:all", "@ext//:all", "@newly//:all"),
        flags,
        edit,
        len(kinds),
        warm_path / "cache",
    )
    check(count)
    assert count.needed
