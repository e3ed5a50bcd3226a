"""How many files stay in a directory of kept files, and of how many bytes together."""

from __future__ import annotations

import os
from pathlib import Path

from bazelscope.kept.kept_files import KeptFiles


def _written(files: KeptFiles, names: str, size: int = 100) -> set[str]:
    """Writes files, each later than the one before, and returns which of them are left."""
    for number, name in enumerate(names):
        files.write(name, b"x" * size)
        os.utime(Path(files.directory, name), (number, number))
    return {path.name for path in Path(files.directory).iterdir()}


def test_those_that_were_written_last_are_left(tmp_path: Path) -> None:
    assert _written(KeptFiles(tmp_path / "kept", most=3), "abcde") == set("cde")


def test_together_they_have_no_more_than_so_many_bytes(tmp_path: Path) -> None:
    one = _size(tmp_path)
    files = KeptFiles(tmp_path / "kept", largest=2 * one)
    assert _written(files, "abcd") == set("cd")


def test_the_last_one_is_left_however_large(tmp_path: Path) -> None:
    files = KeptFiles(tmp_path / "kept", largest=10)
    assert _written(files, "ab") == {"b"}


def _size(tmp_path: Path) -> int:
    files = KeptFiles(tmp_path / "measured")
    files.write("a", b"x" * 100)
    return (tmp_path / "measured" / "a").stat().st_size
