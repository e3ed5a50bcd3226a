"""What a dry run was told: every answer that it got, for a later run to compare.

A repository rule sees nothing but its code, its arguments, the settings of the run and what
`FilesOfRepositories` answers it. Where all of that is as it was, so is what the rule makes.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Protocol

from bazelscope.base.hashes import blake2b
from bazelscope.base.label import Label
from bazelscope.base.unknown import Unknown
from bazelscope.kept.pack import Input
from bazelscope.loading.cache.file_stamps import (
    EXTERNAL,
    FileStamps,
    UnsettledInputError,
    answer_digest,
    external_digest,
)
from bazelscope.loading.dry_run.run_result import FilesOfRepositories
from bazelscope.loading.evaluation.build_files.repo_file import REPO_FILE
from bazelscope.loading.evaluation.values.label_value import LabelValue
from bazelscope.loading.evaluation.values.repository_rule import RepositoryRule
from bazelscope.loading.evaluation.values.symbolic_values import UnknownValue
from bazelscope.loading.evaluation.workspace.repository_definitions import DefinedRepository
from bazelscope.loading.packages.repository_access import FileFound, RepositoryAccess
from bazelscope.loading.tree.contents import HOME
from bazelscope.loading.tree.workspace_files import IGNORE_FILE

CALL = "d"
"""The kind of input that is the call of the rule: `(CALL, digest)`."""

_DEEPEST = 16
_ROOT, _LOCAL = "root", "local"
"""What else than `external_digest` knows a dry run asks: the directory of a repository, and
which repositories are directories of this machine."""


class Answers(RepositoryAccess, FilesOfRepositories, Protocol):
    """The table of repositories, which dry runs ask."""

    def local_directories(self) -> tuple[tuple[str, str], ...]:
        """Names and paths of the repositories that are defined to be directories, sorted."""

    def is_settled(self, repository: str) -> bool:
        """Whether it answers for a repository what it will answer for the rest of the run."""


class RecordedFiles(FilesOfRepositories):
    """Hands on what `answers` says to one dry run, and keeps it."""

    def __init__(self, answers: Answers, stamps: FileStamps) -> None:
        self._answers = answers
        self._stamps = stamps
        self._root = answers.directory_of("")
        self._told: dict[tuple[str, str, str], object] = {}
        self._files: dict[str, None] = {}
        self._homes: dict[str, bytes] = {}
        self._contradicts = False

    def find_file(self, repository: str, path: str) -> FileFound | Unknown | None:
        if not repository:
            # Before it is looked for: what comes about after that is not what was file.
            self._take(f"{self._root}/{path}")
        file = self._answers.find_file(repository, path)
        if repository:
            self._note("file", repository, path, file)
        if isinstance(file, FileFound) and file.real_path is not None:
            self._take(file.real_path)
        return file

    def read_text(self, file: FileFound) -> str | Unknown:
        if file.real_path is not None:
            self._take(file.real_path)
        return self._answers.read_text(file)

    def directory_of(self, repository: str) -> str | None:
        directory = self._answers.directory_of(repository)
        if repository:
            self._note(_ROOT, repository, "", directory)
        return directory

    def locate(self, absolute: str) -> tuple[str, str] | None:
        place = self._answers.locate(absolute)
        if place is None:
            self._note(_LOCAL, "", "", self._answers.local_directories())
        elif place[0]:
            self.directory_of(place[0])
        return place

    def files_below(self, repository: str, directory: str) -> tuple[str, ...] | Unknown:
        names = self._answers.files_below(repository, directory)
        self._note("list", repository, directory, names)
        return names

    def is_ready(self, repository: str) -> bool:
        is_ready = self._answers.is_ready(repository)
        if is_ready:
            self.directory_of(repository)
        return is_ready

    def missing_package(self, repository: str, package: str) -> str | None:
        if not repository:
            # Before it is looked for, as above. A directory that is ignored holds no package.
            for name in (IGNORE_FILE, REPO_FILE):
                self._take(f"{self._root}/{name}")
            home = f"{self._root}/{package}".rstrip("/")
            self._homes[home] = self._stamps.has_build_file(home)
        why = self._answers.missing_package(repository, package)
        if repository:
            self._note("home", repository, package, why is None)
        return why

    def inputs(self) -> list[Input]:
        """All that was told, in order. Raises `UnsettledInputError` where it may not be so
        any more, or was not the same throughout."""
        if self._contradicts:
            raise UnsettledInputError(*self._told)
        inputs = [self._stamps.of(path) for path in self._files]
        inputs += [(HOME, home, has_one) for home, has_one in self._homes.items()]
        for (what, repository, path), answer in self._told.items():
            inputs.append((EXTERNAL, what, repository, path, answer_digest(answer)))
        return inputs

    def _take(self, path: str) -> None:
        self._stamps.take(path)
        self._files[path] = None

    def _note(self, what: str, repository: str, path: str, answer: object) -> None:
        before = self._told.setdefault((what, repository, path), answer)
        if before is not answer and before != answer:
            self._contradicts = True


class AnswerChecker:
    """Tells whether the inputs of dry runs still hold. `holds` does so for files and
    directories of this machine."""

    def __init__(self, answers: Answers, holds: Callable[[Input], bool]) -> None:
        self._answers = answers
        self._holds = holds
        self._known: dict[Input, bool] = {}

    def holds(self, recorded: Input) -> bool:
        """Whether a dry run would be told the same now."""
        if recorded[0] != EXTERNAL:
            return self._holds(recorded)
        known = self._known.get(recorded)
        if known is None:
            known = self._digest(*recorded[1:4]) == recorded[4]
            if self._answers.is_settled(recorded[2]):
                self._known[recorded] = known
        return known

    def _digest(self, what: str, repository: str, path: str) -> bytes:
        if what == _ROOT:
            return answer_digest(self._answers.directory_of(repository))
        if what == _LOCAL:
            return answer_digest(self._answers.local_directories())
        return external_digest(self._answers, what, repository, path)


def call_input(call: DefinedRepository) -> Input | None:
    """The call of a repository rule as an input; None where it cannot be told from another,
    since it hands over something that is no plain data."""
    rule = call.rule
    if not isinstance(rule, RepositoryRule):
        return None
    try:
        arguments = [(name, _told(value)) for name, value in call.arguments.items()]
    except ValueError:
        return None
    definition = call.definition
    told = (definition.name, definition.location, rule.name, rule.defined_at, arguments)
    digest = blake2b(repr(told).encode("utf-8", "surrogatepass"), digest_size=16)
    return (CALL, digest.digest())


def _told(value: object, depth: int = 0) -> object:
    """All that there is to tell about a value. Raises `ValueError` for what is no plain data.

    A list is frozen when its file ends: before and after, it is the same to the rule.
    """
    kind = type(value)
    if value is None or kind in (bool, int, str, Label):
        return value
    if isinstance(value, LabelValue):
        return ("Label", value.label)
    if isinstance(value, UnknownValue):
        return ("unknown", value.text, value.unknown)
    if depth < _DEEPEST and isinstance(value, list | tuple):
        return (isinstance(value, tuple), [_told(element, depth + 1) for element in value])
    if depth < _DEEPEST and isinstance(value, dict):
        pairs = itertools.chain.from_iterable(value.items())
        return ("dict", [_told(element, depth + 1) for element in pairs])
    raise ValueError(kind)
