"""Lists and dicts of unknown texts, while a repository rule runs dry: what a program prints,
line by line or read as a table. Nobody knows how many lines there are."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, ClassVar

from bazelscope import starlark
from bazelscope.loading.dry_run_decisions import Assumed
from bazelscope.loading.unknown_text import shown_without_pieces
from bazelscope.loading.unknown_values import UnknownText


class UnknownSequence(starlark.Value):
    """The lines or words of a text that is unknown in parts: nobody knows how many there are;
    an unknown element stands for any number of them."""

    starlark_type: ClassVar[str] = "list"
    __slots__ = ("elements",)

    def __init__(self, elements: tuple[str, ...]) -> None:
        self.elements = elements

    @property
    def unknown(self) -> UnknownText:
        """The first unknown element."""
        return next(item for item in self.elements if isinstance(item, UnknownText))

    def index(self, key: object) -> object:
        if not isinstance(key, int):
            raise TypeError("got something else for sequence index, want int")
        first = next(i for i, item in enumerate(self.elements) if isinstance(item, UnknownText))
        if 0 <= key <= first:
            return self.elements[key]
        from_the_end = reversed(self.elements)
        last = next(i for i, item in enumerate(from_the_end) if isinstance(item, UnknownText))
        if -last <= key < 0:
            return self.elements[key]
        return self.unknown

    def iterate(self) -> Iterable[object]:
        return self.elements

    def length(self) -> Any:
        mine = self.unknown
        about = f"the number of parts of {mine.about}"
        return Assumed(mine.decisions, mine.unknown, about, len(self.elements), mine.plain)

    def contains(self, key: object) -> object:
        if any(item == key for item in self.elements if not isinstance(item, UnknownText)):
            return True
        shown = shown_without_pieces(starlark.str_of(key))
        return self.unknown.ask(f"has a part `{shown}`", False)

    def binary(self, op: str, other: object, reflected: bool) -> object:
        if op == "+" and isinstance(other, list | UnknownSequence):
            theirs = other.elements if isinstance(other, UnknownSequence) else other
            both = (theirs, self.elements) if reflected else (self.elements, theirs)
            return starlark.List([*both[0], *both[1]])
        return NotImplemented

    def equals(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, list | UnknownSequence):
            return False
        return same_sequence(self.elements, tuple(starlark.iterate(other)))

    def truth(self) -> bool:
        return len(self.elements) > 1 or self.unknown.truth()

    def to_repr(self) -> str:
        return starlark.repr_of(starlark.List(list(self.elements)))


class UnknownMapping(starlark.Value):
    """A dict made from an unknown text: it has every key, each with an unknown value."""

    starlark_type: ClassVar[str] = "dict"
    __slots__ = ("source",)

    def __init__(self, source: UnknownText) -> None:
        self.source = source

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
        return UnknownText.of(source.decisions.pieces.text_for(unknown), unknown, source.decisions)

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


def same_sequence(mine: tuple[object, ...], theirs: tuple[object, ...]) -> bool:
    """Whether two lists are equal, of which an element may stand for any number of others."""
    both = tuple(item for item in (*mine, *theirs) if isinstance(item, UnknownText))
    if not both:
        return False
    # The list that is unknown as a whole, rather than one of parts that are known.
    unknown = next((item for item in both if len(item.parts) == 1), both[0])
    if len(mine) == len(theirs):
        # Element by element: a known difference settles it.
        for one, other in zip(mine, theirs, strict=True):
            known = not isinstance(one, UnknownText) and not isinstance(other, UnknownText)
            if known and not starlark.equals(one, other):
                return False
    other = mine if any(item is unknown for item in theirs) else theirs
    shown = shown_without_pieces(", ".join(starlark.str_of(item) for item in other))
    return unknown.ask(f"is the list [{shown}]", False)


def first_unknown(elements: Iterable[object]) -> UnknownText | None:
    """The first unknown text among the elements."""
    return next((item for item in elements if isinstance(item, UnknownText)), None)
