"""The files that two states of a git repository have differently."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from bazelscope.base.errors import LoadingError
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.loading.tree.disk import Disk, EntryKind
from bazelscope.loading.tree.git_disk import GitDisk
from bazelscope.loading.tree.git_states import GitStates

_ROUNDS = 5
"""Links to links to what has changed are followed so often."""


@dataclass(frozen=True, slots=True)
class ChangedFiles:
    """Absolute paths without links: `edited` are files in both states, `others` came, went, or
    became something else (a link to other content, a directory, another commit of a submodule)."""

    top: str
    root: str
    edited: frozenset[str]
    others: frozenset[str]

    @property
    def shown(self) -> tuple[str, ...]:
        """All of them as users know them, sorted."""
        return tuple(sorted(map(self.name, self.edited | self.others)))

    def name(self, path: str) -> str:
        """A path from the workspace's root on, or else from the top of the repository."""
        below = path.removeprefix(f"{self.root}/")
        return below if below != path else path.removeprefix(f"{self.top}/")

    def touches(self, path: str) -> bool:
        """Whether what is at `path`, a file or a directory of files, differs."""
        return path in self._at_or_above or (
            bool(self.others) and any(above in self.others for above in _above(path))
        )

    @property
    def may_touch(self) -> Callable[[str], bool]:
        """Whether `touches` may say so of the file of a label, by its last part alone."""
        if self.others:
            return lambda label: True
        names = {path.rpartition("/")[2] for path in self._at_or_above}
        return lambda label: label.rpartition(":")[2].rpartition("/")[2] in names

    @property
    def _at_or_above(self) -> frozenset[str]:
        return _at_or_above(self.edited | self.others, self.top)


_KNOWN: dict[frozenset[str], frozenset[str]] = {}


def _at_or_above(paths: frozenset[str], top: str) -> frozenset[str]:
    known = _KNOWN.get(paths)
    if known is None:
        _KNOWN.clear()
        known = _KNOWN[paths] = frozenset(
            above for path in paths for above in (path, *_above(path)) if len(above) > len(top)
        )
    return known


def _above(path: str) -> Iterator[str]:
    while path := path.rpartition("/")[0]:
        yield path


def changed_files(
    states: GitStates,
    root: str,
    since: str,
    until: str,
    before: Disk,
    after: Disk,
    links: Iterable[tuple[str, str]],
) -> ChangedFiles:
    """Compares the states file by file, where git says that something may differ. `root` is the
    workspace's, without links. `links` are
    symbolic links, from the top of the repository, and where they lead to: what a link leads to
    differs under its name, too."""
    top = next((disk.top for disk in (before, after) if isinstance(disk, GitDisk)), "")
    edited: set[str] = set()
    others: set[str] = set()
    for path in states.candidates(since, until):
        full = f"{top}/{path.rstrip('/')}"
        kinds = [_state(disk, full) for disk in (before, after)]
        if all(disk.kind(full) is EntryKind.FILE for disk in (before, after)):
            # Bazel reads a link to a file as that file.
            if _content(before, full) != _content(after, full):
                (edited if kinds[0] == kinds[1] else others).add(full)
        elif kinds[0] != kinds[1]:
            others.add(full)
    others.update(f"{top}/{path}" for path in states.submodules(since, until))
    for _ in range(_ROUNDS):
        size = len(edited) + len(others)
        for link, leads_to in links:
            for group in (edited, others):
                below = [p for p in group if p == leads_to or p.startswith(f"{leads_to}/")]
                group.update(f"{top}/{link}{path[len(leads_to) :]}" for path in below)
        if len(edited) + len(others) == size:
            break
    return ChangedFiles(top, root, frozenset(edited), frozenset(others))


def _state(disk: Disk, path: str) -> tuple[EntryKind | None, str]:
    """What is at a path: for a link, what it says."""
    try:
        return None, disk.link(path)
    except OSError:
        return disk.kind(path), ""


def _content(disk: Disk, path: str) -> bytes | None:
    try:
        return disk.read(path, path)
    except LoadingError:
        return None
