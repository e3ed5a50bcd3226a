"""Values that stand for what a program would print, while a repository rule runs dry.

Such a text is a string to the rule: its unknown pieces (see `unknown_pieces`) stay in what is made
from it, and what is known around them stays known. A question that only an unknown piece can
answer is a decision (see `decisions`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

from bazelscope import starlark
from bazelscope.loading.dry_run.decisions import Assumed
from bazelscope.loading.dry_run.text_with_pieces import TextWithPieces
from bazelscope.loading.dry_run.unknown_collections import UnknownMapping, UnknownSequence
from bazelscope.loading.dry_run.unknown_pieces import (
    NEEDS_UNKNOWN,
    shown_without_pieces,
    split_at_pieces,
)

_HIGH = 9999
_TESTS = frozenset({"isalnum", "isalpha", "isdigit", "islower", "isspace", "istitle", "isupper"})
_LOWER_AND_UPPER: dict[str, Callable[[str], str]] = {"lower": str.lower, "upper": str.upper}


class UnknownText(TextWithPieces):
    """A text with unknown pieces as a Starlark string.

    Places in it (`find`, `[i]`) are places in the text that stands for it; they fit together.
    """

    # ---- Results of operations that take known values alone

    def in_place_of(self, form: str) -> object:
        if form == "int({})":
            # Numbers are compared with thresholds, of versions mostly: a high one is likelier.
            return Assumed(self.decisions, self.unknown, self.about, _HIGH, self.plain)
        if form == "hash({})":
            return Assumed(self.decisions, self.unknown, self.about, 0, self.plain)
        if form == "json.decode({})":
            message = f"json.decode needs a text that cannot be told ({self.unknown})"
            starlark.fail_with(message, code=NEEDS_UNKNOWN)
        return UnknownMapping(self) if form == "dict({})" else NotImplemented

    def in_text(self, text: str, form: str) -> object:
        return self.kept(text)

    def stand_in(self) -> object:
        return self.plain

    def equals_part_of(self, one: Sequence[object], other: Sequence[object]) -> object:
        if not self.decisions.pieces.is_many(self.plain):
            return NotImplemented
        theirs = other if any(part is self for part in one) else one
        shown = shown_without_pieces(", ".join(map(starlark.str_of, theirs)))
        return self.ask(f"is the list [{shown}]", False)

    # ---- Methods of strings

    def get_attr(self, name: str) -> object:
        method = _METHODS.get(name)
        if method is not None:
            return starlark.Builtin(name, lambda *args, **_: method(self, *args))
        if name in _TESTS:
            return starlark.Builtin(name, lambda: self.ask(f"meets {name}()", False))
        if name in _LOWER_AND_UPPER:
            change = _LOWER_AND_UPPER[name]
            return starlark.Builtin(name, lambda: self._changed(change))
        if name in ("capitalize", "title"):
            return starlark.Builtin(name, lambda: self.again())
        raise AttributeError(name)

    def _changed(self, change: Callable[[str], str]) -> str:
        return self.again("".join(t if piece else change(t) for t, piece in self.parts))

    def _startswith(self, sub: object, *_: object) -> bool:
        return _any_affix(sub, self._starts_with)

    def _starts_with(self, prefix: str) -> bool:
        head = self.head
        if self.plain.startswith(prefix):
            return True
        if not prefix.startswith(head) or len(head) >= len(prefix):
            return False
        return self.ask(f"starts with `{shown_without_pieces(prefix)}`", False)

    def _endswith(self, sub: object, *_: object) -> bool:
        return _any_affix(sub, self._ends_with)

    def _ends_with(self, suffix: str) -> bool:
        tail = self.tail
        if self.plain.endswith(suffix):
            return True
        if not suffix.endswith(tail) or len(tail) >= len(suffix):
            return False
        return self.ask(f"ends with `{shown_without_pieces(suffix)}`", False)

    def _find(self, sub: object, *_: object) -> int:
        return self._place(str(sub), from_the_end=False)

    def _rfind(self, sub: object, *_: object) -> int:
        return self._place(str(sub), from_the_end=True)

    def _index(self, sub: object, *_: object) -> int:
        place = self._place(str(sub), from_the_end=False)
        if place < 0:
            starlark.fail_with(f"substring not found in {shown_without_pieces(self.plain)}")
        return place

    def _place(self, sub: str, from_the_end: bool) -> int:
        """Where `sub` lies; if only in an unknown piece, there behind its first letter, so that
        what is cut off before that place is unknown, too, and so is what is left."""
        place = 0
        known: list[int] = []
        pieces: list[int] = []
        for text, is_piece in self.parts:
            at = text.rfind(sub) if from_the_end else text.find(sub)
            if is_piece:
                pieces.append(place + 1)
            elif at >= 0:
                known.append(place + at)
            place += len(text)
        edge = -1 if from_the_end else 0
        # A piece before the known place may hold it, too; the known one is as good.
        if known:
            return known[edge]
        return pieces[edge] if self._holds(sub) else -1

    def _holds(self, sub: str) -> bool:
        return self.ask(f"has `{shown_without_pieces(sub)}` in it", False)

    def _count(self, sub: object, *_: object) -> int:
        known = sum(text.count(str(sub)) for text, is_piece in self.parts if not is_piece)
        return known or int(self._holds(str(sub)))

    def _replace(self, old: object, new: object, *_: object) -> str:
        before, after = str(old), str(new)
        if any(is_piece for _, is_piece in split_at_pieces(before)):
            return self.kept(self.plain.replace(before, after))
        changed = (t if piece else t.replace(before, after) for t, piece in self.parts)
        return self.again("".join(changed))

    def _strip(self, *chars: str) -> str:
        return self._stripped(str.strip, *chars)

    def _lstrip(self, *chars: str) -> str:
        return self._stripped(str.lstrip, *chars)

    def _rstrip(self, *chars: str) -> str:
        return self._stripped(str.rstrip, *chars)

    def _stripped(self, strip: Callable[..., str], *chars: str) -> str:
        """Only the known ends: a piece stands for what is left of it."""
        parts = [text for text, _ in self.parts]
        if self.head and strip is not str.rstrip:
            parts[0] = parts[0].lstrip(*chars)
        if self.tail and strip is not str.lstrip:
            parts[-1] = parts[-1].rstrip(*chars)
        return self.again("".join(parts))

    def _removeprefix(self, prefix: str) -> str:
        head = self.head
        return self.again(self.plain[len(prefix) :]) if head.startswith(prefix) else self.again()

    def _removesuffix(self, suffix: str) -> str:
        tail = self.tail
        return self.again(self.plain[: -len(suffix)]) if tail.endswith(suffix) else self.again()

    def _split(self, separator: object = None, *_: object) -> object:
        """The parts between the separators that are known, if the text is known around them."""
        if not isinstance(separator, str) or not separator:
            return UnknownSequence((self,))
        texts = [""]
        for text, is_piece in self.parts:
            pieces = [text] if is_piece else text.split(separator)
            texts[-1] += pieces[0]
            texts.extend(pieces[1:])
        return UnknownSequence(tuple(self.kept(text) for text in texts))

    def _splitlines(self, *_: object) -> object:
        return self._split("\n")

    def _partition(self, separator: str) -> tuple[str, str, str]:
        if separator in self.head:
            before, _, after = self.plain.partition(separator)
            return (before, separator, self.again(after))
        return (self.again(), self.again(), self.again())

    def _rpartition(self, separator: str) -> tuple[str, str, str]:
        if separator in self.tail:
            before, _, after = self.plain.rpartition(separator)
            return (self.again(before), separator, after)
        return (self.again(), self.again(), self.again())

    def _join(self, elements: object) -> str:
        texts = [starlark.str_of(element) for element in starlark.iterate(elements)]
        return self.again(self.plain.join(texts)) if len(texts) > 1 else self.kept("".join(texts))

    def _format(self, *_: object) -> str:
        return self.again()

    def _elems(self) -> object:
        return UnknownSequence(tuple(self.kept(text) for text, _ in self.parts))

    # ---- Operators

    def truth(self) -> bool:
        if any(not is_piece for _, is_piece in self.parts):
            return True
        return not self._is_empty()

    def _is_empty(self) -> bool:
        return self.ask("is empty", False)

    def equals(self, other: object) -> bool:
        if not isinstance(other, str):
            return False
        theirs = str.__str__(other)
        if theirs == self.plain:
            return True
        if not isinstance(other, UnknownText) and not self._may_be(theirs):
            return False
        if not theirs:
            return self._is_empty()
        return self.ask(f"is `{shown_without_pieces(theirs)}`", False)

    def is_key_of(self, table: Collection[object]) -> bool:
        return any(self.equals(key) for key in table)

    def as_key_of(self, table: Collection[object]) -> object:
        return next((key for key in table if self._was_found_to_be(key)), self)

    def _was_found_to_be(self, other: object) -> bool:
        """Whether it was decided that the text is `other`."""
        if not isinstance(other, str):
            return False
        question = (self.unknown, self.plain, f"is `{shown_without_pieces(str.__str__(other))}`")
        return self.decisions.answers.get(question, False)

    def _may_be(self, other: str) -> bool:
        head, tail = self.head, self.tail
        if len(other) < len(head) + len(tail):
            return False
        return other.startswith(head) and other.endswith(tail)

    def _order(self, theirs: str) -> int:
        """Negative, zero or positive as the text sorts before, with or after another."""
        if theirs == self.plain:
            return 0
        # Texts are ordered for the sake of versions; the newer one is likelier.
        return -1 if self.ask(f"sorts before `{shown_without_pieces(theirs)}`", False) else 1

    def hash(self) -> int:
        return str.__hash__(self)

    def binary(self, op: str, other: object, reflected: bool) -> object:
        if op == "+" and isinstance(other, str):
            theirs = str.__str__(other)
            return self.again(theirs + self.plain if reflected else self.plain + theirs)
        if op in ("%", "*"):
            return self.again()
        if not isinstance(other, str):
            return NotImplemented
        theirs = str.__str__(other)
        if op == "in":
            return self.plain in theirs or self.ask(f"lies in `{theirs}`", False)
        if op[0] in "<>":
            order = self._order(theirs) * (-1 if reflected else 1)
            return op[1:] == "=" if order == 0 else (order < 0) is (op[0] == "<")
        return NotImplemented

    def contains(self, key: object) -> object:
        if any(str(key) in text for text, is_piece in self.parts if not is_piece):
            return True
        return self._holds(str(key))

    def __getitem__(self, key: Any) -> str:
        if isinstance(key, slice):
            if key.step not in (None, 1):
                return self.again()
            return self.kept(self._between(*key.indices(len(self.plain))[:2]))
        place = key if key >= 0 else len(self.plain) + key
        return self.kept(self._between(place, place + 1))

    def _between(self, start: int, end: int) -> str:
        """The text between two places; a piece that one of them lies in stays whole."""
        texts: list[str] = []
        place = 0
        for text, is_piece in self.parts:
            low, high = max(start - place, 0), min(end - place, len(text))
            if low < high:
                texts.append(text if is_piece else text[low:high])
            place += len(text)
        return "".join(texts)

    def length(self) -> Any:
        size = str.__len__(self)
        if any(not is_piece for _, is_piece in self.parts):
            return size
        about = f"the length of {self.about}"
        return Assumed(self.decisions, self.unknown, about, size, self.plain)

    def to_str(self) -> str:
        return self.plain

    def to_repr(self) -> str:
        return f'"{self.plain}"'


def _any_affix(sub: object, has: Callable[[str], bool]) -> bool:
    affixes = sub if isinstance(sub, tuple) else (sub,)
    return any(has(str(affix)) for affix in affixes)


_METHODS: dict[str, Callable[..., object]] = {
    "startswith": UnknownText._startswith,
    "endswith": UnknownText._endswith,
    "find": UnknownText._find,
    "rfind": UnknownText._rfind,
    "index": UnknownText._index,
    "rindex": UnknownText._index,
    "count": UnknownText._count,
    "replace": UnknownText._replace,
    "strip": UnknownText._strip,
    "lstrip": UnknownText._lstrip,
    "rstrip": UnknownText._rstrip,
    "removeprefix": UnknownText._removeprefix,
    "removesuffix": UnknownText._removesuffix,
    "split": UnknownText._split,
    "rsplit": UnknownText._split,
    "splitlines": UnknownText._splitlines,
    "partition": UnknownText._partition,
    "rpartition": UnknownText._rpartition,
    "join": UnknownText._join,
    "format": UnknownText._format,
    "elems": UnknownText._elems,
}
