"""What one dry run of a repository rule has written and asked for so far."""

from __future__ import annotations

import posixpath
from dataclasses import field, replace

from bazelscope import starlark
from bazelscope.base.label import at_sign
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import Location
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.loading.dry_run.decisions import Decisions
from bazelscope.loading.dry_run.run_result import Download, DryRunSettings, FilesOfRepositories
from bazelscope.loading.dry_run.unified_diff import file_diffs
from bazelscope.loading.dry_run.unknown_pieces import UnknownPieces, before_pieces
from bazelscope.loading.dry_run.unknown_text import UnknownText
from bazelscope.loading.packages.repository_access import FileFound, PartlyKnownFile
from bazelscope.loading.packages.repository_content import VirtualFile
from bazelscope.loading.packages.targets import Provenance

MAXIMUM_FILES = 20_000
MAXIMUM_TEXT = 16 << 20


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

    def write(self, path: str, text: str, like: str | None = None, template: str = "") -> None:
        """A file of known text; `like` is the display path of the template it came from.

        A template that keeps its number of lines keeps its own path, so that places in it
        are those that people can open.
        """
        self._count(len(text))
        pieces = self.pieces.inside(text)
        keeps_lines = like is not None and text.count("\n") == template.count("\n")
        display = like if like is not None and keeps_lines else self.display(path)
        unknowns = tuple(dict.fromkeys(pieces.values()))
        self.add(path, VirtualFile(text, display, unknowns, pieces))

    def write_unknown(self, path: str, unknown: Unknown) -> None:
        """A file that exists, with content that nobody knows."""
        self._count(0)
        self.add(path, VirtualFile(None, self.display(path), (unknown,)))

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
        known = before_pieces(path)
        if known is not None:
            (unknown, *_) = self.pieces.inside(path).values()
            self.open_directory(posixpath.dirname(known), unknown)

    def delete(self, path: str) -> None:
        self.files.pop(path, None)
        prefix = f"{path}/"
        for name in [name for name in self.files if name.startswith(prefix)]:
            del self.files[name]

    def display(self, path: str) -> str:
        return f"external/{self.repository}/{path}"

    def text_of(self, path: str) -> str | Unknown | None:
        """The text of a file in the repository; None if nobody wrote one."""
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

    def open_at(self, path: str) -> Unknown | None:
        """Why nobody knows what lies at `path`; None if that is known."""
        for place, unknown in self.open_below.items():
            if not place or f"{path}/".startswith(f"{place}/"):
                return unknown
        return None

    def apply_patch(self, text: str, name: str, strip: int) -> None:
        """Marks what a patch changes. A file that it creates is known in full."""
        for diff in file_diffs(text, strip):
            path = diff.path
            if diff.creates and path:
                self.write(path, diff.added)
                continue
            file = self.files.get(path)
            if file is not None:
                unknown = self.unknown(Reason.NOT_MODELLED, path, f"changed by the patch {name}")
                self.files[path] = replace(
                    file, text=None, real_path=None, unknowns=(unknown,), unknown_names={}
                )

    def _count(self, size: int) -> None:
        self.text_size += size
        if len(self.files) >= MAXIMUM_FILES or self.text_size > MAXIMUM_TEXT:
            raise MemoryError("the repository rule writes too much")


def _unknowns_of(file: PartlyKnownFile) -> tuple[Unknown, ...]:
    return file.unknowns if file.may_lack is None else (*file.unknowns, file.may_lack)
