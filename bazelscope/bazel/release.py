"""Releases of Bazel: how their names are read, how they are ordered, what differs between them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field, replace
from functools import lru_cache

from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.bazel.facts.analysis import AnalysisFacts
from bazelscope.bazel.facts.fact import Numbers
from bazelscope.bazel.facts.flags import FlagFacts
from bazelscope.bazel.facts.loading import LoadingFacts
from bazelscope.bazel.facts.query import QueryFacts
from bazelscope.bazel.option_table import option_table

_NUMBERED = lazy_pattern(
    r"v?(\d{1,9})\.(\d{1,9})(?:\.(\d{1,9}))?(?:\.\d{1,9})*(?:-?(rc|pre)([.\w]*)|(?=[-+ ]|$)).*"
)
_RANGE = lazy_pattern(r"v?(\d{1,9})\.(?:x|\*)")
_LATEST = lazy_pattern(r"latest(?:-(\d{1,9}))?")
_COMMIT = lazy_pattern(r"[0-9a-f]{40}")
_MOVING = frozenset({"rolling", "last_green", "last_downstream_green", "last_rc"})
_CONDITION = lazy_pattern(r"(>=|<=|==|!=|>|<|~)(\d+)(?:\.(\d+))?(?:\.(\d+))?([-+].*)?")

_LAST_OF_SERIES = {1: "1.2.1", 3: "3.7.2", 5: "5.4.1"}
"""For ranges of a major version of which the table of options has no release."""

_LAST_OF_LOCK_VERSION = {
    **{1: "6.5.0", 3: "7.0.2", 6: "7.1.2", 11: "7.4.1", 13: "7.7.1", 12: "8.0.0-pre"},
    **{16: "8.0.1", 18: "8.4.2", 24: "8.7.0", 26: "9.1.1", 28: "9.2.0"},
}
"""The newest release that writes a MODULE.bazel.lock of this `lockFileVersion`, oldest first."""

_LOCK_VERSION = lazy_pattern(r'"lockFileVersion":\s*(\d{1,4})')

_PRERELEASE, _CANDIDATE, _FINAL = 0, 1, 2

_UPSTREAM = "bazelbuild"
_SHOWN_OF_COMMIT = 12
_OPEN_END = 99
"""The major number that stands for "any newer one"."""


@dataclass(frozen=True, order=True)
class Release(FlagFacts, LoadingFacts, AnalysisFacts, QueryFacts):
    """A release of Bazel. Get one from `of` or `read`.

    Its facts (`release.always_section`) are those of its numbers; a candidate or prerelease
    comes before its release, and has the same facts. Two releases are equal if Bazel's own are,
    however they are written (`v4.2.3`, `4.2.3- (@non-git)`).
    """

    numbers: Numbers
    stage: tuple[int, ...] = (_FINAL,)
    text: str = field(default="", compare=False)
    """The release as answers name it: as written, where that names one."""
    doubt: str = field(default="", compare=False)
    """Why another release is taken than the one written, as a clause; empty where none is."""

    @staticmethod
    def of(text: str) -> Release:
        """What `read` gives. Raises `ValueError` for a text that names no Bazel."""
        release = read(text)
        if release is None:
            raise ValueError(f"`{text}` names no Bazel")
        return release

    @staticmethod
    def read(text: str) -> Release | None:
        """The release that a text means, in any form that `.bazelversion` and Bazelisk know;
        None if it is none of them.

        A range, `latest` and its like are the newest release that fits, of those whose
        options are known; so is what nobody can know here, such as a commit, and `doubt` says so.
        """
        return read(text)

    @property
    def is_prerelease(self) -> bool:
        """Whether it is `8.0.0-pre.20240618.2` or the like, and no candidate yet."""
        return self.stage[0] == _PRERELEASE

    def __str__(self) -> str:
        return self.text

    def with_facts(self, facts: Mapping[str, bool]) -> Release:
        """This release where flags say of these facts whether they hold."""
        if not facts:
            return self
        other = replace(self)
        other.__dict__.update(facts)  # where a fact is kept once it is asked for: `Fact`
        return other

    @property
    def plain(self) -> str:
        """The three numbers alone, as `native.bazel_version` has them: `8.0.0`."""
        return ".".join(map(str, self.numbers))

    def meets(self, condition: str) -> bool | None:
        """Whether the release meets a condition of `try-import-if-bazel-version`, such as
        `>=8.0.0` or `~8.1`; None if it is no condition.

        Comparisons need a whole version. `~8` covers every 8.x; `~8.1` and `~8.1.2` end before
        8.2.
        """
        match = _CONDITION.fullmatch(condition)
        if match is None:
            return None
        operator, major, minor, patch, suffix = match.groups()
        if operator == "~":
            end = (int(major) + 1, 0) if minor is None else (int(major), int(minor) + 1)
            lowest = Release((int(major), int(minor or 0), int(patch or 0)))
            return lowest <= self < Release((*end, 0))
        if minor is None or patch is None:
            return None
        is_final = suffix is None or not suffix.startswith("-")
        stage = (_FINAL,) if is_final else _stage("rc" if "rc" in suffix else "pre", suffix)
        wanted = Release((int(major), int(minor), int(patch)), stage)
        results = {
            ">": self > wanted,
            ">=": self >= wanted,
            "<": self < wanted,
            "<=": self <= wanted,
            "==": self == wanted,
            "!=": self != wanted,
        }
        return results[operator]

    def suits_module(self, condition: str) -> bool:
        """Whether a module with this `bazel_compatibility` condition may be used; `-6.1.0` is
        every release but that one. Bazel: `BazelVersion.checkCompatibility`, which takes a
        prerelease for less than its release. `8.0.0-pre` alone is some build without a release.
        """
        operator = condition[:2] if condition[1:2] == "=" else condition[:1]
        wanted = Release.read(condition[len(operator) :])
        if wanted is None:
            return True
        numbers, limit = self.numbers, wanted.numbers
        result = {
            ">": numbers > limit,
            ">=": numbers >= limit,
            "<": numbers < limit,
            "<=": numbers <= limit,
            "-": numbers != limit,
        }
        if numbers == limit and self.is_prerelease:
            return "-pre." not in self.text or operator in ("<", "<=", "-")
        return result.get(operator, True)


@dataclass(frozen=True, slots=True)
class ReleaseRange:
    """The releases from `least` to `most` (None: any newer one), as a tree asks for them."""

    least: str
    most: str | None = None

    def __contains__(self, release: Release) -> bool:
        if release < Release.of(self.least):
            return False
        return self.most is None or not release > Release.of(self.most)

    @property
    def best(self) -> str:
        """The release to assume: the newest, where that is one and no open end (`99.0`)."""
        newest = read(self.most) if self.most is not None else None
        is_open = newest is None or _OPEN_END in newest.numbers
        return self.least if newest is None or is_open else newest.plain


@lru_cache(maxsize=256)
def read(text: str) -> Release | None:
    """See `Release.read`."""
    written = text.strip()
    fork, _, name = written.rpartition("/")
    match = _NUMBERED.fullmatch(name)
    if match is not None:
        major, minor, patch, stage, suffix = match.groups()
        numbers = (int(major), int(minor), int(patch or 0))
        is_fork = fork not in ("", _UPSTREAM)
        doubt = f"`{written}`, a fork, taken for Bazel's own" if is_fork else ""
        return Release(numbers, _stage(stage, suffix or ""), name, doubt)
    match = _RANGE.fullmatch(name)
    if match is not None:
        return _newest_of(int(match[1]), written)
    match = _LATEST.fullmatch(name)
    if match is not None:
        return _latest(int(match[1] or 0), written)
    if _COMMIT.fullmatch(name):
        return _newest(f"commit {name[:_SHOWN_OF_COMMIT]}", "which is not known here")
    return _newest(written, "which is not known here") if name in _MOVING else None


def lock_version(release: Release) -> int:
    """The `lockFileVersion` of the MODULE.bazel.lock that a release writes."""
    versions = _LAST_OF_LOCK_VERSION.items()
    later = (version for version, last in versions if Release.of(last) >= release)
    return next(later, max(_LAST_OF_LOCK_VERSION))


def release_of_lock(lock: str, written: str | None) -> Release | None:
    """The newest release that writes lock files which begin like `lock`; None if that is not
    known, or if `.bazelversion`, which says `written`, names a release: a commit is none, nor is
    what changes by the day."""
    name = (written or "").rpartition("/")[2]
    is_commit = _COMMIT.fullmatch(name) is not None
    if read(name) is not None and name not in _MOVING and not is_commit:
        return None
    match = _LOCK_VERSION.search(lock)
    last = _LAST_OF_LOCK_VERSION.get(int(match[1])) if match is not None else None
    if match is None or last is None:
        return None
    doubt = f"the newest release that writes version {match[1]} of MODULE.bazel.lock"
    if name:
        shown = f"commit {name[:_SHOWN_OF_COMMIT]}" if is_commit else name
        doubt = f"{_quoted(shown)}, taken for {doubt}"
    return replace(Release.of(last), doubt=doubt)


def _stage(kind: str | None, suffix: str) -> tuple[int, ...]:
    """How far a release is on its way: `8.0.0-pre.20240618.2`, then `8.0.0rc1`, then `8.0.0`."""
    if kind is None:
        return (_FINAL,)
    numbers = (int(digits) for digits in re.findall(r"\d{1,9}", suffix))
    return (_CANDIDATE if kind == "rc" else _PRERELEASE, *numbers)


def _newest(written: str, why: str) -> Release:
    return replace(
        newest_release(), doubt=f"{_quoted(written)}, {why}, taken for the newest release that is"
    )


def _latest(back: int, written: str) -> Release:
    known = known_releases()
    which = f"the newest but {back} of the releases" if back else "the newest release"
    if back >= len(known):
        back, which = len(known) - 1, "the oldest release"
    return replace(known[-1 - back], doubt=f"{_quoted(written)}, taken for {which} known here")


def _newest_of(major: int, written: str) -> Release:
    fitting = [release for release in known_releases() if release.numbers[0] == major]
    which = f"the newest release of Bazel {major} known here"
    if not fitting and major not in _LAST_OF_SERIES:
        which = "its first release, for none is known here"
    last = _LAST_OF_SERIES.get(major, f"{major}.0.0")
    taken = fitting[-1] if fitting else Release.of(last)
    return replace(taken, doubt=f"{_quoted(written)}, taken for {which}")


def _quoted(written: str) -> str:
    return written if " " in written else f"`{written}`"


def from_bazelversion(content: str) -> str | None:
    """The text that a `.bazelversion` file asks with: its first line that is not empty; None
    for an empty file."""
    for line in content.splitlines():
        word = line.partition("#")[0].strip()
        if word:
            return word
    return None


@lru_cache(maxsize=1)
def known_releases() -> tuple[Release, ...]:
    """The releases whose options are known, oldest first."""
    return tuple(Release.of(text) for text in option_table().releases)


def newest_release(*, reads_workspace: bool = False) -> Release:
    """The newest release whose options are known, or of those that read WORKSPACE by default."""
    return next(
        release
        for release in reversed(known_releases())
        if release.workspace_by_default or not reads_workspace
    )
