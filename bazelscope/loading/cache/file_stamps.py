"""What an evaluated package was made from, in a form that a later run can check cheaply.

A file is checked by its times and size, a directory by its modification time (which changes
whenever an entry comes or goes), content of an external repository that is no file by a hash.
"""

# ruff: noqa: PTH116  (hundreds of files: `os.stat` on a string is three times faster)

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Protocol

from bazelscope.loading.evaluation.build_files.package_evaluation import BuildFile
from bazelscope.loading.evaluation.bzl_files.module_loader import LoadedModule
from bazelscope.loading.packages.repository_access import (
    FileFound,
    PartlyKnownFile,
    RepositoryAccess,
)
from bazelscope.loading.packages.targets import Provenance
from bazelscope.loading.tree.globs import TreeFiles

if TYPE_CHECKING:
    from bazelscope.loading.tree.workspace_files import FileTree

FILE, DIRECTORY, EXTERNAL = "f", "d", "x"

Input = tuple[Any, ...]
"""`(FILE, path, mtime, ctime, size)` (size -1: it did not exist), `(DIRECTORY, path, mtime)` or
`(EXTERNAL, what, repository, path, digest)` with `what` one of `file`, `build`, `list`, `map`."""

_SETTLED = 50_000_000
"""A file that changed within so many nanoseconds could change again under the same times."""


class UnsettledInputError(Exception):
    """An input changed only just now: what was made of it is not to be kept."""


def is_settled(*times: int) -> bool:
    """Whether what changed at these times would have another time if it changed again."""
    return time.time_ns() - max(times) >= _SETTLED


class FileStamps:
    """The times and sizes of files, taken before they are read."""

    def __init__(self) -> None:
        self._stamps: dict[str, Input] = {}
        self._unsettled: set[str] = set()

    def take(self, path: str) -> None:
        """Notes the state of a file that is about to be read."""
        if path in self._stamps:
            return
        stamp = self._stamps[path] = file_input(path)
        if not is_settled(stamp[2], stamp[3]):
            self._unsettled.add(path)

    def of(self, path: str) -> Input:
        """The state of a file when it was read. Raises `UnsettledInputError`."""
        self.take(path)
        if path in self._unsettled:
            raise UnsettledInputError(path)
        return self._stamps[path]


def file_input(path: str) -> Input:
    """The state of a file now."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return (FILE, path, 0, 0, -1)
    return (FILE, path, status.st_mtime_ns, status.st_ctime_ns, status.st_size)


def directory_input(path: str) -> Input:
    """The state of a directory now."""
    try:
        return (DIRECTORY, path, os.stat(path).st_mtime_ns)
    except (OSError, ValueError):
        return (DIRECTORY, path, 0)


def directory_inputs(tree: FileTree, directories: Iterable[str]) -> list[Input]:
    """The states of directories when they were listed."""
    found = []
    for directory in sorted(directories):
        stamp = tree.stamp(directory)
        if not is_settled(stamp):
            raise UnsettledInputError(directory)
        found.append((DIRECTORY, f"{tree.root}/{directory}", stamp))
    return found


class InputChecker:
    """Tells whether inputs still hold; each is looked at once per run."""

    def __init__(self, table: TableSource) -> None:
        self._table = table
        self._known: dict[Input, bool] = {}
        self._digests: dict[tuple[str, str, str], bytes] = {}

    def holds(self, item: Input) -> bool:
        """Whether what the input describes is unchanged."""
        found = self._known.get(item)
        if found is None:
            found = self._known[item] = self._check(item)
        return found

    def _check(self, item: Input) -> bool:
        if item[0] == FILE:
            return file_input(item[1]) == item
        if item[0] == DIRECTORY:
            return directory_input(item[1]) == item
        _, what, repository, path, digest = item
        known: bytes = digest
        return self.digest(what, repository, path) == known

    def digest(self, what: str, repository: str, path: str) -> bytes:
        """A hash of what an external repository answers, once all repositories are defined."""
        asked = (what, repository, path)
        found = self._digests.get(asked)
        if found is None:
            found = external_digest(self._table.table, what, repository, path)
            self._digests[asked] = found
        return found


class TableSource(Protocol):
    """Who has the repositories; a loader that makes them when they are first asked for."""

    @property
    def table(self) -> RepositoryAccess: ...


def external_digest(access: RepositoryAccess, what: str, repository: str, path: str) -> bytes:
    """A hash of what an external repository answers."""
    answer: object
    if what == "file":
        answer = access.find_file(repository, path)
    elif what == "build":
        answer = access.build_file(repository, path)
    elif what == "list":
        answer = access.list_files(repository, path)
    else:
        answer = sorted(access.repo_mapping(repository).items())
    return answer_digest(answer)


def answer_digest(answer: object) -> bytes:
    """A hash of an answer that something rests on."""
    if isinstance(answer, FileFound):
        shown = (answer.display_path, answer.provenance.value, answer.real_path, answer.text)
        if isinstance(answer, PartlyKnownFile):
            partly = (answer.unknowns, sorted(answer.unknown_names.items()), answer.may_lack)
            return answer_digest((*shown, *partly))
        answer = shown
    return hashlib.blake2b(repr(answer).encode("utf-8", "surrogatepass"), digest_size=16).digest()


Digest = Callable[[str, str, str], bytes]
"""Hashes what an external repository answers, as `external_digest` does."""


def module_inputs(
    modules: Iterable[LoadedModule], stamps: FileStamps, digest: Digest
) -> list[Input]:
    """What a set of modules was read from. Raises `UnsettledInputError`."""
    found: list[Input] = []
    mappings: set[str] = set()
    for module in modules:
        label = module.label
        path = f"{label.package}/{label.name}" if label.package else label.name
        if module.real_path is not None:
            found.append(stamps.of(module.real_path))
        if label.repository and module.provenance is not Provenance.WORKSPACE:
            found.append(_external(digest, "file", label.repository, path))
            mappings.add(label.repository)
    found.extend(_external(digest, "map", repository, "") for repository in sorted(mappings))
    return found


def package_inputs(
    file: BuildFile,
    real_path: str | None,
    tree: FileTree | None,
    modules: Iterable[LoadedModule],
    stamps: FileStamps,
    digest: Digest,
) -> tuple[Input, ...]:
    """Everything that one package was made from. Raises `UnsettledInputError`."""
    repository, package = file.id
    found = module_inputs(modules, stamps, digest)
    if real_path is not None:
        found.append(stamps.of(real_path))
    if repository:
        found.append(_external(digest, "build", repository, package))
        found.append(_external(digest, "map", repository, ""))
    if tree is not None:
        directories = {package}
        if isinstance(file.files, TreeFiles):
            directories |= file.files.directories
        found.extend(directory_inputs(tree, directories))
    elif repository:
        found.append(_external(digest, "list", repository, package))
    return tuple(found)


def _external(digest: Digest, what: str, repository: str, path: str) -> Input:
    return (EXTERNAL, what, repository, path, digest(what, repository, path))
