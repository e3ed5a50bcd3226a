"""The known names that are most like one that is not known: what was probably meant."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable
from itertools import islice

_LONGEST = 250
"""Comparing takes the product of both lengths, and nobody mistypes so long a name."""
_SHORT = 10
_ALIKE = 0.75
_ALIKE_IF_SHORT = 0.6
"""One wrong letter is more of a short word than of a long one."""
_MANY = 200
_BESIDE = 20
"""To compare two names takes 40 microseconds, and a tree may have thousands of wrong ones."""
_SHORTENED = 3
"""Fewer letters are those of nearly every name."""


def nearest(word: str, known: Iterable[str], most: int = 3) -> tuple[str, ...]:
    """Returns the names in `known` that `word` may be a slip of the pen for, the likest first,
    at most `most` of them. Of many names only those are compared that begin or end most like
    it."""
    if not word or len(word) > _LONGEST:
        return ()
    import difflib  # Only who mistypes pays for it.

    names = list(known)
    if len(names) > _MANY:
        names = [*_neighbours(word, names, str), *_neighbours(word, names, _backwards)]
        names = list(dict.fromkeys(names))
    alike = _ALIKE if len(word) >= _SHORT else _ALIKE_IF_SHORT
    return tuple(difflib.get_close_matches(word, names, most, alike))


def _neighbours(word: str, names: Iterable[str], key: Callable[[str], str]) -> list[str]:
    """Returns the names that stand around the place of `word` where they are sorted by `key`."""
    ordered = sorted(names, key=key)
    place = bisect_left(ordered, key(word), key=key)
    return ordered[max(place - _BESIDE, 0) : place + _BESIDE]


def _backwards(name: str) -> str:
    return name[::-1]


def with_part(word: str, known: Iterable[str], most: int = 3) -> tuple[str, ...]:
    """Returns the names in `known` of which `word` is a part between `_`, `-`, `:` and their like,
    in their order, at most `most` of them: `gurobi` finds `WITH_GUROBI`."""
    part = re.compile(rf"(?<![A-Za-z0-9]){re.escape(word)}(?![A-Za-z0-9])", re.IGNORECASE)
    names = dict.fromkeys(name for name in known if word and part.search(name))
    return tuple(names)[:most]


def with_short_part(word: str, known: Iterable[str]) -> tuple[str, ...]:
    """Returns the names in `known` of which a part is shortened to `word`, the shortest first, at
    most three of them: `absl` finds `abseil-cpp`, `proto` finds `protobuf`."""
    if not _SHORTENED <= len(word) <= _LONGEST:
        return ()
    names = sorted(dict.fromkeys(known), key=lambda name: (len(name), name))
    short = word.lower()
    found = (
        name
        for name in names
        if any(_is_shortened(short, part) for part in re.split("[^a-z0-9]+", name.lower()))
    )
    return tuple(islice(found, 3))


def _is_shortened(word: str, whole: str) -> bool:
    """Tells whether a word is the beginning of another, or has its first and last letter and some
    of those between."""
    letters = iter(whole)
    has_them = all(letter in letters for letter in word)
    return has_them and (whole.startswith(word) or whole[0] + whole[-1] == word[0] + word[-1])


def meant_by(word: str, known: Iterable[str]) -> tuple[str, ...]:
    """Returns the names in `known` that `word` may be a slip of the pen for, then those that have
    it as a part, the shortest first: three of them at most."""
    names = list(known)
    by_length = sorted(names, key=lambda name: (len(name), name))
    return tuple(dict.fromkeys((*nearest(word, names), *with_part(word, by_length))))[:3]


def did_you_mean(word: str, known: Iterable[str], form: str = "`{}`", most: int = 1) -> str | None:
    """Returns the hint that names what is nearest to `word`, each written as `form` says;
    None where nothing is near."""
    return meaning(nearest(word, known, most), form)


def meaning(names: Iterable[str], form: str = "`{}`") -> str | None:
    """Returns the hint that one of `names` was meant; None where there are none."""
    written = " or ".join(form.format(name) for name in names)
    return f"did you mean {written}?" if written else None


_MOST_EDITS = 5


def bazels_suggestion(word: str, known: Iterable[str]) -> str | None:
    """Returns the name in `known` that Bazel's own messages say was meant, the first of the
    nearest; None where it would say none. Bazel: SpellChecker."""
    if len(word) > _LONGEST:
        return None
    best, fewest = None, min(_MOST_EDITS, (len(word) + 1) // 2)
    for name in known:
        if abs(len(name) - len(word)) < fewest:
            count = edits(word.lower(), name.lower())
            if count < fewest:
                best, fewest = name, count
    return best


def edits(word: str, other: str) -> int:
    """Counts the letters to change, add or take away to get from one word to the other."""
    row = list(range(len(other) + 1))
    for number, letter in enumerate(word, 1):
        diagonal, row[0] = row[0], number
        for column, wanted in enumerate(other, 1):
            fewest = min(row[column] + 1, row[column - 1] + 1, diagonal + (letter != wanted))
            diagonal, row[column] = row[column], fewest
    return row[-1]
