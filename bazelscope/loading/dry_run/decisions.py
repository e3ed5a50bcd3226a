"""How a dry run goes on where it must decide by something that it cannot know.

Whether a program succeeds, or a file of the machine exists, is not in the files. A dry run
assumes the likelier answer and notes that it did; where the rule then fails (`fail(...)`), the
assumption was wrong for every build that works, and the run is repeated with the other one.
The same question has the same answer throughout a run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from typing import Any, ClassVar

from bazelscope import starlark
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.loading.dry_run.unknown_pieces import UnknownPieces

Question = tuple[Unknown, str, str]
"""What is unknown, the text that it is about, and what might be so."""

_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_NEGATED = {"is": "is not", "has": "does not have", "exists": "does not exist"}


@dataclass(frozen=True, slots=True)
class Decision:
    """One branch that rests on an unknown: what was asked, and the likelier answer."""

    unknown: Unknown
    about: str
    """What the question is about: `its output`."""
    predicate: str
    """What it might be or do: `is empty`."""
    choice: bool
    likelier: bool
    is_of_text: bool = False
    """Whether it is about what a text says, and not about what there is."""

    @property
    def is_of_file(self) -> bool:
        """Whether it is about what a file says that nobody has. Of what programs print there is a
        usual answer, for machines are set up alike; of files there is none."""
        return self.is_of_text and self.unknown.reason is not Reason.RUNS_PROGRAM

    @property
    def statement(self) -> str:
        """What was assumed: `its output is not empty`."""
        if self.choice:
            return f"{self.about} {self.predicate}"
        verb, _, rest = self.predicate.partition(" ")
        negated = _NEGATED.get(verb) or f"does not {verb.removesuffix('s')}"
        return f"{self.about} {negated} {rest}".rstrip()

    def assumption(self, is_forced: bool) -> Unknown:
        """The assumption, for who reads an answer that rests on it. `is_forced`: with the other
        answer the rule fails, so that every build that works bears it out."""
        why = ", since the rule fails otherwise" if is_forced else ""
        unknown = self.unknown
        detail = f"assumed that {self.statement}{why}"
        return Unknown(Reason.DEPENDS_ON_UNKNOWN, unknown.subject, detail, unknown.location)


@dataclass(slots=True)
class Decisions:
    """The decisions of one run: the first ones prescribed, the others the likelier; `preferred`
    are answers to questions that another run has come to its end with."""

    script: tuple[bool, ...] = ()
    preferred: Mapping[Question, bool] = field(default_factory=dict)
    parts: int = 1
    """How many lines or words a text of unknown length is taken to have."""
    pieces: UnknownPieces = field(default_factory=UnknownPieces)
    text_with_pieces: Callable[[str], str] = str
    """Makes a value that knows of the unknown pieces of a text."""
    made: list[Decision] = field(default_factory=list)
    answers: dict[Question, bool] = field(default_factory=dict)
    _bounds: dict[tuple[Unknown, str], tuple[float, float]] = field(default_factory=dict)

    def decide(
        self,
        unknown: Unknown,
        about: str,
        predicate: str,
        likelier: bool,
        text: str = "",
        is_of_text: bool = True,
    ) -> bool:
        """Whether what `about` names is so; a repeated question is no new decision. `text`
        tells apart what `about` words alike."""
        key = (unknown, text or about, predicate)
        known = self.answers.get(key)
        if known is not None:
            return known
        index = len(self.made)
        likelier = self.preferred.get(key, likelier)
        choice = self.script[index] if index < len(self.script) else likelier
        self.made.append(Decision(unknown, about, predicate, choice, likelier, is_of_text))
        self.answers[key] = choice
        return choice

    def text_for(self, unknown: Unknown) -> str:
        """The piece of text that stands for what is unknown."""
        return self.pieces.text_for(unknown)

    def equals(self, number: Assumed, other: int) -> bool:
        """Whether an unknown number is `other`."""
        key = (number.unknown, number.identity)
        low, high = self._bounds.get(key, (float("-inf"), float("inf")))
        if not low <= other <= high:
            return False
        if low == high:
            return True
        likelier = number.value == other
        asked = f"is {other}"
        if self.decide(number.unknown, number.about, asked, likelier, number.identity):
            self._bounds[key] = (other, other)
            return True
        return False

    def reaches(self, number: Assumed, other: int) -> bool:
        """Whether an unknown number of a rule (cores, say, or a version of its own) is `other` or
        more."""
        key = (number.unknown, number.identity)
        low, high = self._bounds.get(key, (float("-inf"), float("inf")))
        if other <= low or other > high:
            return other <= low
        asked = f"is {other} or more"
        likelier = number.value >= other
        if self.decide(number.unknown, number.about, asked, likelier, number.identity):
            self._bounds[key] = (other, high)
            return True
        self._bounds[key] = (low, other - 1)
        return False


def next_script(made: Iterable[Decision], fixed: int = 0) -> tuple[bool, ...] | None:
    """The next combination to try after a run that failed; None where there is none left.

    The deepest decision that still has its likelier answer is turned around; the first `fixed`
    decisions stay.
    """
    remaining = list(made)
    while len(remaining) > fixed:
        last = remaining.pop()
        if last.choice == last.likelier:
            return (*(decision.choice for decision in remaining), not last.choice)
    return None


@dataclass(slots=True, eq=False, repr=False)
class Assumed(starlark.Value):
    """An unknown number; decisions assume that it is `value`. In text it is `text`."""

    starlark_type: ClassVar[str] = "int"
    decisions: Decisions
    unknown: Unknown
    about: str
    value: int
    text: str

    def in_place_of(self, form: str) -> object:
        return self if form == "int({})" else NotImplemented

    def in_text(self, text: str, form: str) -> object:
        return self.decisions.text_with_pieces(text)

    def stand_in(self) -> object:
        return self.value

    @property
    def identity(self) -> str:
        """What tells this number apart from others that are worded alike."""
        return f"{self.about} {self.text}"

    def truth(self) -> bool:
        return not self.decisions.equals(self, 0)

    def equals(self, other: object) -> bool:
        if isinstance(other, Assumed):
            return self is other or (self.text, self.about) == (other.text, other.about)
        return isinstance(other, int) and self.decisions.equals(self, other)

    def binary(self, op: str, other: object, reflected: bool) -> object:
        if op in _MIRRORED and isinstance(other, int):
            return self.ordered(_MIRRORED[op] if reflected else op, other)
        # Arithmetic of unknown numbers is as unknown; the assumed value is as good as another.
        shown = f"... {op} {self.about}" if reflected else f"{self.about} {op} ..."
        return Assumed(self.decisions, self.unknown, shown, self.value, self.text)

    def ordered(self, op: str, other: int) -> bool:
        """`self op other` for the operators of order."""
        more = op in (">", ">=")
        limit = other + 1 if op in (">", "<=") else other
        return self.decisions.reaches(self, limit) is more

    def compare(self, other: Any) -> int:
        wanted = other.value if isinstance(other, Assumed) else other
        if not isinstance(wanted, int):
            raise TypeError("int")
        if self.decisions.equals(self, wanted):
            return 0
        return 1 if self.decisions.reaches(self, wanted) else -1

    def hash(self) -> int:
        return hash(self.text)

    def to_repr(self) -> str:
        return self.text

    def to_str(self) -> str:
        return self.text
