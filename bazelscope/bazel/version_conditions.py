"""Conditions on Bazel's version, as `try-import-if-bazel-version` and modules write them."""

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


def module_may_use(condition: str, version: Version) -> bool:
    """Whether a module with this `bazel_compatibility` condition may be used; `-6.1.0` is every
    version but that one. Bazel: `BazelCompatibilityMode`, `BazelVersion.satisfiesCompatibility`,
    which compares releases alone: a prerelease is as good as its release.
    """
    operator = condition[:2] if condition[1:2] == "=" else condition[:1]
    wanted = Version.parse(condition[len(operator) :])
    if wanted is None:
        return True
    numbers, limit = version[:3], wanted[:3]
    return {
        ">": numbers > limit,
        ">=": numbers >= limit,
        "<": numbers < limit,
        "<=": numbers <= limit,
        "-": numbers != limit,
    }.get(operator, True)
