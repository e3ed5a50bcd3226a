"""Conditions on Bazel's version, as `try-import-if-bazel-version` writes them."""

from __future__ import annotations

import re

from bazelscope.bazel.release import Version

_CONDITION = re.compile(r"(>=|<=|==|!=|>|<|~)(\d+)(?:\.(\d+))?(?:\.(\d+))?([-+].*)?")


def holds(condition: str, version: Version) -> bool | None:
    """Whether `version` meets a condition such as `>=8.0.0` or `~8.1`; None if it is none.

    Comparisons need a whole version. `~8` covers every 8.x; `~8.1` and `~8.1.2` end before
    8.2. A prerelease sorts before its release.
    """
    match = _CONDITION.fullmatch(condition)
    if match is None:
        return None
    operator, major, minor, patch, suffix = match.groups()
    if operator == "~":
        lowest = Version(int(major), int(minor or 0), int(patch or 0))
        if minor is None:
            return lowest <= version < Version(int(major) + 1, 0, 0)
        return lowest <= version < Version(int(major), int(minor) + 1, 0)
    if minor is None or patch is None:
        return None
    final = suffix is None or not suffix.startswith("-")
    wanted = Version(int(major), int(minor), int(patch), final)
    results = {
        ">": version > wanted,
        ">=": version >= wanted,
        "<": version < wanted,
        "<=": version <= wanted,
        "==": version == wanted,
        "!=": version != wanted,
    }
    return results[operator]
