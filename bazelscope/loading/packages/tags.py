"""Filters by tag, as a `test_suite` has them in `tags` and options in their words."""

from __future__ import annotations

from collections.abc import Iterable, Set

from bazelscope.base.named_tuple import NamedTuple


class TagFilter(NamedTuple):
    """The tags that are wanted, and those that are not."""

    wanted: frozenset[str]
    unwanted: frozenset[str]

    def takes(self, tags: Set[str]) -> bool:
        """Whether tags have all that is wanted, as of a `test_suite`, and nothing unwanted."""
        return self.wanted <= tags and self.unwanted.isdisjoint(tags)

    def takes_any(self, tags: Set[str]) -> bool:
        """Whether tags have something that is wanted, as of an option, and nothing unwanted."""
        has_some = not self.wanted or not self.wanted.isdisjoint(tags)
        return has_some and self.unwanted.isdisjoint(tags)


def tag_filter(words: Iterable[str]) -> TagFilter:
    """Returns the filter that words make: `-tag` is not wanted, `tag` and `+tag` are; `manual` says
    nothing about others. Bazel: `TestTargetUtils.sortTagsBySense`."""
    wanted: set[str] = set()
    unwanted: set[str] = set()
    for word in words:
        if word.startswith("-"):
            unwanted.add(word[1:])
        elif word != "manual":
            wanted.add(word.removeprefix("+"))
    return TagFilter(frozenset(wanted), frozenset(unwanted))
