"""What loading asks of external repositories: their definitions, files, and the names they see."""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from typing import Protocol

from bazelscope.base.errors import Diagnostic, Note
from bazelscope.base.hashes import blake2b
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.unknown import Unknown
from bazelscope.loading.packages.targets import Provenance, Repository

NO_REPOSITORY = "no-repository"
"""The code of an error: a repository cannot be made, whatever its rule would do."""
OF_EXTENSION = "module-extension-failed"
"""The code of an error: the module extension fails that would make a repository."""


def why_unmade(repository: str, failure: Diagnostic) -> Note:
    """Where Bazel stops that would make a repository."""
    fails = f"@{repository} has a rule that fails"
    if failure.code == NO_REPOSITORY:
        fails = f"@{repository} is defined here"
    elif failure.code == OF_EXTENSION:
        fails = f"@{repository} is of a module extension that fails"
    return Note(fails, failure.span)


@dataclass(frozen=True, slots=True)
class FileFound:
    """A file of some repository: either `real_path` on this machine, or its `text`."""

    display_path: str
    provenance: Provenance
    real_path: str | None = None
    text: str | None = None


@dataclass(frozen=True, slots=True)
class PartlyKnownFile(FileFound):
    """A file of which not every piece is known, or of which the real one may hold more.

    `unknown_names` are identifiers that stand in the text for unknown pieces: whoever runs
    the file predeclares them as unknown values. `unknowns` are what was not known when the
    file was written. `may_lack` is why the real file, of which this is a model, may have
    targets or symbols that this one has not.
    """

    unknowns: tuple[Unknown, ...] = ()
    unknown_names: Mapping[str, Unknown] = field(default_factory=dict)
    may_lack: Unknown | None = None


class SeenNames(dict[str, str]):
    """Apparent names and what they stand for, in one object for all repositories that see the
    same: thousands may."""

    @cached_property
    def digest(self) -> bytes:
        """A hash of them, whatever their order."""
        return blake2b(repr(sorted(self.items())).encode(), digest_size=16).digest()


class RepositoryMapping(Mapping[str, str]):
    """What apparent names stand for, with a hash that is found once for all that see the same."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names if isinstance(names, SeenNames) else SeenNames(names)

    @property
    def digest(self) -> bytes:
        """A hash of the apparent names and what they stand for."""
        return self._names.digest

    def __getitem__(self, name: str) -> str:
        return self._names[name]

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def items(self) -> ItemsView[str, str]:
        return self._names.items()


class RepositoryAccess(Protocol):
    """The external repositories of one workspace, as far as they are known."""

    @property
    def diagnostics(self) -> Sequence[Diagnostic]: ...

    def get(self, name: str) -> Repository | None:
        """The repository of that canonical name; None if nothing defines it."""

    def remedy_of_missing(self, name: str) -> str:
        """What would bring a repository that nothing defines; no text where nobody can tell."""

    def failure_of(self, name: str) -> Diagnostic | None:
        """The `fail()` in which the repository's own rule ends under any Bazel; None if it does
        not, or nobody can tell."""

    def repo_mapping(self, repository: str) -> Mapping[str, str]:
        """Apparent to canonical names, as files of `repository` see them."""

    def find_file(self, repository: str, path: str) -> FileFound | Unknown | None:
        """The file at `path` of `repository`; None if it certainly does not exist."""

    def build_file(self, repository: str, package: str) -> FileFound | Unknown | None:
        """The BUILD file of a package; None if there is certainly no such package."""

    def list_files(self, repository: str, package: str) -> Sequence[str] | Unknown:
        """All files below a package, relative to it, for globs where the repository has
        no directory (`Repository.root` is None)."""
