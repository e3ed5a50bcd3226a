"""What builtins have, by `hasattr`: the table that ours is held to."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.bazel import Bazel
from tests.support.files import write_files
from tests.support.members_of_releases import FILES, MEASURED

pytestmark = pytest.mark.oracle


@pytest.mark.parametrize("version", MEASURED)
def test_the_table_is_as_measured(
    warm_root: Path, bazel: Callable[[str], Bazel], version: str
) -> None:
    write_files(warm_root, FILES)
    found = bazel(version).query(warm_root, "//:all").checked().lines
    assert {line.removeprefix("//:") for line in found} == set(MEASURED[version].split())
