"""Where transitions stand on the way to a target, and how what they set is marked."""

from __future__ import annotations

from bazelscope.base.named_tuple import NamedTuple
from bazelscope.loading.packages.targets import Rule

SET_BY = "transition "
"""How the text of a value begins that a transition sets."""


class Step(NamedTuple):
    """One transition on the way to a target: of an attribute of `rule`, or of the rule
    itself (`attribute` is None)."""

    rule: Rule
    attribute: str | None
