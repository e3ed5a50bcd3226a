"""What an evaluated package was made from, in a form that a later run can check cheaply.

Content decides: an input is a path and a hash. A *stamp* (device, inode, times, size) only saves
reading what certainly is as it was; it counts if it is older than the last look, so that a write
in the same tick of the clock would have changed it. So a checkout that changes every stamp and
no content costs no more than reading the files.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate
from typing import TYPE_CHECKING, Protocol

from bazelscope.base import looks
from bazelscope.base.hashes import blake2b
from bazelscope.base.label import Label
from bazelscope.base.memoized import memoized
from bazelscope.kept.pack import Input, Table
from bazelscope.loading.evaluation.build_files.build_file import BuildFile
from bazelscope.loading.evaluation.bzl_files.loaded_module import LoadedModule
from bazelscope.loading.evaluation.bzl_files.module_files import PRELUDE_PACKAGE, prelude_label
from bazelscope.loading.packages.repository_access import (
    FileFound,
    PartlyKnownFile,
    RepositoryAccess,
    RepositoryMapping,
)
from bazelscope.loading.packages.targets import Provenance
from bazelscope.loading.tree.contents import (
    ABSENT,
    DIRECTORY,
    FILE,
    HAS_ONE,
    HOME,
    content_digest,
    file_digest,
    is_settled,
    kind_of_file,
)
from bazelscope.loading.tree.disk import MACHINE, Disk, Stamp

if TYPE_CHECKING:
    from bazelscope.loading.tree.workspace_files import FileTree

EXTERNAL = "x"
"""The kinds of inputs: `(FILE, path, digest)`, `(DIRECTORY, path, digest)` and `(HOME,
path, digest)`, and `(EXTERNAL, what, repository, path, digest)` with `what` one of `file`, `build`,
`home`, `list`, `map`."""


_STAMPED = frozenset({FILE, DIRECTORY})


class UnsettledInputError(Exception):
    """An input changed while it was read: what was made of it is not to be kept."""


class FileStamps:
    """What files and directories hold: by a look at their stamps where those are known, by
    reading them otherwise. `table` has what earlier runs read; each is looked at once per run,
    and `take` has to be called before anything is made of it."""

    def __init__(self, table: Table | None = None, disk: Disk = MACHINE) -> None:
        self._table = table
        self._disk = disk
        self._taken: dict[str, tuple[Stamp, bool]] = {}
        self._inputs: dict[str, Input] = {}
        self._now: dict[tuple[str, str], bytes] = {}
        self._held: dict[str, tuple[Stamp, bytes]] = {}
        """What is as it was, of many that were looked at together."""

    def take(self, path: str) -> None:
        """Notes the state of a file that is about to be read."""
        if path not in self._taken:
            stamp = self._disk.stamp(path)
            self._taken[path] = stamp, is_settled(stamp)

    def forget(self, paths: Iterable[str]) -> None:
        """Looks at files anew when they are next asked for: they have changed in this run."""
        for path in paths:
            self._taken.pop(path, None)
            self._inputs.pop(path, None)
            self._now.pop((FILE, path), None)
            self._held.pop(FILE + path, None)
            self._now.pop((HOME, path.rpartition("/")[0]), None)

    def of(self, path: str, text: str | None = None) -> Input:
        """What a file held when it was read; `text` is what was made of it then, if that is at
        hand. Raises `UnsettledInputError`."""
        made = self._inputs.get(path)
        if made is None:
            self.take(path)
            stamp, settled = self._taken[path]
            kind = kind_of_file(path)
            read = _digest_of_text(text, stamp) if text is not None and kind == FILE else None
            digest = self._read_as(kind, path, stamp, settled, read)
            made = self._inputs[path] = (kind, path, digest)
        return made

    def of_directory(self, tree: FileTree, directory: str) -> Input:
        """What a directory held when it was listed. Raises `UnsettledInputError`."""
        path = f"{tree.root}/{directory}" if directory else str(tree.root)
        made = self._inputs.get(path)
        if made is None:
            stamp = tree.stamp(directory)
            listed = tree.digest(directory)
            digest = self._read_as(DIRECTORY, path, stamp, is_settled(stamp), listed)
            made = self._inputs[path] = (DIRECTORY, path, digest)
        return made

    def _read_as(
        self, kind: str, path: str, stamp: Stamp, settled: bool, read: bytes | None
    ) -> bytes:
        """The digest of what had this stamp when it was looked at before; `read` if that is known,
        and the stamp still the same."""
        if not settled:
            raise UnsettledInputError(path)
        digest, now = self._digest(kind, path, None if read is None else (stamp, read))
        if now != stamp:
            raise UnsettledInputError(path)
        return digest

    def holds(self, input: Input) -> bool:
        """Whether a file or directory holds what it held when the input was made."""
        kind, path, digest = input
        known = self._now.get((kind, path))
        if known is None:
            held = self._held.get(kind + path)
            is_absent = kind == DIRECTORY and self._is_below_nothing(path)
            known = ABSENT if is_absent else held[1] if held else self._digest(kind, path)[0]
            self._now[kind, path] = known
        return bool(known == digest)

    def are_as_stamped(self, inputs: Iterable[Input]) -> list[bool]:
        """Of each input, whether it is a file or directory whose stamp alone tells that it holds:
        of tens of thousands, since to ask of one after the other takes three times as long."""
        if self._table is None or self._disk is not MACHINE:
            return [False for _ in inputs]
        found: list[bool] = []
        held: dict[str, tuple[Stamp, bytes]] = {}
        row_of, look = self._table.rows().get, os.stat
        for input in inputs:
            holds = False
            if input[0] in _STAMPED:
                name = input[0] + input[1]
                row = row_of(name)
                # What is not as it was, or may not be, is noted by who looks closer.
                if row is not None and row[1] == input[2]:
                    try:
                        status = look(input[1])
                    except (OSError, ValueError):
                        found.append(False)
                        continue
                    # What `looks.stamp_from` does, without a call.
                    holds = row[0] == (
                        status.st_dev,
                        status.st_ino,
                        status.st_mtime_ns,
                        status.st_ctime_ns,
                        status.st_size,
                    )
                    if holds:
                        held[name] = row
            found.append(holds)
        self._held.update(held)
        if looks.current is not None:
            looks.current.held.update(held)
        return found

    def _is_below_nothing(self, path: str) -> bool:
        """Whether the directory above was not there: globs look into many that a rule makes."""
        above = self._now.get((DIRECTORY, path[: path.rfind("/")]))
        return above == ABSENT and self._disk is MACHINE

    def has_build_file(self, directory: str) -> bytes:
        """Whether a directory has a BUILD file, as the digest of that."""
        return self._digest(HOME, directory)[0]

    def _digest(
        self, kind: str, path: str, before: tuple[Stamp, bytes] | None = None
    ) -> tuple[bytes, Stamp]:
        """The digest of what is there now, and the stamp that goes with it. `before`: a settled
        stamp, and the digest of what was read after it."""
        stamp = self._disk.stamp(path)
        name = self._disk.space + kind + path
        row = self._table.get(name) if self._table is not None else None
        if row is not None and stamp and row[0] == stamp:
            digest: bytes = row[1]
            if looks.current is not None and self._disk is MACHINE:
                looks.current.digests[kind, path] = stamp, digest
            return digest, stamp
        if before is not None and before[0] == stamp:
            # Between two looks at the same stamp it was read: there is no need to read it again.
            digest, is_plain, after = before[1], True, stamp
        else:
            digest, is_plain = content_digest(self._disk, kind, path)
            after = self._disk.stamp(path) if self._table is not None else ()
        if self._table is not None and after == stamp:
            # What a link leads to may change without the directory that it is in.
            is_known = is_plain and bool(stamp) and is_settled(stamp)
            if is_known or row is not None:
                self._table.put(name, (stamp, digest) if is_known else None)
                if is_known and looks.current is not None and self._disk is MACHINE:
                    looks.current.digests[kind, path] = stamp, digest
        return digest, stamp


def _digest_of_text(text: str, stamp: Stamp) -> bytes | None:
    """The digest of a file of that stamp whose text was read; None where nobody can tell what its
    bytes were, since it is not in UTF-8 and so has fewer of them."""
    content = text.encode("utf-8")
    return file_digest(content) if stamp[-1:] == (len(content),) else None


class InputChecker:
    """Tells whether inputs still hold; each is looked at once per run."""

    def __init__(self, table: TableSource, stamps: FileStamps) -> None:
        self._table = table
        self._stamps = stamps

    def holds(self, input: Input) -> bool:
        """Whether what the input describes is unchanged."""
        if input[0] != EXTERNAL:
            return self._stamps.holds(input)
        _, what, repository, path, digest = input
        known: bytes = digest
        return self.digest(what, repository, path) == known

    @memoized
    def digest(self, what: str, repository: str, path: str) -> bytes:
        """A hash of what an external repository answers, once all repositories are defined."""
        return external_digest(self._table.table, what, repository, path)


class TableSource(Protocol):
    """Who has the repositories; a loader that makes them when they are first asked for."""

    @property
    def table(self) -> RepositoryAccess: ...


def external_digest(access: RepositoryAccess, what: str, repository: str, path: str) -> bytes:
    """A hash of what an external repository answers."""
    return answer_digest(external_answer(access, what, repository, path))


def external_answer(access: RepositoryAccess, what: str, repository: str, path: str) -> object:
    """What an external repository answers to one of the questions that `EXTERNAL` names."""
    failure = access.failure_of(repository) if what in ("file", "home") else None
    if failure is not None:
        return failure.message
    if what == "file":
        return access.find_file(repository, path)
    if what == "build":
        return access.build_file(repository, path)
    if what == "home":
        return access.build_file(repository, path) is not None
    if what == "list":
        return access.list_files(repository, path)
    mapping = access.repo_mapping(repository)
    return mapping.digest if isinstance(mapping, RepositoryMapping) else sorted(mapping.items())


def answer_digest(answer: object) -> bytes:
    """A hash of an answer that something rests on."""
    if isinstance(answer, FileFound):
        shown = (answer.display_path, answer.provenance.value, answer.real_path, answer.text)
        if isinstance(answer, PartlyKnownFile):
            partly = (answer.unknowns, sorted(answer.unknown_names.items()), answer.may_lack)
            return answer_digest((*shown, *partly))
        answer = shown
    return blake2b(repr(answer).encode("utf-8", "surrogatepass"), digest_size=16).digest()


Digest = Callable[[str, str, str], bytes]
"""Hashes what an external repository answers, as `external_digest` does."""


def module_inputs(
    modules: Iterable[LoadedModule], stamps: FileStamps, digest: Digest
) -> list[Input]:
    """What a set of modules was read from. Raises `UnsettledInputError`."""
    inputs: list[Input] = []
    mappings: set[str] = set()
    homes: dict[Input, None] = {}
    for module in modules:
        label = module.label
        path = label.path
        if module.real_path is not None:
            inputs.append(stamps.of(module.real_path))
        if label.repository and module.provenance is not Provenance.WORKSPACE:
            inputs.append(_external(digest, "file", label.repository, path))
            mappings.add(label.repository)
            homes |= dict.fromkeys(
                _external(digest, "home", label.repository, directory)
                for directory, _ in _packages_of(label)
            )
        else:
            homes |= homes_of(module, stamps)
    inputs.extend(_external(digest, "map", repository, "") for repository in sorted(mappings))
    return [*inputs, *homes]


def homes_of(module: LoadedModule, stamps: FileStamps) -> dict[Input, None]:
    """Which directories have to be packages, and which not, so that a file of the main repository
    can be loaded, if it could."""
    homes: dict[Input, None] = {}
    if module.module is not None and module.real_path is not None:
        root = module.real_path.removesuffix(module.label.path)
        for directory, is_one in _packages_of(module.label):
            home = (root + directory).rstrip("/")
            homes[HOME, home, HAS_ONE if is_one else stamps.has_build_file(home)] = None
    return homes


def _packages_of(label: Label) -> Iterator[tuple[str, bool]]:
    """The directory that has to be a package where `label` can be loaded, and those on the way to
    its file."""
    yield label.package, True
    for part in accumulate(label.name.split("/")[:-1], "{}/{}".format):
        yield f"{label.package}/{part}".removeprefix("/"), False


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
    inputs = module_inputs(modules, stamps, digest)
    if real_path is not None:
        inputs.append(stamps.of(real_path, None if repository else file.source.text))
    if repository:
        inputs.append(_external(digest, "build", repository, package))
        inputs.append(_external(digest, "map", repository, ""))
        inputs.append(_external(digest, "list", repository, PRELUDE_PACKAGE))
        inputs.append(_external(digest, "file", repository, prelude_label(repository).path))
    if tree is not None:
        directories = {package}
        if file.files is not None:
            directories |= file.files.directories
        inputs.extend(stamps.of_directory(tree, directory) for directory in sorted(directories))
    elif repository:
        inputs.append(_external(digest, "list", repository, package))
    return tuple(inputs)


def is_of_module(input: Input) -> bool:
    """Whether an input is the text of a `.bzl` file, or that it is of its package."""
    if input[0] == EXTERNAL:
        return input[1] in ("file", "home")
    return input[0] == HOME or (input[0] == FILE and str(input[1]).endswith((".bzl", ".scl")))


def renewed_inputs(
    inputs: tuple[Input, ...], modules: Iterable[LoadedModule], stamps: FileStamps, digest: Digest
) -> tuple[Input, ...]:
    """What a package is made from, of which nothing has changed but texts of `modules`. Raises
    `UnsettledInputError`."""
    texts = filter(is_of_module, module_inputs(modules, stamps, digest))
    return (*texts, *(input for input in inputs if not is_of_module(input)))


def _external(digest: Digest, what: str, repository: str, path: str) -> Input:
    return (EXTERNAL, what, repository, path, digest(what, repository, path))
