"""Which flags decide facts of loading that a release has by default."""

from __future__ import annotations

from bazelscope.bazel.facts.fact import tables

FLAGS_OF_FACTS: dict[str, tuple[str, bool]] = {
    flag: (words[-1], words[0] == "not")
    for flag, words in tables("flags_of_facts")["flags of facts"].items()
}
"""A flag, and the fact that it decides; True where the fact is the opposite of the flag."""
