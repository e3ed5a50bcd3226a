"""How a dry run goes on where it must decide by something that it cannot know.

Whether a program succeeds, or a file of the machine exists, is not in the files. A dry run
assumes the likelier answer and notes that it did; where the rule then fails (`fail(...)`), the
assumption was wrong for every build that works, and the run is repeated with the other one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import ClassVar

from bazelscope import starlark
from bazelscope.unknown import Unknown


@dataclass(frozen=True, slots=True)
class Decision:
    """One branch that rests on an unknown: what was assumed, and the likelier answer."""

    unknown: Unknown
    choice: bool
    likelier: bool


@dataclass(slots=True)
class Decisions:
    """The decisions of one run: the first ones prescribed, the others the likelier."""

    script: tuple[bool, ...] = ()
    made: list[Decision] = field(default_factory=list)

    def decide(self, unknown: Unknown, likelier: bool) -> bool:
        index = len(self.made)
        choice = self.script[index] if index < len(self.script) else likelier
        self.made.append(Decision(unknown, choice, likelier))
        return choice


def next_script(made: Iterable[Decision]) -> tuple[bool, ...] | None:
    """The next combination to try after a run that failed; None where there is none left.

    The deepest decision that still has its likelier answer is turned around.
    """
    remaining = list(made)
    while remaining:
        last = remaining.pop()
        if last.choice == last.likelier:
            return (*(decision.choice for decision in remaining), not last.choice)
    return None


class Assumed(starlark.Value):
    """An unknown number or truth value; decisions assume that it is `value`."""

    starlark_type: ClassVar[str] = "int"
    __slots__ = ("decisions", "unknown", "value")

    def __init__(self, decisions: Decisions, unknown: Unknown, value: int) -> None:
        self.decisions = decisions
        self.unknown = unknown
        self.value = value

    def get_attr(self, name: str) -> object:
        raise AttributeError(name)

    def attr_names(self) -> Iterable[str]:
        return ()

    def truth(self) -> bool:
        return self.decisions.decide(self.unknown, bool(self.value))

    def equals(self, other: object) -> bool:
        if not isinstance(other, int):
            return self is other
        return self.decisions.decide(self.unknown, self.value == other)

    def binary(self, op: str, other: object, reflected: bool) -> object:
        # Arithmetic of unknown numbers is as unknown; the assumed value is as good as another.
        return Assumed(self.decisions, self.unknown, self.value)

    def compare(self, other: object) -> int:
        wanted = other.value if isinstance(other, Assumed) else other
        if not isinstance(wanted, int):
            raise TypeError("int")
        order = (self.value > wanted) - (self.value < wanted)
        return order if self.decisions.decide(self.unknown, True) else -order or 1

    def hash(self) -> int:
        return hash(self.value)

    def freeze(self) -> None:
        """Immutable already."""

    def to_repr(self) -> str:
        return str(self.value)

    def to_str(self) -> str:
        return str(self.value)
