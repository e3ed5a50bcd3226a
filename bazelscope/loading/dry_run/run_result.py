"""What a repository rule is given when it is run dry, and what comes of it.

Apart from what runs it, which a run that finds all results kept has no need of.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Protocol

from bazelscope.base.errors import Diagnostic
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.unknown import Unknown
from bazelscope.loading.evaluation.values.symbolic_values import Decider
from bazelscope.loading.packages.repository_access import FileFound
from bazelscope.loading.packages.repository_content import VirtualFile

FAIL = "starlark-fail"
"""The code of a program's own `fail()`."""
STOPS = "its repository rule stops here"
_LONGEST = 400
"""Characters of what a rule says in its `fail()`, where a part of it cannot be told."""


class FilesOfRepositories(Protocol):
    """The files that a dry run may read: the workspace's and other repositories'."""

    def find_file(self, repository: str, path: str) -> FileFound | Unknown | None: ...
    def read_text(self, file: FileFound) -> str | Unknown: ...
    def directory_of(self, repository: str) -> str | None:
        """The directory of a repository on this machine."""

    def locate(self, absolute: str) -> tuple[str, str] | None:
        """Repository and path of an absolute path, if it lies in a known repository."""

    def files_below(self, repository: str, directory: str) -> tuple[str, ...] | Unknown: ...
    def is_ready(self, repository: str) -> bool:
        """Whether its content has been looked for already."""


@dataclass(frozen=True, slots=True)
class DryRunSettings:
    """What the machine and the command line give to a repository rule."""

    operating_system: str
    """`linux`, `mac os x`, `windows 10`, as `repository_ctx.os.name` says it."""
    architecture: str
    environment: Mapping[str, str]
    label_value: Callable[[Label], object]
    deciding: Callable[[Decider], AbstractContextManager[None]]
    """Lets decisions answer what values of unknown files are asked, while it lasts."""


@dataclass(frozen=True, slots=True)
class Download:
    """One archive or file that the rule downloads."""

    urls: tuple[str, ...]
    sha256: str
    output: str


class NestedTooDeep(BaseException):
    """A repository is asked for while too many wait for one another; the run is repeated once it
    is placed. No `Exception`: it is no fault of what runs."""

    def __init__(self, repository: str) -> None:
        self.repository = repository


@dataclass(frozen=True, slots=True)
class DryRunResult:
    """The files that the rule would write, and what could not be known about them."""

    files: Mapping[str, VirtualFile]
    open_below: Mapping[str, Unknown]
    downloads: tuple[Download, ...]
    patches: tuple[str, ...]
    programs: tuple[str, ...]
    assumptions: tuple[Unknown, ...]
    failure: Diagnostic | None = None
    """Why the rule did not come to its end; `files` is what it had written by then."""

    @property
    def refusal(self) -> Diagnostic | None:
        """The rule's own `fail()`, if Bazel comes to it, too: nothing before was decided without
        being known."""
        stops, failure = self.open_below.get(""), self.failure
        if failure is None or failure.code != FAIL or self.assumptions:
            return None
        if stops is None or not stops.detail.startswith(STOPS):
            return None
        from bazelscope.loading.dry_run.unknown_pieces import (
            shown_without_pieces,
            split_at_pieces,
        )

        if any(is_piece for _, is_piece in split_at_pieces(failure.message)):
            return replace(failure, message=shown_without_pieces(failure.message, _LONGEST))
        return failure
