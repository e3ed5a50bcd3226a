"""Numbers with their nouns."""

from __future__ import annotations


def plural(count: int, noun: str, nouns: str = "") -> str:
    """`1 package`, `2 packages`, `1,000 packages`."""
    return f"{count:,} {noun if count == 1 else nouns or noun + 's'}"


_EXACT = 10**9


def count_text(count: int) -> str:
    """`1,234`; `about 1.4e+38` for what is beyond counting."""
    return f"{count:,}" if count < _EXACT else f"about {count:.1e}"
