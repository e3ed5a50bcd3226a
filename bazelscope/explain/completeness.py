"""How much of what an answer rests on is known, and what is not."""

from __future__ import annotations

from dataclasses import dataclass

from bazelscope.unknown import Unknown


@dataclass(frozen=True, slots=True)
class Count:
    """How many of `total` things of one kind are known from the workspace's own files,
    rest on a model that bazelscope ships, or are unknown."""

    what: str
    total: int
    modelled: int = 0
    unknown: int = 0

    @property
    def known(self) -> int:
        return self.total - self.unknown


@dataclass(frozen=True, slots=True)
class Completeness:
    """The foot of an answer: counts, and the unknowns that could change it.

    `packages_in_error` are packages that Bazel would not load whole; answers that rest on
    one are partial.
    """

    counts: tuple[Count, ...] = ()
    unknowns: tuple[Unknown, ...] = ()
    packages_in_error: tuple[str, ...] = ()

    @property
    def is_complete(self) -> bool:
        return not self.unknowns and not self.packages_in_error


COMPLETE = Completeness()
"""Nothing was needed that is not known."""
