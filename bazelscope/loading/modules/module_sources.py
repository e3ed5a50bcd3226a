"""What stands for repositories that MODULE.bazel files define, and for names that lead nowhere.

It has a module of its own, because it is looked for in every workspace; what evaluates
MODULE.bazel is needed only where a Bazel reads such files.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import TYPE_CHECKING

from bazelscope.base.label import Label, at_sign
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import Location
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.loading.packages.invisible_names import invisible
from bazelscope.loading.packages.repository_access import RepositoryMapping

if TYPE_CHECKING:
    from bazelscope.loading.modules.module_file import ModuleOverride

OF_MODEL = " (model)"
"""After the name of a repository that is here: what bazelscope's model of it has instead."""


@dataclass(frozen=True, slots=True)
class ModuleSource:
    """What stands in a definition for the rule of a repository that is a module."""

    module: str
    version: str
    """The one that is selected; the least that it may be if `is_chosen` is not true."""
    is_chosen: bool
    override: ModuleOverride | None
    directories: tuple[str, ...]
    """What Bazel may call its directory; none if what lies there is another version."""
    other: str = ""
    """Which version lies there instead."""

    @property
    def text(self) -> str:
        """`rules_cc 0.0.17`, or what it is instead."""
        override = self.override
        newer = "" if self.is_chosen or not self.version else " or newer"
        told = f"{self.module} {self.version}{newer}" if self.version else self.module
        if override is None:
            return told
        if override.kind not in ("multiple_version_override", "single_version_override"):
            return f"{self.module} ({override.kind})"
        return f"{told} ({override.kind}, {override.location.short})"

    def why(self, repository: str, location: Location) -> Unknown:
        """Why the repository's files are not known."""
        other = f" ({self.other})" if self.other else ""
        detail = f"the module {self.text} is not on this machine{other}"
        return Unknown(Reason.NOT_FETCHED, at_sign(repository), detail, location)


@dataclass(frozen=True, slots=True)
class UnmadeRepository:
    """What stands for the rule of a repository whose rule or extension is not known; `file` is
    the one that has the rule, where that is told, and `host` the external repository that it or
    the extension is from. Of an extension that nobody ran, `said` is what modules say to it:
    module, tag, arguments."""

    unknown: Unknown
    file: Label | None = None
    host: str = ""
    said: tuple[tuple[str, str, Mapping[str, object]], ...] = ()

    def why(self, repository: str, location: Location) -> Unknown:
        """Why the repository's files are not known."""
        detail = f"made by {self.unknown.subject} ({self.unknown.detail})"
        return Unknown(self.unknown.reason, at_sign(repository), detail, location)


class CanonicalMapping(RepositoryMapping):
    """Apparent names to the names used here, and canonical names, each with an `@` before it."""

    def __init__(self, names: Mapping[str, str], canonical: Mapping[str, str]) -> None:
        super().__init__(names)
        self._canonical = canonical

    def __getitem__(self, name: str) -> str:
        if name.startswith("@"):
            return self._canonical.get(name[1:], name[1:])
        return super().__getitem__(name)

    def with_names(self, names: Mapping[str, str]) -> CanonicalMapping:
        """Returns a mapping that knows more apparent names; its own win."""
        return CanonicalMapping({**names, **self._names}, self._canonical)


class VisibleRepositories(CanonicalMapping):
    """The names that a module sees, where nothing but its MODULE.bazel gives it any.

    Any other name leads nowhere. Bazel: `RepositoryName.createInvalid`.
    """

    def __init__(self, names: Mapping[str, str], canonical: Mapping[str, str], module: str) -> None:
        super().__init__(names, canonical)
        self._module = module

    def __getitem__(self, name: str) -> str:
        if name.startswith("@") or name in self._names:
            return super().__getitem__(name)
        return invisible(name, self._module)


class PartlyVisibleRepositories(CanonicalMapping):
    """The names that a module sees of whose MODULE.bazel only the dependencies are known.

    Another name is taken for the repository of that name that is `defined`, if there is one, or
    stands for one that only the file could tell.
    """

    def __init__(
        self,
        names: Mapping[str, str],
        canonical: Mapping[str, str],
        module: str,
        defined: Container[str],
    ) -> None:
        super().__init__(names, canonical)
        self._module = module
        self._defined = defined

    def __getitem__(self, name: str) -> str:
        if name.startswith("@") or name in self._names:
            return super().__getitem__(name)
        return name if name in self._defined else f"[repo '{name}' of @@{self._module}]"


def told_by_module_file(repository: str) -> Unknown | None:
    """Why nobody can tell what a repository is that stands for a name inside a module; None if
    it stands for none."""
    if not repository.startswith("[repo '"):
        return None
    _, name, module = repository.split("'", 2)
    module = module.removeprefix(" of ").removesuffix("]")
    detail = f"the MODULE.bazel of {module} says what it is, and is not on this machine"
    return Unknown(Reason.NOT_FETCHED, at_sign(name), detail)
