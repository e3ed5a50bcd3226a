"""Golden files: rendered text kept under tests/golden, compared whole.

    BAZELSCOPE_REGENERATE=1 python -m pytest tests/unit/questions tests/unit/render

writes every golden file anew; read the difference before it is committed.
"""

from __future__ import annotations

import os
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "golden"


def check_golden(name: str, text: str) -> None:
    """Compares `text` with the golden file `name`, or writes it."""
    path = FOLDER / name
    if os.environ.get("BAZELSCOPE_REGENERATE"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert path.exists(), f"{name} is new: run with BAZELSCOPE_REGENERATE=1"
    assert text == path.read_text(encoding="utf-8")


def rows(text: str) -> list[str]:
    """The lines of an answer with their columns apart by one space."""
    return [" ".join(line.split()) for line in text.splitlines()]
