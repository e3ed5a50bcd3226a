"""A disk that notes every path that it is asked about."""

from __future__ import annotations

from bazelscope.loading.tree.disk import Disk, Entry, EntryKind, Stamp


class RecordedDisk:
    """Answers as `below` does. Whoever read nothing but what this disk gave would come to the
    same again as long as nothing at any path of `touched` is different."""

    def __init__(self, below: Disk) -> None:
        self.below = below
        self.touched: set[str] = set()

    def take(self) -> set[str]:
        """Takes out what was touched since the last time, for another process to `add`."""
        taken, self.touched = self.touched, set()
        return taken

    def add(self, taken: set[str]) -> None:
        """Notes what another process was given in the place of this one."""
        self.touched |= taken

    @property
    def space(self) -> str:
        return self.below.space

    def stamp(self, path: str) -> Stamp:
        self.touched.add(path)
        return self.below.stamp(path)

    def kind(self, path: str) -> EntryKind | None:
        self.touched.add(path)
        return self.below.kind(path)

    def entries(self, directory: str) -> list[Entry]:
        self.touched.add(directory)
        return self.below.entries(directory)

    def link(self, path: str) -> str:
        self.touched.add(path)
        return self.below.link(path)

    def real_path(self, path: str) -> str:
        self.touched.add(path)
        return self.below.real_path(path)

    def read(self, path: str, shown: str) -> bytes:
        self.touched.add(path)
        return self.below.read(path, shown)
