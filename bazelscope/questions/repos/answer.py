"""The answer to `repos` as values."""

from __future__ import annotations

from dataclasses import dataclass

from bazelscope.base.label import Label
from bazelscope.base.source import CallStack, Location
from bazelscope.base.unknown import Unknown
from bazelscope.loading.packages.targets import Provenance
from bazelscope.questions.shared.endpoint_answers import NameAnswer
from bazelscope.questions.shared.envelope import Answer


@dataclass(frozen=True, slots=True)
class ShadowedDefinition:
    """A definition of the same name that another one keeps from counting."""

    rule_class: str
    location: Location
    urls: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reach:
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
    """One external repository. `content` says where its files were looked up; `unknown`
    why they, or some of them, cannot be told. `rule_class` is None where nothing known
    defines it (an override, or something that Bazel brings along)."""

    name: str
    content: Provenance
    rule_class: str | None
    location: Location | None
    call_stack: CallStack
    macro: str | None
    urls: tuple[str, ...]
    sha256: str | None
    strip_prefix: str | None
    patches: tuple[str, ...]
    build_file: Label | None
    root: str | None
    shadowed: tuple[ShadowedDefinition, ...]
    programs: tuple[str, ...]
    assumptions: tuple[Unknown, ...]
    unknown: Unknown | None
    reach: Reach | None = None
    module: str | None = None
    """The Bazel module that it is, and its version (`rules_cc 0.0.9 or newer`)."""


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
