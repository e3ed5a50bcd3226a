"""What real Bazels say of the entries of a package_group: the table that ours is held to."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.bazel import Bazel
from tests.support.files import write_files
from tests.support.package_entries import MEASURED

pytestmark = pytest.mark.oracle


@pytest.mark.parametrize("version", ["2.1.0", "4.2.3"])
def test_the_table_is_as_measured(
    warm_root: Path, bazel: Callable[[str], Bazel], version: str
) -> None:
    files = {"WORKSPACE": ""}
    for number, entry in enumerate(MEASURED):
        files[f"p{number}/BUILD"] = f"package_group(name = 'g', packages = [{entry!r}])\n"
    write_files(warm_root, files)
    errors = bazel(version).query(warm_root, "//...").errors
    for number, told in enumerate(MEASURED.values()):
        said = [line for line in errors if f"/p{number}/BUILD:" in line]
        assert len(said) == bool(told)
        assert all(line.endswith(f"invalid package name {told}") for line in said)
