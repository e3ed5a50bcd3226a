"""Workspaces that a test writes."""

from __future__ import annotations

import fcntl
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path


def write_files(root: Path, files: Mapping[str, str]) -> None:
    """Writes texts by their paths below `root`, and makes the folders that they need."""
    made: set[Path] = set()
    for path, text in files.items():
        file = root / path
        if file.parent not in made:
            file.parent.mkdir(parents=True, exist_ok=True)
            made.add(file.parent)
        # Tens of thousands are written in a run: buffers would be made for each.
        with file.open("wb", buffering=0) as out:
            out.write(text.encode())


def clear(folder: Path, keep: str = "") -> None:
    """Removes all that is in a folder but the entry `keep`. The folder itself stays: it may be
    where a server works."""
    for path in folder.iterdir():
        if path.name == keep:
            continue
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()


@contextmanager
def locked(file: Path) -> Iterator[None]:
    """Keeps out the other processes of a test run, which wait: what takes both processors for a
    minute is not to be done twice at a time."""
    with file.with_name(f"{file.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
