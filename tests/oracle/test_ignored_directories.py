"""What real Bazels leave out of a workspace: the tables that ours is held to."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support import ignored_directories as measured
from tests.support.bazel import Bazel
from tests.support.files import write_files

pytestmark = pytest.mark.oracle


@pytest.mark.parametrize("version", ["2.1.0", "4.2.3"])
def test_the_tables_are_as_measured(
    warm_root: Path, bazel: Callable[[str], Bazel], version: str
) -> None:
    write_files(warm_root, measured.FILES)
    ignore = warm_root / ".bazelignore"
    different = {}
    for text, left_out in measured.LEFT_OUT.items():
        ignore.write_text(text, newline="")
        found = bazel(version).query(warm_root, measured.EVERYTHING).checked().lines
        if set(found) != {*measured.WHOLE} - {*left_out}:
            different[text] = found
    ignore.write_text("a")
    for target, message in measured.MESSAGES.items():
        said = bazel(version).query(warm_root, f'"{target}"', measured.OPTION).stderr
        if message not in said:
            different[target] = (said,)
    assert not different
