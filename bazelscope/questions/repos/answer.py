"""The answer to `repos` as values."""

from __future__ import annotations

from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import Location
from bazelscope.base.unknown import Unknown
from bazelscope.loading.repositories.repository_facts import RepositoryFacts
from bazelscope.questions.shared.endpoint_answers import NameAnswer
from bazelscope.questions.shared.envelope import Answer


@dataclass(frozen=True, slots=True)
class RepositoryReach:
    """Whether a target depends on something in a repository.

    `targets` counts what it reaches there; `first` is the nearest of them and `through` the
    target that names it. Where nothing is reached, `uncertain` counts the things on the
    way that may lead there and cannot be looked into.
    """

    targets: int
    first: Label | None = None
    through: Label | None = None
    uncertain: int = 0


@dataclass(frozen=True, slots=True)
class ExternalRepository:
    """One external repository, and whether the target that was asked about depends on it.
    `edited_at`: the outermost call that says `name =`, on the way to its definition."""

    facts: RepositoryFacts
    reach: RepositoryReach | None = None
    edited_at: Location | None = None

    @property
    def place(self) -> Location | None:
        """Where one would edit it, as far as that is known."""
        return self.edited_at or self.facts.location


@dataclass(frozen=True, slots=True)
class RepositoriesAnswer(Answer):
    """The external repositories of a workspace, or the one that was asked for.

    With a `target`, each has whether that target depends on it: `configured`, under the
    flags; else through any branch. `problem` says why there is nothing to show. `module`:
    the name that was asked for is that of a module, whose repository has another name here.
    """

    asked: str | None
    target: NameAnswer | None
    configured: bool
    repositories: tuple[ExternalRepository, ...]
    problem: str = ""
    suggestions: tuple[str, ...] = ()
    unknowns: tuple[Unknown, ...] = ()
    """What WORKSPACE evaluation could not tell: more repositories may be defined there."""
    module: str | None = None

    @property
    def is_negative(self) -> bool:
        if self.problem or (self.target is not None and self.target.label is None):
            return True
        reaches = (repository.reach for repository in self.repositories)
        return self.asked is not None and any(reach and not reach.targets for reach in reaches)
