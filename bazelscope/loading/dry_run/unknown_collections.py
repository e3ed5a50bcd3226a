"""Lists and dicts of unknown texts, while a repository rule runs dry: what a program prints,
line by line or read as a table. Nobody knows how many lines there are."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, ClassVar

from bazelscope import starlark
from bazelscope.loading.dry_run.decisions import Assumed
from bazelscope.loading.dry_run.text_with_pieces import TextWithPieces
from bazelscope.loading.dry_run.unknown_pieces import shown_without_pieces


class UnknownSequence(starlark.Value):
    """The lines or words of a text that is unknown in parts: nobody knows how many there are;
    an unknown part stands for any number of them."""

    starlark_type: ClassVar[str] = "list"
    __slots__ = ("elements",)

    def __init__(self, elements: tuple[str, ...]) -> None:
        self.elements = elements

    @property
    def unknown(self) -> TextWithPieces:
        """The first unknown part."""
        return next(part for part in self.elements if isinstance(part, TextWithPieces))

    def in_place_of(self, form: str) -> object:
        if form == "{}[... : ...]":
            # Which lines these are hangs on how many the unknown part stands for.
            return UnknownSequence((self.unknown,))
        return UnknownMapping(self.unknown) if form == "dict({})" else NotImplemented

    def in_text(self, text: str, form: str) -> object:
        return self.unknown.in_text(text, form)

    def stand_in(self) -> object:
        return starlark.List(self.elements)

    def index(self, key: object) -> object:
        if not isinstance(key, int):
            raise TypeError("got something else for sequence index, want int")
        first = next(i for i, part in enumerate(self.elements) if isinstance(part, TextWithPieces))
        if 0 <= key <= first:
            return self.elements[key]
        from_the_end = reversed(self.elements)
        last = next(i for i, part in enumerate(from_the_end) if isinstance(part, TextWithPieces))
        return self.elements[key] if -last <= key < 0 else self.unknown

    @property
    def parts(self) -> tuple[str, ...]:
        """The elements; those that are unknown as ones of many."""
        return tuple(
            part.again(part.decisions.pieces.many(part.plain))
            if isinstance(part, TextWithPieces)
            else part
            for part in self.elements
        )

    def iterate(self) -> Iterable[object]:
        missing = self.unknown.decisions.parts - len(self.elements)
        return (*self.parts, *([self.unknown] * missing)) if missing > 0 else self.parts

    def length(self) -> Any:
        mine = self.unknown
        about = f"the number of parts of {mine.about}"
        return Assumed(mine.decisions, mine.unknown, about, len(self.elements), mine.plain)

    def contains(self, key: object) -> object:
        if any(part == key for part in self.elements if not isinstance(part, TextWithPieces)):
            return True
        shown = shown_without_pieces(starlark.str_of(key))
        return self.unknown.ask(f"has a part `{shown}`", False)

    def binary(self, op: str, other: object, reflected: bool) -> object:
        if op == "+" and isinstance(other, list | UnknownSequence):
            theirs = other.parts if isinstance(other, UnknownSequence) else other
            both = (theirs, self.parts) if reflected else (self.parts, theirs)
            return starlark.List([*both[0], *both[1]])
        return NotImplemented

    def equals(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, list | UnknownSequence):
            return False
        return starlark.equals(self.parts, tuple(starlark.iterate(other)))

    def truth(self) -> bool:
        return len(self.elements) > 1 or self.unknown.truth()

    def to_repr(self) -> str:
        return starlark.repr_of(starlark.List(list(self.elements)))


class UnknownMapping(starlark.Value):
    """A dict made from an unknown text: it has every key, each with an unknown value."""

    starlark_type: ClassVar[str] = "dict"
    __slots__ = ("source",)

    def __init__(self, source: TextWithPieces) -> None:
        self.source = source

    def in_place_of(self, form: str) -> object:
        return self if form == "dict({})" else NotImplemented

    def in_text(self, text: str, form: str) -> object:
        return self.source.in_text(text, form)

    def get_attr(self, name: str) -> object:
        if name in ("get", "pop", "setdefault"):
            return starlark.Builtin(name, lambda key, *_: self.index(key))
        if name in ("keys", "values"):
            return starlark.Builtin(name, lambda: UnknownSequence((self.source,)))
        if name == "items":
            return starlark.Builtin(name, lambda: starlark.List([(self.source, self.source)]))
        if name == "update":
            return starlark.Builtin(name, lambda *_, **__: None)
        raise AttributeError(name)

    def index(self, key: object) -> object:
        """The value of a key: as unknown as the text, and a piece of its own."""
        source = self.source
        shown = shown_without_pieces(starlark.str_of(key))
        subject = f"{source.unknown.subject}[{shown}]"
        unknown = replace(source.unknown, subject=subject)
        return type(source).of(source.decisions.pieces.text_for(unknown), unknown, source.decisions)

    def set_index(self, key: object, value: object) -> None:
        """What is set is not kept: any look-up gives the unknown value."""

    def iterate(self) -> Iterable[object]:
        return (self.source,)

    def length(self) -> Any:
        return UnknownSequence((self.source,)).length()

    def contains(self, key: object) -> object:
        shown = shown_without_pieces(starlark.str_of(key))
        return self.source.ask(f"names `{shown}`", True)

    def to_repr(self) -> str:
        return "{" + self.source.plain + "}"
