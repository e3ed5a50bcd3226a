"""What loading asks of external repositories, and what WORKSPACE evaluation asks of natives.

`repositories.py` answers the first protocol; the natives call the second while a WORKSPACE
file (or a macro that it calls) runs. Neither side imports the other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from bazelscope.base.errors import Diagnostic
from bazelscope.base.label import Label
from bazelscope.base.source import CallStack
from bazelscope.base.unknown import Unknown
from bazelscope.loading.packages.targets import Provenance, Repository, RepositoryDefinition

if TYPE_CHECKING:
    from bazelscope.loading.evaluation.rule_values import RepositoryRule


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
    targets that this one has not.
    """

    unknowns: tuple[Unknown, ...] = ()
    unknown_names: Mapping[str, Unknown] = field(default_factory=dict)
    may_lack: Unknown | None = None


class RepositoryAccess(Protocol):
    """The external repositories of one workspace, as far as they are known."""

    @property
    def definitions(self) -> Mapping[str, RepositoryDefinition]: ...
    @property
    def bindings(self) -> Mapping[str, Label]:
        """`bind(name, actual)`: the targets of the package `//external`."""

    @property
    def diagnostics(self) -> Sequence[Diagnostic]: ...
    @property
    def unknowns(self) -> Sequence[Unknown]: ...
    @property
    def workspace_name(self) -> str: ...

    def get(self, name: str) -> Repository | None:
        """The repository of that canonical name; None if nothing defines it."""

    def repo_mapping(self, repository: str) -> Mapping[str, str]:
        """Apparent to canonical names, as files of `repository` see them."""

    def find_file(self, repository: str, path: str) -> FileFound | Unknown | None:
        """The file at `path` of `repository`; None if it certainly does not exist."""

    def build_file(self, repository: str, package: str) -> FileFound | Unknown | None:
        """The BUILD file of a package; None if there is certainly no such package."""

    def list_files(self, repository: str, package: str) -> Sequence[str] | Unknown:
        """All files below a package, relative to it, for globs where the repository has
        no directory (`Repository.root` is None)."""


class WorkspaceCalls(Protocol):
    """Who receives the calls that only a WORKSPACE evaluation allows."""

    def define_repository(
        self, rule: RepositoryRule | str, arguments: Mapping[str, object], stack: CallStack
    ) -> None:
        """`rule` was called: a repository rule's value, or a native one's name."""

    def bind(self, name: str, actual: object, stack: CallStack) -> None: ...
    def set_workspace_name(self, name: str, stack: CallStack) -> None: ...
    def register(self, what: str, patterns: Sequence[object], stack: CallStack) -> None:
        """`register_toolchains` or `register_execution_platforms`."""

    def unknown_call(
        self, unknown: Unknown, keywords: Mapping[str, object], stack: CallStack
    ) -> None:
        """A symbol of an unknown file was called, which may define anything."""

    def existing_rules(self) -> Mapping[str, Mapping[str, object]]:
        """The definitions so far: name to attributes (with `name` and `kind`)."""

    def existing_rule(self, name: str) -> Mapping[str, object] | None:
        """The same of one name; None if nothing has it."""
