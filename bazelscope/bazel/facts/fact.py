"""Facts: one about releases of Bazel, in which of them something is so; and tables of them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Protocol, overload

Numbers = tuple[int, int, int]
"""Major, minor and patch number of a release."""

_FIRST: Numbers = (0, 0, 0)


class HasNumbers(Protocol):
    """What facts are asked of: a `Release`."""

    @property
    def numbers(self) -> Numbers: ...


class Fact:
    """A fact of some releases, read as an attribute of a release: `release.always_section`.

    `spans` are the releases of which it is true, each from a first one up to one that is the
    first without (None: true ever since). A candidate counts as the release that it led to.
    """

    def __init__(self, *spans: tuple[Numbers, Numbers | None]) -> None:
        self.spans = spans
        self._name = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, release: None, owner: type) -> Fact: ...
    @overload
    def __get__(self, release: HasNumbers, owner: type) -> bool: ...
    def __get__(self, release: HasNumbers | None, owner: type) -> Fact | bool:
        if release is None:
            return self
        # Kept on the release, where the next look-up finds it without coming here.
        value = release.__dict__[self._name] = self.holds(release)
        return value

    def __or__(self, other: Fact) -> Fact:
        return Fact(*self.spans, *other.spans)

    def holds(self, release: HasNumbers) -> bool:
        """Whether the fact is true of a release."""
        numbers = release.numbers
        return any(first <= numbers and (end is None or numbers < end) for first, end in self.spans)

    @property
    def first(self) -> str:
        """The first release of which it is true: `8.5.0`."""
        return ".".join(map(str, self.spans[0][0]))

    @property
    def has_ended(self) -> bool:
        """Whether a release is known that is the first without."""
        return self.spans[0][1] is not None

    @property
    def first_without(self) -> str:
        """The release with which it ended: `0.19` of `until(0, 19)`."""
        end = self.spans[0][1]
        assert end is not None, "it is true ever since"
        return _short(end)

    @property
    def series(self) -> str:
        """The first release of which it is true as people say it: `4` of 4.0.0, `6.2` of 6.2.0."""
        return _short(self.spans[0][0])


def since(major: int, minor: int = 0, patch: int = 0) -> Fact:
    """True of this release and of all after it."""
    return Fact(((major, minor, patch), None))


def until(major: int, minor: int = 0, patch: int = 0) -> Fact:
    """True of all releases before this one."""
    return Fact((_FIRST, (major, minor, patch)))


def between(first: tuple[int, ...], end: tuple[int, ...]) -> Fact:
    """True from `first` on, until `end`: `between((4,), (5,))`."""
    return Fact((_padded(first), _padded(end)))


def _short(numbers: Numbers) -> str:
    return ".".join(map(str, numbers)).removesuffix(".0").removesuffix(".0")


def _padded(numbers: tuple[int, ...]) -> Numbers:
    major, minor, patch = (*numbers, 0, 0)[:3]
    return major, minor, patch


Table = Mapping[str, tuple[str, ...]]
"""The words of each name, in the order of the file."""


@cache
def tables(file: str) -> Mapping[str, Table]:
    """The tables of `bazel/FILE.txt`, by their titles. There `#` begins a comment and `[...]` a
    table; a row has names, a colon and the words that are said of each, and goes on in lines that
    are indented."""
    made: dict[str, dict[str, tuple[str, ...]]] = {}
    text = (Path(__file__).parents[1] / f"{file}.txt").read_text(encoding="utf-8")
    for line in text.replace("\n  ", " ").splitlines():
        if line.startswith("["):
            rows = made[line[1:-1]] = {}
        elif line and not line.startswith("#"):
            names, _, words = line.partition(": ")
            rows.update(dict.fromkeys(names.split(), tuple(words.split())))
    return made
