"""Numbers with their nouns."""

from __future__ import annotations


def plural(count: int, noun: str, nouns: str = "") -> str:
    """`1 package`, `2 packages`, `1,000 packages`."""
    return f"{count:,} {noun if count == 1 else nouns or noun + 's'}"
