"""What real Bazels make of programs of repository rules: the table that ours is held to."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support import repository_programs as measured
from tests.support.bazel import Bazel
from tests.support.files import write_files

pytestmark = pytest.mark.oracle


@pytest.mark.parametrize("version", measured.MEASURED)
def test_the_table_is_as_measured(
    warm_root: Path, bazel: Callable[[str], Bazel], version: str
) -> None:
    write_files(warm_root, measured.files())
    answer = bazel(version).query(warm_root, measured.QUESTION, "--output=xml", "--keep_going")
    assert measured.told(answer.stdout) == measured.MEASURED[version]
