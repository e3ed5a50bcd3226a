"""One sentence for each option that people use: what it does, and when one wants it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path


def summary(name: str) -> str:
    """The sentence about the option of that canonical name; empty where there is none."""
    return _summaries().get(name, "")


@cache
def _summaries() -> Mapping[str, str]:
    path = Path(__file__).with_name("option_summaries.txt")
    lines = path.read_text(encoding="utf-8").splitlines()
    return dict(line.split(": ", 1) for line in lines)
