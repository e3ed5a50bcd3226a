"""What `--universe_scope` holds: all that `query` without an order knows of.

Bazel: `SkyQueryEnvironment`, `GraphBackedRecursivePackageProvider`.
"""

from __future__ import annotations

from collections.abc import Iterable

from bazelscope.base.label import Label, PackageId, TargetPattern


class Universe:
    """The patterns of a universe, and the packages that it comes to."""

    def __init__(self, patterns: Iterable[TargetPattern]) -> None:
        """What follows a pattern and begins with `-` takes folders from it, if they lie below;
        single targets and packages it leaves there."""
        given = list(patterns)
        self.packages: set[PackageId] = set()
        self.patterns: dict[TargetPattern, list[PackageId]] = {
            pattern: [
                late.label.package_id
                for late in given[index + 1 :]
                if late.excluded and late.recursive and _is_below(late.label, pattern.label)
            ]
            for index, pattern in enumerate(given)
            if not pattern.excluded
        }

    def has(self, pattern: TargetPattern, label: Label | PackageId) -> bool:
        """Whether the targets that one of the universe's patterns matches have `label`."""
        return not any(_is_below(label, folder) for folder in self.patterns[pattern])

    def looks_through(self, folder: Label) -> bool:
        """Whether every package below a folder is part of a pattern. Bazel:
        `TargetPattern.containsAllTransitiveSubdirectoriesForTBD`."""
        return any(
            pattern.recursive
            and _is_below(folder, pattern.label)
            and not any(_is_below(out, folder) or _is_below(folder, out) for out in excluded)
            for pattern, excluded in self.patterns.items()
        )


def _is_below(inner: Label | PackageId, outer: Label | PackageId) -> bool:
    """Whether a package is another, or lies below it."""
    if inner.repository != outer.repository:
        return False
    return not outer.package or f"{inner.package}/".startswith(f"{outer.package}/")
