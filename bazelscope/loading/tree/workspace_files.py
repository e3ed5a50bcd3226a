"""The workspace's root and safe access to the files below it.

A workspace may be hostile: a path never leaves its root, neither by `..` nor through a
symbolic link; only regular files are opened (a FIFO would hang), up to a size limit.
Directory listings are read once per run; `validators` of what was read let a cache check
later, with one `stat` each, that it still holds.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from bazelscope.base import looks
from bazelscope.base.errors import LINK_OUT, Diagnostic, LoadingError, UsageError
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.base.memoized import memoized
from bazelscope.base.source import SourceFile
from bazelscope.loading.tree.contents import (
    BUILD_FILE_NAMES,
    directory_digest,
    is_settled,
    note_link,
)
from bazelscope.loading.tree.disk import MACHINE, Disk, EntryKind, Stamp, cannot_read, is_directory

if TYPE_CHECKING:
    from bazelscope.flags.configure_scripts import ConfigureScripts

MAXIMUM_DIRECTORIES = 1_000_000
MAXIMUM_BEHIND_LINKS = 3_000
"""Directories that are looked into through symbolic links: a few that lead to one another make
a way of every order."""

IGNORE_FILE = ".bazelignore"
ROOT_MARKERS = ("WORKSPACE", "WORKSPACE.bazel", "MODULE.bazel")
WORKSPACE_MARKERS = (*ROOT_MARKERS, "REPO.bazel")
_OF_BAZELISK = ".bazeliskrc"
_NO_LINKS_HERE = (
    "DONT_FOLLOW_SYMLINKS_WHEN_TRAVERSING_THIS_DIRECTORY_VIA_A_RECURSIVE_TARGET_PATTERN"
)
"""In a directory of which a pattern like `//...` follows no link. Bazel:
`RecursiveFilesystemTraversal.shouldFollowSymlinksWhenTraversing`."""


@dataclass(frozen=True, slots=True)
class Listing:
    """One directory: name to kind, in name order; what leads nowhere is left out."""

    entries: dict[str, EntryKind]
    has_links: bool
    loops: tuple[tuple[str, str], ...] = ()
    """Symbolic links that never end, and what Bazel says of each."""
    outside: tuple[str, ...] = ()
    """Symbolic links to directories out of the root, which are not looked into."""
    problem: str = ""
    """Why the directory, which is there, could not be read."""
    linked: frozenset[str] = frozenset()
    """Names that are symbolic links."""

    @property
    def walked(self) -> tuple[str, ...]:
        """The directories that a pattern of all that is below goes on into."""
        if _NO_LINKS_HERE in self.entries:
            return tuple(name for name in self.directories if name not in self.linked)
        return self.directories

    @property
    def build_file(self) -> str | None:
        """The name of the BUILD file that makes this directory a package."""
        entries = self.entries
        for name in BUILD_FILE_NAMES:
            kind = entries.get(name)
            if kind is not None and kind is not EntryKind.DIRECTORY:
                return name
        return None

    @property
    def directories(self) -> tuple[str, ...]:
        return tuple(n for n, kind in self.entries.items() if kind is EntryKind.DIRECTORY)


NOTHING = Listing({}, False)
_LONGEST_LOOP = 40


class FileTree:
    """The files below `root`. Paths are relative, with slashes; "" is the root.

    `also` are the real paths of further roots that symbolic links may lead into: what the user
    allows, and the workspace's own for a repository that lies inside of it. `real_root` is that
    of `root`, where somebody has looked already.
    """

    def __init__(
        self,
        root: Path,
        display_prefix: str = "",
        also: tuple[str, ...] = (),
        disk: Disk = MACHINE,
        real_root: str | None = None,
    ) -> None:
        self.root = root
        self.real_root = disk.real_path(str(root)) if real_root is None else real_root
        self.disk = disk
        self._text_root = str(root)
        self._display_prefix = display_prefix
        self.also = also
        self._inside = (self.real_root, *also)
        self._listings: dict[str, Listing] = {}
        self._stamps: dict[str, Stamp] = {}
        self._digests: dict[str, bytes] = {}
        self._behind_links: set[str] = set()
        self._listed_behind_links = 0
        self._scripts: ConfigureScripts | None = None

    def display(self, path: str) -> str:
        """The path as users know it."""
        return self._display_prefix + path

    def listing(self, directory: str) -> Listing:
        """What `directory` holds; empty where it is no directory of this tree."""
        known = self._listings.get(directory)
        if known is not None:
            return known
        if directory.rpartition("/")[0] not in self._listings:
            # From the root on, not by recursion: folders may be nested a thousand times.
            end = directory.find("/")
            while end >= 0:
                above = directory[:end]
                if (self._listings.get(above) or self._listed(above)) is NOTHING:
                    return NOTHING  # Not kept: a label may have thousands of parts.
                end = directory.find("/", end + 1)
        return self._listed(directory)

    def _listed(self, directory: str) -> Listing:
        if len(self._listings) > MAXIMUM_DIRECTORIES:
            raise LoadingError(
                Diagnostic("too-many-directories", "the workspace has too many directories")
            )
        listing = self._listings[directory] = self._list(directory)
        return listing

    def exists(self, path: str) -> bool:
        return self.kind(path) is not None

    def is_file(self, path: str) -> bool:
        kind = self.kind(path)
        return kind is not None and kind is not EntryKind.DIRECTORY

    def leads_out(self, path: str) -> bool:
        """Whether `path` is a symbolic link to a file out of the root, which is not read."""
        return self.kind(path) is EntryKind.OUTSIDE_FILE

    def is_directory(self, path: str) -> bool:
        return not path or self.kind(path) is EntryKind.DIRECTORY

    def kind(self, path: str) -> EntryKind | None:
        """What `path` is; None where there is nothing (to be seen)."""
        if not is_clean(path):
            return None
        directory, _, name = path.rpartition("/")
        return self.listing(directory).entries.get(name)

    def read(self, path: str) -> SourceFile:
        """The text of the file at `path`. Raises `LoadingError`.

        Bazel reads any bytes; a file that is not UTF-8 is decoded as Latin-1.
        """
        content = self.read_bytes(path)
        try:
            text = content.decode("utf-8")
        except UnicodeDecodeError:
            text = content.decode("latin-1")
        return SourceFile(self.display(path), text)

    def read_bytes(self, path: str) -> bytes:
        """The bytes of the file at `path`. Raises `LoadingError`."""
        shown = self.display(path)
        if not is_clean(path):
            raise cannot_read(shown, "the path leaves its root")
        full = f"{self._text_root}/{path}"
        is_inside = self._is_inside(self.disk.real_path(full))
        note_link(full, not is_inside)
        if not is_inside:
            why = "a symbolic link leads out of the workspace (--links-to DIR follows)"
            raise cannot_read(shown, why, LINK_OUT)
        return self.disk.read(full, shown)

    def stamp(self, directory: str) -> Stamp:
        """The stamp of a directory when it was listed (empty: not a directory)."""
        self.listing(directory)
        return self._stamps.get(directory, ())

    def digest(self, directory: str) -> bytes | None:
        """A hash of what a directory held when it was listed, where its stamp of then is that of
        nothing else; None where that cannot be told."""
        self.listing(directory)
        return self._digests.get(directory)

    def _list(self, directory: str) -> Listing:
        self._stamps[directory] = ()
        if directory:
            if not is_clean(directory):
                return NOTHING
            # The parent's listing has followed and judged every link above.
            parent, _, name = directory.rpartition("/")
            if self.listing(parent).entries.get(name) is not EntryKind.DIRECTORY:
                return NOTHING
        is_behind = directory in self._behind_links
        if is_behind:
            self._listed_behind_links += 1
            if self._listed_behind_links > MAXIMUM_BEHIND_LINKS:
                return Listing({}, False, problem="too many folders behind symbolic links")
        full = f"{self._text_root}/{directory}" if directory else self._text_root
        try:
            stamp = self.disk.stamp(full)
            settled = is_settled(stamp)
            listed = self.disk.entries(full)
        except OSError as error:
            return Listing({}, False, problem=error.strerror or "unreadable")
        self._stamps[directory] = stamp
        entries: dict[str, EntryKind] = {}
        has_links = False
        loops: list[tuple[str, str]] = []
        outside: list[str] = []
        linked: set[str] = set()
        for name, own, is_link in listed:
            if is_link:
                has_links = True
                linked.add(name)
                path = f"{full}/{name}"
                kind = self._link_kind(path, directory)
                if kind is not None:
                    entries[name] = kind
                elif (loop := self._loop(path)) is not None:
                    loops.append((name, loop))
                elif self._leads_to_directory_outside(path):
                    outside.append(name)
            elif own is not None:
                entries[name] = own
        if settled and not has_links:
            self._digests[directory], _ = directory_digest(self.disk, full, listed)
        for name, kind in entries.items() if is_behind or linked else ():
            if kind is EntryKind.DIRECTORY and (is_behind or name in linked):
                self._behind_links.add(f"{directory}/{name}" if directory else name)
        return Listing(entries, has_links, tuple(loops), tuple(outside), linked=frozenset(linked))

    def _loop(self, full: str) -> str | None:
        """What Bazel says of a symbolic link that never ends; None if it just leads nowhere.
        Bazel: `FileSymlinkCycleException`, `FileSymlinkInfiniteExpansionException`."""
        way = [full]
        try:
            while len(way) < _LONGEST_LOOP:
                following = os.path.normpath(Path(way[-1]).parent / self.disk.link(way[-1]))
                if full.startswith(f"{following}/"):
                    return f"Infinite symlink expansion: {self._way([*way, following])}"
                if following in way:
                    return f"Symlink cycle: {self._way(way[way.index(following) :])}"
                way.append(following)
        except OSError:
            return None  # The last one is no link.
        return None

    def _way(self, paths: list[str]) -> str:
        root = f"{self._text_root}/"
        return "- > ".join(self.display(path.removeprefix(root)) for path in paths)

    def _link_kind(self, full: str, directory: str) -> EntryKind | None:
        """What the symbolic link `full` in `directory` leads to.

        A link to a directory that its own path already goes through never ends (Bazel:
        "infinite symlink expansion"): it counts as leading nowhere.
        """
        target = self.disk.kind(full)
        if target is None:
            return None
        real = self.disk.real_path(full)
        inside = self._is_inside(real)
        if target is EntryKind.DIRECTORY:
            above = directory
            while above:
                if self._real(above) == real:
                    return None
                above = above.rpartition("/")[0]
            return EntryKind.DIRECTORY if inside and real != self.real_root else None
        note_link(full, not inside)
        return EntryKind.FILE if inside else EntryKind.OUTSIDE_FILE

    @memoized
    def _real(self, directory: str) -> str:
        """Where a directory of the tree really lies."""
        return self.disk.real_path(f"{self._text_root}/{directory}")

    def _leads_to_directory_outside(self, full: str) -> bool:
        real = self.disk.real_path(full)
        return not self._is_inside(real) and is_directory(self.disk, real)

    def link_outside(self, path: str) -> str | None:
        """The outermost directory of `path` that is a symbolic link out of the root."""
        directory = ""
        for name in path.split("/"):
            listing = self.listing(directory)
            if listing is NOTHING:
                return None  # Nothing is below it: a label may have thousands of parts.
            if name in listing.outside:
                return f"{directory}/{name}" if directory else name
            directory = f"{directory}/{name}" if directory else name
        return None

    def _is_inside(self, real: str) -> bool:
        return any(real == root or real.startswith(f"{root}/") for root in self._inside)

    def ignored_directories(self) -> tuple[str, ...]:
        """The directories of `.bazelignore`: no packages in them, and no globs into them; absolute
        paths, of which Bazel says something else or nothing, among them. Measured: spaces count,
        and a comment takes a line of its own. Bazel: `IgnoredPackagePrefixesFunction`."""
        if not self.is_file(IGNORE_FILE):
            return ()
        try:
            lines = _LINE_END.split(self.read(IGNORE_FILE).text)
        except LoadingError:
            return ()
        paths = (line for line in lines if line and not line.startswith("#"))
        return tuple("" if path == "." else path for path in map(os.path.normpath, paths))


class OverlaidTree(FileTree):
    """The tree of a `new_local_repository`: its BUILD file and a WORKSPACE file stand in the
    root, whatever the directory itself has there. Bazel: `NewLocalRepositoryFunction`."""

    def _list(self, directory: str) -> Listing:
        listing = super()._list(directory)
        if directory:
            return listing
        own = dict.fromkeys(("BUILD.bazel", "WORKSPACE"), EntryKind.FILE)
        return replace(listing, entries=dict(sorted({**listing.entries, **own}.items())))


def absolute_directory(path: Path | str) -> Path:
    """A directory from the root of the file system on. Raises `UsageError` if it is none, or
    if nobody can tell where it is."""
    try:
        start = Path(path).absolute()
    except FileNotFoundError:
        raise UsageError(
            Diagnostic("no-workspace", "the working directory does not exist any more")
        ) from None
    try:
        is_directory = start.is_dir()
    except OSError as error:
        raise _unreadable(path, error) from None
    if not is_directory:
        raise UsageError(Diagnostic("no-workspace", f"`{path}` is no directory"))
    return start


def _unreadable(path: Path | str, error: OSError) -> UsageError:
    why = error.strerror or "it cannot be looked at"
    return UsageError(Diagnostic("no-workspace", f"cannot read `{path}`: {why}"))


def _is_root(directory: Path) -> bool:
    """Whether a directory is the root of a workspace."""
    markers = [directory / marker for marker in ROOT_MARKERS]
    for marker in markers:
        looks.at(str(marker))
    return any(marker.is_file() for marker in markers)


def _home_and_above() -> tuple[Path, ...]:
    home = Path(os.path.expanduser("~"))  # noqa: PTH111  (`Path.home` fails where there is none)
    return (home, *home.parents)


def _workspace_around(root: Path) -> str | None:
    """The outermost workspace that another lies in, both in one checkout, by its real path: what
    tests and examples of a rule set share with it. Never the user's home, nor what it lies in."""
    around, home = None, _home_and_above()
    inner = root
    for directory in root.parents:
        looks.at(str(inner / ".git"))
        if directory in home or (inner / ".git").exists():
            break
        if _is_root(directory):
            around = MACHINE.real_path(str(directory)).rstrip("/")
        inner = directory
    return around


