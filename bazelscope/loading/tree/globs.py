"""`glob()` as Bazel's loading phase understands it.

Bazel: `UnixGlob`, `GlobFunction`. A glob never crosses into a subpackage; `*` and `?` stay
within a path segment; `**` is a whole segment and stands for any number of directories;
a segment with a wildcard does not match a leading dot, unless it is `*` or `**` itself.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import islice, takewhile
from typing import Protocol

from bazelscope.base.memoized import memoized
from bazelscope.loading.tree.disk import EntryKind
from bazelscope.loading.tree.workspace_files import NOTHING, Listing

Matcher = Callable[[str], bool]

OUTSIDE = "a symbolic link leads out of the workspace"


class GlobError(ValueError):
    """A pattern that Bazel refuses; the message is the reason."""


class _Search:
    """One pattern being looked for: the paths that match, and the states already visited."""

    __slots__ = ("files_only", "paths", "segments", "visited")

    def __init__(self, segments: tuple[str, ...], files_only: bool, paths: set[str]) -> None:
        self.segments = segments
        self.files_only = files_only
        self.paths = paths
        self.visited: set[tuple[str, int]] = set()


class Directories(Protocol):
    """Where the files of a package are: a tree on disk, or what a rule would write."""

    def listing(self, directory: str) -> Listing:
        """What `directory` holds; empty where it is none."""


class ListedDirectories:
    """Directories that are no more than the `paths` of files: a dry run or a model made them."""

    def __init__(self, paths: Iterable[str]) -> None:
        entries: dict[str, dict[str, EntryKind]] = {}
        for path in paths:
            directory, _, name = path.rpartition("/")
            kind = EntryKind.FILE
            while entries.setdefault(directory, {}).setdefault(name, kind) is kind and directory:
                (directory, _, name), kind = directory.rpartition("/"), EntryKind.DIRECTORY
        self._listings = {
            directory: Listing(dict(sorted(names.items())), has_links=False)
            for directory, names in entries.items()
        }

    def listing(self, directory: str) -> Listing:
        return self._listings.get(directory, NOTHING)

    def is_package(self, directory: str) -> bool:
        """Whether a BUILD file is in `directory`."""
        return self.listing(directory).build_file is not None


class PackageFiles:
    """The files of a package that is a directory of `tree`, as its globs see them.

    `is_border(path)` tells whether a directory (relative to the tree's root) does not belong
    to the package: a subpackage, another repository, or an ignored directory.
    """

    def __init__(
        self,
        tree: Directories,
        package: str,
        is_border: Callable[[str], bool],
        is_ignored: Callable[[str], bool] | None = None,
    ) -> None:
        self._tree = tree
        self._is_ignored = is_ignored
        self._prefix = f"{package}/" if package else ""
        self._package = package
        self._is_border = is_border
        self._ordered: dict[str, list[str]] = {}
        self.directories: set[str] = set()
        """The directories whose listing some glob has looked at, relative to the tree."""
        self.loops: dict[str, str] = {}
        """Symbolic links without an end that globs have met, and what Bazel says of each."""
        self.hidden: dict[str, str] = {}
        """Directories that globs came to and could not look into, and why."""

    def glob(self, include: Sequence[str], exclude_directories: bool) -> list[str]:
        """The matching paths relative to the package, sorted. Raises `GlobError`."""
        paths: set[str] = set()
        for pattern in include:
            if "?" in pattern:
                raise GlobError("wildcard ? forbidden")
            self._match(_Search(segments_of(pattern), exclude_directories, paths))
        paths.discard("")
        return sorted(paths)

    def border_above(self, path: str) -> str | None:
        """The outermost directory of `path` that is a border; None if it stays inside."""
        position = path.find("/")
        while position > 0:
            directory = path[:position]
            if self._border(directory):
                # No package is in what is ignored: names may reach into it.
                full = self._prefix + directory
                ignored = self._is_ignored is not None and self._is_ignored(full)
                return None if ignored else directory
            position = path.find("/", position + 1)
        return None

    def subpackages(self, include: Sequence[str]) -> list[str]:
        """The direct subpackages that match, sorted. Raises `GlobError`."""
        packages: list[str] = []
        pending = [""]
        while pending:
            directory = pending.pop()
            self._note_hidden(directory, "**")
            for name, kind in self._entries(directory).items():
                if kind is not EntryKind.DIRECTORY:
                    continue
                path = directory + name
                if not self._border(path):
                    pending.append(f"{path}/")
                elif self._tree.listing(self._prefix + path).build_file is not None:
                    packages.append(path)
        return matches_any(packages, include)

    def _match(self, search: _Search) -> None:
        """Adds what the pattern matches."""
        pending = [("", 0)]
        while pending:
            state = pending.pop()
            if state in search.visited:
                continue
            search.visited.add(state)
            directory, position = state
            if search.segments[position] == "**" and position + 1 == len(search.segments):
                self._collect(directory, search)
            else:
                pending += self._step(directory, position, search)

    def _beginning(self, directory: str, segment: str) -> Iterable[str]:
        """The names in `directory` that begin as `segment` does before its first `*`: macros
        ask for `name*.cc` hundreds of times in one directory of a thousand files."""
        entries = self._entries(directory)
        prefix = segment[: segment.index("*")]
        prefix = prefix.partition("(")[0].partition(")")[0]
        if not prefix or "?" in prefix:
            return entries
        ordered = self._ordered.get(directory)
        if ordered is None:
            ordered = self._ordered[directory] = sorted(entries)
        first = bisect_left(ordered, prefix)
        return takewhile(lambda name: name.startswith(prefix), islice(ordered, first, None))

    def _step(self, directory: str, position: int, search: _Search) -> list[tuple[str, int]]:
        """Matches one segment in `directory` ("" or ending in "/"): adds what it finds if it
        is the last one, and gives where to go on otherwise."""
        entries = self._entries(directory)
        segment = search.segments[position]
        is_last = position + 1 == len(search.segments)
        self._note_loops(directory, segment)
        if not is_last:
            self._note_hidden(directory, segment)
        if segment == "**":
            deeper = [
                (f"{directory}{name}/", position)
                for name, kind in entries.items()
                if kind is EntryKind.DIRECTORY and not self._border(directory + name)
            ]
            return [(directory, position + 1), *deeper]
        names: Iterable[str]
        if "*" in segment:
            matches = segment_matcher(segment)
            names = [name for name in self._beginning(directory, segment) if matches(name)]
        else:
            names = (segment,) if segment in entries else ()
        following: list[tuple[str, int]] = []
        for name in names:
            path = directory + name
            if entries[name] is not EntryKind.DIRECTORY:
                if is_last:
                    search.paths.add(path)
            elif is_last and search.files_only:
                continue
            elif not self._border(path):
                if is_last:
                    search.paths.add(path)
                else:
                    following.append((f"{path}/", position + 1))
        return following

    def _collect(self, start: str, search: _Search) -> None:
        """Adds everything below `start`: a final `**`."""
        pending = [start]
        while pending:
            directory = pending.pop()
            if not search.files_only:
                search.paths.add(directory.rstrip("/"))
            entries = self._entries(directory)
            self._note_loops(directory, "**")
            self._note_hidden(directory, "**")
            for name, kind in entries.items():
                path = directory + name
                if kind is not EntryKind.DIRECTORY:
                    search.paths.add(path)
                elif not self._border(path):
                    pending.append(f"{path}/")

    def _entries(self, directory: str) -> dict[str, EntryKind]:
        path = self._prefix + directory
        path = path[:-1] if path else path
        self.directories.add(path)
        return self._tree.listing(path).entries

    def _note_loops(self, directory: str, segment: str) -> None:
        path = (self._prefix + directory)[:-1]
        for name, what in self._tree.listing(path).loops:
            if segment_matcher(segment)(name):
                self.loops[directory + name] = what

    def _note_hidden(self, directory: str, segment: str) -> None:
        """Takes down what a segment would go on into, if it could."""
        listing = self._tree.listing((self._prefix + directory)[:-1])
        if listing.problem:
            self.hidden[directory.rstrip("/")] = listing.problem
        for name in listing.outside:
            if segment_matcher(segment)(name):
                self.hidden[directory + name] = OUTSIDE

    @memoized
    def _border(self, path: str) -> bool:
        full = self._prefix + path
        self.directories.add(full)
        return self._is_border(full)


def without_excluded(paths: Iterable[str], patterns: Sequence[str], by_ends: bool) -> list[str]:
    """Returns the paths, in their order, that no exclude pattern matches as a whole.

    An excluded directory name excludes nothing below it; `?` is allowed here. With `by_ends`,
    `**/*` between two texts without a wildcard leaves out all that begins with the one and ends
    with the other, be these segments or not: `a/**/*/x` is `a/x`, too. Raises `GlobError`.
    Bazel: `UnixGlob.removeExcludes`.
    """
    remaining = list(paths)
    for pattern in patterns:
        if "*" not in pattern and "?" not in pattern:
            # Bazel checks only wildcards here: `exclude = ["//a:b"]` is legal and idle.
            remaining = [path for path in remaining if path != pattern]
            continue
        head, between, tail = pattern.partition("**/*")
        if by_ends and between and not re.search(r"[*?]", head + tail):
            remaining = [
                path for path in remaining if not (path.startswith(head) and path.endswith(tail))
            ]
            continue
        try:
            matches = path_matcher(segments_of(pattern))
        except GlobError as error:
            raise GlobError(f"{error} (in glob pattern '{pattern}')") from error
        remaining = [path for path in remaining if not matches(path)]
    return remaining


def matches_any(paths: Sequence[str], include: Sequence[str]) -> list[str]:
    """Returns those of the paths that a pattern matches, sorted. Raises `GlobError`."""
    for pattern in include:
        if "?" in pattern:
            raise GlobError("wildcard ? forbidden")
    matchers = [path_matcher(segments_of(pattern)) for pattern in include]
    return sorted({path for path in paths if any(matches(path) for matches in matchers)})


@lru_cache(maxsize=4096)
def segments_of(pattern: str) -> tuple[str, ...]:
    """The segments of a pattern that Bazel accepts. Raises `GlobError`."""
    if not pattern:
        raise GlobError("pattern cannot be empty")
    if pattern.startswith("/"):
        raise GlobError("pattern cannot be absolute")
    segments = tuple(pattern.split("/"))
    for segment in segments:
        if not segment:
            raise GlobError("empty segment not permitted")
        if segment in (".", ".."):
            raise GlobError(f"segment '{segment}' not permitted")
        if "**" in segment and segment != "**":
            raise GlobError("recursive wildcard must be its own segment")
    return segments


@lru_cache(maxsize=4096)
def path_matcher(segments: tuple[str, ...]) -> Matcher:
    """A predicate for whole relative paths."""

    # A set of positions is walked along the path, as in a finite automaton: a hostile
    # pattern of many `**` costs no more than segments times parts.
    stars = [segment == "**" for segment in segments]
    single = [segment_matcher(segment) for segment in segments]
    end = len(segments)

    def closure(positions: Iterable[int]) -> set[int]:
        reached = set(positions)
        for position in sorted(reached):
            while position < end and stars[position]:
                position += 1
                reached.add(position)
        return reached

    def matches(path: str) -> bool:
        positions = closure((0,))
        for part in path.split("/"):
            positions = closure(
                position if stars[position] else position + 1
                for position in positions
                if position < end and (stars[position] or single[position](part))
            )
            if not positions:
                return False
        return end in positions

    return matches


@lru_cache(maxsize=4096)
def segment_matcher(segment: str) -> Matcher:
    """A predicate for one path segment. Bazel: `UnixGlob.matches`."""
    if segment in ("*", "**"):
        return bool
    if "*" not in segment and "?" not in segment:
        return segment.__eq__
    if segment.count("*") == 1 and "?" not in segment:
        before, after = segment.split("*")
        if before and after:
            before, after = _without_parentheses(before), _without_parentheses(after)
        return _single_star_matcher(before, after)
    segment = _without_parentheses(segment)
    if "?" in segment:
        segment = _as_bytes(segment)
    if segment.count("*") > 2:
        compiled = _wildcard_matcher(segment)
    else:
        expression = "".join(
            "[^/]*" if char == "*" else "[^/]" if char == "?" else re.escape(char)
            for char in segment
        )
        full_match = re.compile(expression, re.DOTALL).fullmatch

        def compiled(name: str) -> bool:
            return full_match(name) is not None

    if "?" in segment:
        compiled = _of_bytes(compiled)
    if segment.startswith("."):
        return compiled
    return lambda name: not name.startswith(".") and compiled(name)


def _without_parentheses(segment: str) -> str:
    """What Bazel makes a regular expression of: it leaves parentheses out (measured: 2.1.0 and
    4.2.3), and says that this is silly. Bazel: `UnixGlob.makePatternFromWildcard`."""
    return segment.replace("(", "").replace(")", "")


def _as_bytes(text: str) -> str:
    """A text whose characters are the bytes of `text`, as all of Bazel's are."""
    try:
        return text.encode("utf-8", "surrogateescape").decode("latin-1")
    except UnicodeEncodeError:
        return text  # Half a character: no file has one.


def _of_bytes(matches: Matcher) -> Matcher:
    """For `?`, which stands for one byte of a name (measured: 2.1.0 and 4.2.3)."""
    return lambda name: matches(name if name.isascii() else _as_bytes(name))


def _single_star_matcher(before: str, after: str) -> Matcher:
    """`before*after`: nearly every pattern, so without a regular expression."""
    if not before:
        return lambda name: name.endswith(after) and not name.startswith(".")
    if not after:
        return lambda name: name.startswith(before)
    least = len(before) + len(after)
    return lambda name: name.startswith(before) and name.endswith(after) and len(name) >= least


def _wildcard_matcher(segment: str) -> Matcher:
    """The greedy algorithm: linear in name times pattern, whatever the number of stars."""

    def matches(name: str) -> bool:
        at = start = 0
        star = -1
        for _ in range(len(name) * (len(segment) + 1) + 1):
            if start == len(name):
                return not segment[at:].strip("*")
            if at < len(segment) and segment[at] == "*":
                star, resume = at, start
                at += 1
            elif at < len(segment) and segment[at] in ("?", name[start]):
                at += 1
                start += 1
            elif star >= 0:
                resume += 1
                at, start = star + 1, resume
            else:
                return False
        return False

    return matches
