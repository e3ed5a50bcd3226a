"""What stands for repositories that MODULE.bazel files define, and for names that lead nowhere.

It has a module of its own, because it is looked for in every workspace; what evaluates
MODULE.bazel is needed only where a Bazel reads such files.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bazelscope.base.source import Location
from bazelscope.base.unknown import Reason, Unknown

if TYPE_CHECKING:
    from bazelscope.loading.modules.module_file import ModuleOverride

MODULE_CHUNK = -1
"""Before every chunk of WORKSPACE: what MODULE.bazel defines wins."""


@dataclass(frozen=True, slots=True)
class ModuleSource:
    """What stands in a definition for the rule of a repository that is a module."""

    module: str
    version: str
    """The one that was chosen, if a lock file tells, else the least that it may be."""
    is_chosen: bool
    override: ModuleOverride | None

    @property
    def text(self) -> str:
        """`rules_cc 0.0.17`, or what it is instead."""
        if self.override is not None and self.override.kind != "single_version_override":
            return f"{self.module} ({self.override.kind})"
        if not self.version:
            return self.module
        return f"{self.module} {self.version}{'' if self.is_chosen else ' or newer'}"

    @property
    def directories(self) -> tuple[str, ...]:
        """What Bazel may call its directory: 8 and newer, 7.1 and newer, older."""
        return (f"{self.module}+", f"{self.module}~", f"{self.module}~{self.version}")

    def why(self, repository: str, location: Location) -> Unknown:
        """Why the repository's files are not known."""
        detail = f"the module {self.text} is not on this machine"
        return Unknown(Reason.NOT_FETCHED, f"@{repository}", detail, location)


@dataclass(frozen=True, slots=True)
class UnmadeRepository:
    """What stands for the rule of a repository whose rule or extension is not known."""

    unknown: Unknown

    def why(self, repository: str, location: Location) -> Unknown:
        """Why the repository's files are not known."""
        detail = f"made by {self.unknown.subject} ({self.unknown.detail})"
        return Unknown(self.unknown.reason, f"@{repository}", detail, location)


class VisibleRepositories(Mapping[str, str]):
    """The names that a module sees, where nothing but its MODULE.bazel gives it any.

    Any other name leads nowhere. Bazel: `RepositoryName.createInvalid`.
    """

    def __init__(self, names: Mapping[str, str], module: str) -> None:
        self._names = names
        self._module = module

    def __getitem__(self, name: str) -> str:
        found = self._names.get(name)
        return (
            f"[unknown repo '{name}' requested from @@{self._module}]" if found is None else found
        )

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def invisible_name(repository: str) -> str | None:
    """The apparent name that led nowhere, of a repository that stands for one."""
    if not repository.startswith("[unknown repo '"):
        return None
    return repository.split("'")[1]
