"""What a repository holds: a real directory, files of a dry run, or a model.

Every source of content answers the same questions with the same three outcomes: a file, an
`Unknown` (there may be such a file), or None (there certainly is none).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from typing import Protocol

from bazelscope.base.label import at_sign
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.loading.packages.repository_access import FileFound, PartlyKnownFile
from bazelscope.loading.packages.targets import Provenance
from bazelscope.loading.tree.contents import BUILD_FILE_NAMES
from bazelscope.loading.tree.disk import EntryKind
from bazelscope.loading.tree.workspace_files import FileTree, is_clean

MAXIMUM_LISTED_FILES = 500_000


class Content(Protocol):
    """The files of one repository, as far as they are known. Paths are relative to its root."""

    @property
    def provenance(self) -> Provenance: ...
    def find(self, path: str) -> FileFound | Unknown | None: ...
    def files_below(self, directory: str) -> tuple[str, ...] | Unknown:
        """All files below a directory, relative to it, sorted."""


def as_label(repository: str, path: str) -> str:
    """How a reader names the file at `path` of a repository: `@r//dir:file`."""
    directory, _, name = path.rpartition("/")
    return f"{at_sign(repository)}//{directory}:{name}" if name else at_sign(repository)


def find_build_file(content: Content, package: str) -> FileFound | Unknown | None:
    """The BUILD file of a package: `BUILD.bazel` before `BUILD`.

    A known `BUILD` beats an unknown `BUILD.bazel`: who writes the one does not also write the
    other, save where an archive brings it along.
    """
    if not is_clean(package):
        return None
    unknown: Unknown | None = None
    for name in BUILD_FILE_NAMES:
        file = content.find(f"{package}/{name}" if package else name)
        if isinstance(file, FileFound):
            return file
        unknown = unknown or file
    return unknown


@dataclass(frozen=True, slots=True)
class DirectoryContent:
    """A directory of this machine, perhaps with some files laid over it."""

    tree: FileTree
    provenance: Provenance
    overlay: Mapping[str, FileFound] = field(default_factory=dict)

    def find(self, path: str) -> FileFound | Unknown | None:
        laid_over = self.overlay.get(path)
        if laid_over is not None:
            return laid_over
        kind = self.tree.kind(path) if path else None
        if kind is None or kind is EntryKind.DIRECTORY:
            return None
        if kind is EntryKind.OUTSIDE_FILE:
            shown = self.tree.display(path)
            return Unknown(Reason.OUTSIDE, shown, "a symbolic link leads out of the repository")
        return FileFound(
            self.tree.display(path), self.provenance, real_path=str(self.tree.root / path)
        )

    def files_below(self, directory: str) -> tuple[str, ...] | Unknown:
        paths = set(_walk(self.tree, directory))
        prefix = f"{directory}/" if directory else ""
        paths.update(path[len(prefix) :] for path in self.overlay if path.startswith(prefix))
        return tuple(sorted(paths))


def _walk(tree: FileTree, directory: str) -> Iterable[str]:
    pending = [""]
    count = 0
    while pending:
        below = pending.pop()
        full = "/".join(part for part in (directory, below) if part)
        for name in tree.listing(full).entries:
            path = f"{below}/{name}" if below else name
            if tree.is_directory(f"{full}/{name}" if full else name):
                pending.append(path)
                continue
            count += 1
            if count > MAXIMUM_LISTED_FILES:
                return
            yield path


@dataclass(frozen=True, slots=True)
class VirtualFile:
    """A file that a dry run wrote: its text, or why that is not known."""

    text: str | None
    display_path: str
    unknowns: tuple[Unknown, ...] = ()
    unknown_names: Mapping[str, Unknown] = field(default_factory=dict)
    real_path: str | None = None
    """Where it is a plain copy of a file of this machine."""

    def found(self, provenance: Provenance, may_lack: Unknown | None = None) -> FileFound:
        """The file as a source of content hands it out."""
        if not self.unknowns and not self.unknown_names and may_lack is None:
            return FileFound(self.display_path, provenance, self.real_path, self.text)
        return PartlyKnownFile(
            self.display_path,
            provenance,
            self.real_path,
            self.text,
            self.unknowns,
            self.unknown_names,
            may_lack,
        )


@dataclass(frozen=True, slots=True)
class VirtualContent:
    """What a repository rule would write, in memory.

    `open_below` names directories (`""`: the whole repository) that may hold more, because
    an archive is unpacked there or a program runs there, and why that is not known. `may_lack`
    is why the real rule, of which a model has run, may write more `.bzl` files, and more in them.
    """

    repository: str
    provenance: Provenance
    files: Mapping[str, VirtualFile]
    open_below: Mapping[str, Unknown]
    may_lack: Unknown | None = None

    def find(self, path: str) -> FileFound | Unknown | None:
        lacks = self.may_lack if path.endswith(".bzl") else None
        file = self.files.get(path)
        if file is None:
            return self._may_hold(path) or lacks
        if file.text is None and file.real_path is None:
            return file.unknowns[0] if file.unknowns else Unknown(Reason.RUNS_PROGRAM, path)
        return file.found(self.provenance, lacks)

    def files_below(self, directory: str) -> tuple[str, ...] | Unknown:
        prefix = f"{directory}/" if directory else ""
        for place, unknown in self.open_below.items():
            inside = not place or directory == place or directory.startswith(f"{place}/")
            if inside or place.startswith(prefix):
                return unknown
        return tuple(sorted(path[len(prefix) :] for path in self.files if path.startswith(prefix)))

    def _may_hold(self, path: str) -> Unknown | None:
        for place, unknown in self.open_below.items():
            if not place or path == place or path.startswith(f"{place}/"):
                return Unknown(
                    unknown.reason,
                    as_label(self.repository, path),
                    unknown.detail,
                    unknown.location,
                )
        return None


@dataclass(frozen=True, slots=True)
class LayeredContent:
    """One content before another: the second is asked where the first does not know."""

    first: Content
    second: Content

    @property
    def provenance(self) -> Provenance:
        return self.first.provenance

    def find(self, path: str) -> FileFound | Unknown | None:
        first = self.first.find(path)
        if not isinstance(first, Unknown):
            return first
        behind = self.second.find(path)
        return behind if isinstance(behind, FileFound) else first

    def files_below(self, directory: str) -> tuple[str, ...] | Unknown:
        return self.first.files_below(directory)


@dataclass(frozen=True, slots=True)
class UnknownContent:
    """A repository of which nothing is known."""

    unknown_for: Callable[[str], Unknown]
    provenance: Provenance = Provenance.UNKNOWN

    def find(self, path: str) -> FileFound | Unknown | None:
        return self.unknown_for(path)

    def files_below(self, directory: str) -> tuple[str, ...] | Unknown:
        return self.unknown_for(directory)