class Workspace(FileTree):
    """A Bazel workspace: the main repository's files."""

    @classmethod
    def open(cls, path: Path | str, links_to: Iterable[Path | str] = ()) -> Workspace:
        """The workspace at or above `path`; its symbolic links may lead into the directories
        `links_to`, and into the workspace that it lies in. Raises `UsageError` if there is none, or
        if one of these is no directory."""
        start = absolute_directory(path)
        reals = (MACHINE.real_path(str(absolute_directory(one))) for one in links_to)
        also = tuple(real.rstrip("/") for real in reals)  # What is below begins with a slash.
        try:
            for candidate in (start, *start.parents):
                if _is_root(candidate):
                    around = _workspace_around(candidate)
                    return cls(candidate, also=also if around is None else (*also, around))
        except OSError as error:
            raise _unreadable(path, error) from None
        raise UsageError(
            Diagnostic(
                "no-workspace",
                f"`{path}` is not within a Bazel workspace",
                hint="a workspace's root holds a file `WORKSPACE`, `WORKSPACE.bazel` or"
                " `MODULE.bazel`",
            )
        )

    def bazel_version(self) -> str | None:
        """The version that the file `asks_for_bazel` asks for, if it names one."""
        path = self.asks_for_bazel()
        if path == _OF_BAZELISK:
            return self._bazelisk_version()
        return next((line.strip() for line in self._lines_of(path) if line.strip()), None)

    def asks_for_bazel(self) -> str:
        """The file that decides which Bazel is run: `.bazeliskrc` goes before `.bazelversion` if it
        sets `USE_BAZEL_VERSION`. Bazelisk: `GetBazelVersion`, `parseFileConfig`."""
        return _OF_BAZELISK if self._bazelisk_version() else ".bazelversion"

    def _bazelisk_version(self) -> str | None:
        pairs = (line.partition("=") for line in self._lines_of(_OF_BAZELISK))
        values = [value.strip() for name, _, value in pairs if name.strip() == "USE_BAZEL_VERSION"]
        return values[-1] if values else None

    def _lines_of(self, path: str) -> list[str]:
        try:
            return self.read(path).text.split("\n") if self.is_file(path) else []
        except LoadingError:
            return []

    def remedy_of_missing(self, directory: str) -> str:
        """How to get `directory`, if it lies in a submodule of git that is not checked out (its
        own directory is empty or not there), or if a configure script names it; else no text.
        git: `.gitmodules`."""
        modules = self.read_if_there(".gitmodules")
        for path in _SUBMODULE_PATH.findall(modules.text) if modules is not None else ():
            if f"{directory}/".startswith(f"{path}/") and not self.listing(path).entries:
                return f"check out the submodule: `git submodule update --init {path}`"
        if "/" not in directory:
            return ""  # A name of one segment is a word like any other.
        if self._scripts is None:
            from bazelscope.flags.configure_scripts import ConfigureScripts

            self._scripts = ConfigureScripts(self.read_if_there)
        mention = self._scripts.mention_of(directory)
        return mention.remedy if mention is not None else ""

    def read_if_there(self, path: str) -> SourceFile | None:
        """The text of the file at `path`; None where it is not there or cannot be read."""
        try:
            return self.read(path) if self.is_file(path) else None
        except LoadingError:
            return None


_LINE_END = lazy_pattern(r"\r\n|\r|\n")
_SUBMODULE_PATH = lazy_pattern(r"^[ \t]*path[ \t]*=[ \t]*(\S.*?)[ \t]*$", re.MULTILINE)


def is_clean(path: str) -> bool:
    """Whether `path` is relative, without `.`, `..`, empty segments and NUL."""
    if not path:
        return True
    if "\0" in path or path.startswith("/"):
        return False
    if "//" in path or path.endswith("/"):
        return False
    return "." not in path or not any(part in (".", "..") for part in path.split("/"))
