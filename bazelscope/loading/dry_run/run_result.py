"""What a repository rule is given when it is run dry, and what comes of it.

Apart from what runs it, which a run that finds all results kept has no need of.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Protocol

from bazelscope.base.errors import Diagnostic
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.base.source import SourceFile
from bazelscope.base.unknown import Unknown
from bazelscope.bazel.release import Release
from bazelscope.loading.evaluation.values.symbolic_values import Decider
from bazelscope.loading.packages.repository_access import FileFound
from bazelscope.loading.packages.repository_content import VirtualFile

FAIL = "starlark-fail"
"""The code of a program's own `fail()`."""
NO_FILE = "no-file"
"""The code of an error: a label that a rule wants the path of names no file."""
NO_ADDRESS = "no-address"
"""The code of an error: of what a rule downloads no address counts."""
SURE = "repository-rule"
"""The code of an error of the language, or of a function of Bazel's, that a repository rule comes
to whatever is not known."""
_SET_FOR_BAZEL = "HOME"
"""A variable without which Bazel does not start. Whoever asks whether it is set is told that it is
not, since most look for files of the user's there that builds hardly have."""
_MISSING_KEY = lazy_pattern(r'key "(.*)" not found in dictionary')
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

    def missing_package(self, repository: str, package: str) -> str | None:
        """How Bazel says that there is no such package; None where there may be one."""


def mends_missing(label: Label) -> str | None:
    """Returns what the user may do about a label of no package; None in another repository."""
    if label.repository:
        return None
    place = f"`{label.package}`" if label.package else "the root"
    return f"let {place} be a package: it needs a BUILD file, an empty one does, and is not ignored"


@dataclass(frozen=True, slots=True)
class DryRunSettings:
    """What the machine and the command line give to a repository rule."""

    operating_system: str
    """`linux`, `mac os x`, `windows 10`, as `repository_ctx.os.name` says it."""
    architecture: str
    uname: Mapping[str, str]
    """What `uname` says with each option that can be told."""
    environment: Mapping[str, str]
    label_value: Callable[[Label], object]
    deciding: Callable[[Decider], AbstractContextManager[None]]
    """Lets decisions answer what values of unknown files are asked, while it lasts."""
    release: Release


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
    """Why the rule did not come to its end; `files` is what it had written by then. None, too,
    where it may have been given other arguments."""

    @property
    def refusal(self) -> Diagnostic | None:
        """Why the rule fails, if Bazel comes to it, too: nothing before was decided without being
        known, nor, where it is not the rule's own `fail()` or the like, asked of anything unknown.
        """
        failure = self.failure
        if failure is None or self.assumptions:
            return None
        missing = _MISSING_KEY.fullmatch(failure.message)
        if missing is not None and missing[1] == _SET_FOR_BAZEL:
            return None
        if failure.code not in (FAIL, NO_ADDRESS, NO_FILE, SURE) and missing is None:
            return None
        from bazelscope.loading.dry_run.unknown_pieces import shown_without_pieces, split_at_pieces

        if any(is_piece for _, is_piece in split_at_pieces(failure.message)):
            return replace(failure, message=shown_without_pieces(failure.message, _LONGEST))
        return failure

    def with_remedy(
        self, reads: Collection[str], environment: Mapping[str, str], files: FilesOfRepositories
    ) -> DryRunResult:
        """The result, with what mends it where the rule fails for want of a variable: one of
        those that it says it `reads`, which the environment has not. A configure script among
        `files` that names the variable is what a user runs."""
        failure = self.failure
        missing = _MISSING_KEY.fullmatch(failure.message) if failure is not None else None
        if failure is None or missing is None or missing[1] not in set(reads) - set(environment):
            return self
        from bazelscope.flags.configure_scripts import ConfigureScripts

        def read(path: str) -> SourceFile | None:
            file = files.find_file("", path)
            text = files.read_text(file) if isinstance(file, FileFound) else None
            return SourceFile(path, text) if isinstance(text, str) else None

        hint = f"give the variable a value: --repo_env={missing[1]}=..., or in the environment"
        mention = ConfigureScripts(read).mention_of(missing[1])
        if mention is not None:
            hint = f"{mention.remedy}; or {hint}"
        return replace(self, failure=replace(failure, hint=hint))
