"""Values that the files do not tell, as they flow through a Starlark evaluation.

A symbol of an unfetched file is an `Opaque`. Whatever is done with it gives another
`Opaque`; where the evaluation must decide something by it (a branch, a loop), or where it is
called with a `name` (which makes a target), its `Recorder` hears of it. While a repository rule
runs dry, a branch is decided by likelihood instead, and in text it is an unknown piece.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar, Protocol

from bazelscope import starlark
from bazelscope.base.unknown import Reason, Unknown


class Decider(Protocol):
    """Who decides by what is unknown, and names it in text, while a rule runs dry."""

    def decide(self, unknown: Unknown, about: str, predicate: str, likelier: bool) -> bool: ...

    def text_for(self, unknown: Unknown) -> str: ...


class Recorder(Protocol):
    """Who keeps count of what an evaluation could not know."""

    @property
    def decider(self) -> Decider | None: ...

    def record_unknown(self, unknown: Unknown) -> None: ...

    def declare_unknown_rule(
        self, rule: Opaque, arguments: tuple[object, ...], keywords: Mapping[str, object]
    ) -> None:
        """An opaque value was called with `name =`."""


class Opaque(starlark.Value):
    """An unknown value; `text` is how a reader would write it (`if_cuda(...)`)."""

    starlark_type: ClassVar[str] = "unknown"
    __slots__ = ("recorder", "text", "unknown")

    def __init__(self, unknown: Unknown, text: str, recorder: Recorder) -> None:
        self.unknown = unknown
        self.text = text
        self.recorder = recorder

    @property
    def name(self) -> str:
        """What a rule would be called that this is: `go_binary` of `go.go_binary`."""
        return self.text if "(" in self.text else self.text.rpartition(".")[2]

    def derive(self, text: str) -> Opaque:
        """Another value that is unknown for the same reason."""
        return Opaque(self.unknown, text if len(text) <= 80 else self.text, self.recorder)

    def __call__(self, *arguments: object, **keywords: object) -> object:
        if "name" in keywords:
            self.recorder.declare_unknown_rule(self, arguments, keywords)
        else:
            # It may have made targets all the same.
            self.recorder.record_unknown(self.as_unknown())
        return self.derive(f"{self.text}(...)" if arguments or keywords else f"{self.text}()")

    def as_unknown(self) -> Unknown:
        """What an attribute holds that was given this value."""
        if self.text == self.unknown.subject:
            return self.unknown
        return Unknown(
            Reason.DEPENDS_ON_UNKNOWN, self.text, str(self.unknown), self.unknown.location
        )

    def decides(self, what: str) -> None:
        """Notes that something (a condition, a loop) had to be decided by this value."""
        self.recorder.record_unknown(
            Unknown(
                Reason.DEPENDS_ON_UNKNOWN,
                self.text,
                f"{what} rests on it ({self.unknown})",
                self.unknown.location,
            )
        )

    def get_attr(self, name: str) -> object:
        return self.derive(f"{self.text}.{name}")

    def attr_names(self) -> Iterable[str]:
        return ()

    def truth(self) -> bool:
        decider = self.recorder.decider
        if decider is not None:
            # What the rule asked for is likelier there than not.
            return decider.decide(self.unknown, f"`{self.text}`", "is true", likelier=True)
        self.decides("a condition")
        return False

    def binary(self, op: str, other: object, reflected: bool) -> object:
        # A sum with a list keeps what is known of it. One with a string may stand in a list,
        # where a sum may not; but while a rule runs dry it is a text with an unknown piece.
        summands = list | dict if self.recorder.decider is None else list | dict | str
        if op == "+" and isinstance(other, summands):
            from bazelscope.loading.evaluation.values.select_value import concatenate

            return concatenate(other, self) if reflected else concatenate(self, other)
        shown = starlark.repr_of(other) if isinstance(other, str) else "..."
        return self.derive(
            f"{shown} {op} {self.text}" if reflected else f"{self.text} {op} {shown}"
        )

    def unary(self, op: str) -> object:
        return self.derive(f"{op}{self.text}")

    def index(self, key: object) -> object:
        shown = starlark.repr_of(key) if isinstance(key, str | int) else "..."
        return self.derive(f"{self.text}[{shown}]")

    def contains(self, key: object) -> object:
        decider = self.recorder.decider
        if decider is not None:
            shown = starlark.str_of(key)
            return decider.decide(self.unknown, f"`{self.text}`", f"has `{shown}` in it", False)
        self.decides("a condition")
        return False

    def iterate(self) -> Iterable[object]:
        self.decides("a loop")
        return ()

    def unpack(self, count: int) -> tuple[object, ...]:
        # A program that ran with the real value knew how many parts it has.
        return tuple(self.index(number) for number in range(count))

    def length(self) -> int:
        self.decides("a length")
        return 0

    def in_place_of(self, form: str) -> object:
        before, _, behind = form.rpartition("{}")  # A template may have braces of its own.
        return self.derive(f"{before}{self.text}{behind}")

    def in_text(self, form: str) -> object:
        # While a rule runs dry, the text has an unknown piece.
        return NotImplemented if self.recorder.decider is not None else self.in_place_of(form)

    def freeze(self) -> None:
        """Nothing to freeze."""

    def equals(self, other: object) -> bool:
        if self is other:
            return True
        decider = self.recorder.decider
        if decider is not None:
            shown = starlark.str_of(other)
            return decider.decide(self.unknown, f"`{self.text}`", f"is `{shown}`", False)
        self.decides("a comparison")
        return False

    def hash(self) -> int:
        return id(self)

    def compare(self, other: object) -> int:
        self.decides("an order")
        return 0

    def to_repr(self) -> str:
        return f"<unknown {self.text}>"

    def to_str(self) -> str:
        decider = self.recorder.decider
        return self.to_repr() if decider is None else decider.text_for(self.as_unknown())
