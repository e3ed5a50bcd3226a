"""Bazel versions as ordered values, for the behaviours that changed from one to another."""

from __future__ import annotations

import re
from functools import lru_cache


@lru_cache(maxsize=64)
def version_key(text: str) -> tuple[int, ...]:
    """`4.2.3` as `(4, 2, 3)`; a pre-release or fork suffix does not count.

    A text without a leading number (a development build) is newer than everything.
    """
    found = re.match(r"\d+(?:\.\d+)*", text.strip())
    if found is None:
        return (1_000_000,)
    return tuple(int(part) for part in found.group().split("."))


def at_least(version: str, *wanted: int) -> bool:
    """Whether `version` is `wanted` or newer: `at_least("4.2.3", 4, 1)`."""
    return version_key(version) >= wanted
