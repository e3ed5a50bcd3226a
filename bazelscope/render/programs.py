"""Where the programs are that bazelscope runs for its user: `dot` and the pager.

A workspace may be hostile, and a `PATH` may name the working directory, so that a file of
the workspace would be run. Only absolute folders of `PATH` outside the workspace count.
"""

from __future__ import annotations

import os
from pathlib import Path


def find_program(name: str, keep_out: Path | None = None) -> Path | None:
    """The program of that name that `PATH` leads to first, in none of the folders below
    `keep_out`. A `name` with a slash is a file that the user has named."""
    if Path(name).name != name:
        return Path(name) if _runs(Path(name)) else None
    forbidden = keep_out.resolve() if keep_out is not None else None
    if forbidden is not None and forbidden == Path(forbidden.anchor):
        forbidden = None  # A workspace that is the whole machine.
    endings = os.environ.get("PATHEXT", ".EXE").split(os.pathsep) if os.name == "nt" else [""]
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        for ending in endings:
            program = Path(folder, name + ending)
            if Path(folder).is_absolute() and _runs(program):
                places = (program.parent.resolve(), program.resolve())
                if forbidden is None or not any(p.is_relative_to(forbidden) for p in places):
                    return program
    return None


def _runs(program: Path) -> bool:
    try:
        return program.is_file() and os.access(program, os.X_OK)
    except (OSError, ValueError):
        return False
