"""What one dry run of a repository rule has written and asked for so far."""

from __future__ import annotations

import posixpath
from bisect import bisect_left
from dataclasses import field, replace

from bazelscope import starlark
from bazelscope.base.label import at_sign
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import Location
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.loading.dry_run.decisions import Decisions
from bazelscope.loading.dry_run.run_result import Download, DryRunSettings, FilesOfRepositories
from bazelscope.loading.dry_run.unified_diff import FileDiff, PatchError, file_diffs, patched
from bazelscope.loading.dry_run.unknown_pieces import UnknownPieces, before_pieces
from bazelscope.loading.dry_run.unknown_text import UnknownText
from bazelscope.loading.packages.repository_access import FileFound, PartlyKnownFile
from bazelscope.loading.packages.repository_content import VirtualFile
from bazelscope.loading.packages.targets import Provenance
from bazelscope.loading.tree.disk import EntryKind

MAXIMUM_FILES = 20_000
MAXIMUM_TEXT = 16 << 20
_LONGEST_CHAIN, _LONGEST_PATH = 40, 4096
"""Links that a path is followed through, and its characters. Linux: `path_resolution(7)`."""


@dataclass(slots=True)
class DryRunState:
    """The repository that a dry run makes, in memory; of an extension `FILE%NAME`, what it
    writes beside the repositories that it makes."""

    repository: str
    files_of: FilesOfRepositories
    settings: DryRunSettings
    location: Location | None
    plain_text: bool = False
    """Whether unknown texts are strings like any other, which no comparison recognises."""
    decisions: Decisions = field(default_factory=Decisions)
    files: dict[str, VirtualFile] = field(default_factory=dict)
    directories: set[str] = field(default_factory=set)
    """All above its files; they stay where these are deleted."""
    links: dict[str, str] = field(default_factory=dict)
    """Symlinks to directories of the repository and to what was not there when they were made: a
    path of its own or, of what certainly is not there, an absolute one."""
    open_below: dict[str, Unknown] = field(default_factory=dict)
    downloads: list[Download] = field(default_factory=list)
    patches: list[str] = field(default_factory=list)
    programs: list[str] = field(default_factory=list)
    text_size: int = 0
    canonical: str = ""
    """What this Bazel calls the repository in `@@...`, if not as it is named here."""
    absent: list[str] = field(default_factory=list)
    """Variables that it asked for by name and that have no value here."""
    waits_for: str | None = None
    """The repository that must be looked at before the rule can run to its end."""

    def __post_init__(self) -> None:
        self.decisions.text_with_pieces = self.text_with_pieces

    @property
    def pieces(self) -> UnknownPieces:
        return self.decisions.pieces

    def need(self, repository: str) -> None:
        """Stops the run if `repository` has not been looked at: the run is then repeated.

        Bazel restarts repository rules likewise when a label leads to another repository.
        """
        if repository and repository != self.repository and not self.files_of.is_ready(repository):
            self.waits_for = repository
            starlark.fail_with(f"waiting for repository @{repository}", code="dry-run-restart")

    def unknown(self, reason: Reason, what: str, detail: str) -> Unknown:
        is_extension = "%" in self.repository
        maker = self.repository if is_extension else at_sign(self.repository)
        return Unknown(reason, f"{maker}: {what}", detail, self.location)

    def unknown_text(self, unknown: Unknown) -> str:
        if self.plain_text:
            return self.pieces.text_for(unknown)
        return UnknownText.of(self.pieces.text_for(unknown), unknown, self.decisions)

    def text_with_pieces(self, text: str) -> str:
        """`text` as a value that knows of the unknown pieces in it, if there are any."""
        unknown = next(iter(self.pieces.inside(text).values()), None)
        if self.plain_text or unknown is None:
            return text
        return UnknownText.of(text, unknown, self.decisions)

    def open_directory(self, directory: str, unknown: Unknown) -> None:
        """From now on `directory` may hold files that nobody knows."""
        self.open_below.setdefault(directory, unknown)

    def led_to(self, path: str) -> str:
        """The path of the repository that `path` leads to by its `links`."""
        for _ in range(_LONGEST_CHAIN if self.links else 0):
            head = next((one for one in (path, *_above(path)) if one in self.links), None)
            if head is None:
                break
            path = self.links[head] + path[len(head) :]
        return path

    def kind_of(self, path: str) -> EntryKind | Unknown | None:
        """Whether a file or a directory is at `path`; None: neither is."""
        path = self.led_to(path)
        if path in self.files:
            return EntryKind.FILE
        if path in self.directories or (not path and self._is_made):
            return EntryKind.DIRECTORY
        return self.open_at(path)

    @property
    def _is_made(self) -> bool:
        """Whether the repository's own directory is there: Bazel makes it with the first file, so
        that a rule may make it a symlink. Measured: 0.24.1, 2.1.0, 4.2.3."""
        return bool(self.files or self.links or self.directories or self.programs)

    def open_at(self, path: str) -> Unknown | None:
        """Why nobody knows what is at `path`, if nobody does."""
        places = (path, *_above(path), "")
        return next((self.open_below[one] for one in places if one in self.open_below), None)

    def make_room(self, path: str) -> str:
        """Returns where a file written to `path` lies. Raises `StarlarkError` where Bazel can write
        none: a directory is there, or a file is where a directory would have to be."""
        self.links.pop(path, None)
        path = self.led_to(path)
        for above in _above(path):
            if above in self.files and self.open_at(above) is None:
                starlark.fail_with(f"{self.display(path)} (Not a directory)")
        if path in self.directories and any(name.startswith(f"{path}/") for name in self.files):
            starlark.fail_with(f"{self.display(path)} (Directory not empty)")
        return path

    def write(self, path: str, text: str, like: str | None = None, template: str = "") -> None:
        """A file of known text; `like` is the display path of the template it came from.

        A template that keeps its number of lines keeps its own path, so that places in it
        are those that people can open. Raises `StarlarkError` as `make_room` does.
        """
        path = self.make_room(path)
        self._count(len(text))
        pieces = self.pieces.inside(text)
        keeps_lines = like is not None and text.count("\n") == template.count("\n")
        display = like if like is not None and keeps_lines else self.display(path)
        unknowns = tuple(dict.fromkeys(pieces.values()))
        self.add(path, VirtualFile(text, display, unknowns, pieces))

    def write_unknown(self, path: str, unknown: Unknown) -> None:
        """A file that exists, with content that nobody knows."""
        path = self.make_room(path)
        self._count(0)
        self.add(path, VirtualFile(None, self.display(path), (unknown,)))

    def room_for_link(self, path: str, target: str) -> str:
        """Returns where a symlink at `path` lies. Raises `StarlarkError` where Bazel can make
        none."""
        if path in self.links or isinstance(self.kind_of(path), EntryKind):
            shown = self.display(path)
            starlark.fail_with(
                f"Could not create symlink from {target} to {shown}: {shown} (File exists)"
            )
        return self.make_room(path)

    def link_to(self, path: str, target: str) -> None:
        """A symlink to a directory of the repository, or to what is not there yet."""
        self._count(0)
        self.links[path] = target
        self.directories.update(_above(path))

    def link(self, path: str, target: FileFound) -> None:
        self._count(0)
        text, unknowns, names = target.text, tuple[Unknown, ...](), dict[str, Unknown]()
        if isinstance(target, PartlyKnownFile):
            unknowns = _unknowns_of(target)
            if text is not None:
                text = self.pieces.adopted(text, target.unknown_names)
                names = self.pieces.inside(text)
        self.add(path, VirtualFile(text, target.display_path, unknowns, names, target.real_path))

    def add(self, path: str, file: VirtualFile) -> None:
        """Puts a file at `path`; where a part of the path is not known, any file of the folder
        above may be that one."""
        self.files[path] = file
        self.directories.update(_above(path))
        known = before_pieces(path)
        if known is not None:
            (unknown, *_) = self.pieces.inside(path).values()
            self.open_directory(posixpath.dirname(known), unknown)

    def delete(self, path: str) -> bool:
        """Deletes a file, a link or a directory with all below it; whether there was one. Where
        nobody knows, there was."""
        was_there = path in self.links or self.kind_of(path) is not None
        starlark.charge(len(self.files) >> 2)
        prefix = f"{path}/" if path else ""
        for places in (self.files, self.links, self.open_below):
            for name in [one for one in places if one == path or one.startswith(prefix)]:
                del places[name]
        self.directories -= {
            one for one in self.directories if one == path or one.startswith(prefix)
        }
        return was_there

    def settle_links(self) -> None:
        """Puts files in the place of links whose targets were made after them."""
        names = sorted(self.files)
        for link in self.links:
            target = self.led_to(link)
            if target in self.files:
                self.files.setdefault(link, self.files[target])
            elif target in self.directories and len(self.files) < MAXIMUM_FILES:
                first, end = (bisect_left(names, f"{target}{sign}") for sign in "/0")
                below = names[first:end]  # No sign is between these two.
                self.files.update((link + one[len(target) :], self.files[one]) for one in below)
            elif target in self.directories:
                why = self.unknown(Reason.LIMIT, link, "it leads to more files than are followed")
                self.open_directory(link, why)

    def display(self, path: str) -> str:
        return f"external/{self.repository}/{path}"

    def text_of(self, path: str) -> str | Unknown | None:
        """The text of a file in the repository; None if nobody wrote one."""
        path = self.led_to(path)
        file = self.files.get(path)
        if file is not None:
            if file.text is not None:
                return file.text
            if file.real_path is not None:
                return self.files_of.read_text(
                    FileFound(file.display_path, Provenance.DRY_RUN, real_path=file.real_path)
                )
            return file.unknowns[0]
        return self.open_at(path)

    def files_below(self, directory: str) -> tuple[str, ...] | Unknown:
        """The files and links below a directory of the repository, relative to it."""
        directory = self.led_to(directory)
        unknown = self.open_at(directory)
        if unknown is not None:
            return unknown
        starlark.charge(len(self.files))
        prefix = f"{directory}/" if directory else ""
        paths = (*self.files, *self.directories, *self.links)
        return tuple([path[len(prefix) :] for path in paths if path.startswith(prefix)])

    def apply_patch(self, text: str, name: str, strip: int) -> None:
        """Changes the files that a patch is of, as far as they are known. Raises `StarlarkError`
        where Bazel can apply it to none of the known files."""
        for diff in file_diffs(text, strip):
            if diff.creates:
                if diff.path:
                    self.write(diff.path, diff.added)
                continue
            paths = [self.led_to(one) for one in (*diff.names, diff.path)]
            path = next((one for one in paths if one in self.files), paths[-1])
            file = self.files.get(path)
            if file is not None:
                self._change(path, file, diff, name)
            elif path and self.open_at(path) is None:
                starlark.fail_with(
                    f"Error applying patch {name}: Cannot find file to patch (near line"
                    f" {diff.line}), old file name ({diff.names[0]}) doesn't exist, new file name"
                    f" ({diff.names[1]}) doesn't exist."
                )

    def _change(self, path: str, file: VirtualFile, diff: FileDiff, name: str) -> None:
        if diff.deletes:
            self.delete(path)
        elif file.text is None or file.real_path is not None or file.unknown_names:
            unknown = self.unknown(Reason.NOT_MODELLED, path, f"changed by the patch {name}")
            self.files[path] = replace(
                file, text=None, real_path=None, unknowns=(unknown,), unknown_names={}
            )
        else:
            try:
                self.write(path, patched(file.text, diff.hunks))
            except PatchError as error:
                starlark.fail_with(f"Error applying patch {name}: {error}")

    def _count(self, size: int) -> None:
        self.text_size += size
        if len(self.files) + len(self.links) >= MAXIMUM_FILES or self.text_size > MAXIMUM_TEXT:
            raise MemoryError("the repository rule writes too much")


def _above(path: str) -> tuple[str, ...]:
    """The directories that lead to `path`, the nearest first; the repository's own is left out."""
    if len(path) > _LONGEST_PATH:
        starlark.fail_with(f"{path[:40]}... (File name too long)")
    parts = path.split("/")
    return tuple(["/".join(parts[:count]) for count in range(len(parts) - 1, 0, -1)])


def _unknowns_of(file: PartlyKnownFile) -> tuple[Unknown, ...]:
    return file.unknowns if file.may_lack is None else (*file.unknowns, file.may_lack)
