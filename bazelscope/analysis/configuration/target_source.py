"""Where the analysis phase gets its targets from: the loader, or a test's own packages."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol

from bazelscope.base.label import Label, PackageId
from bazelscope.base.unknown import Unknown
from bazelscope.loading.packages.package import Following, PackageResult
from bazelscope.loading.packages.targets import TargetResult

if TYPE_CHECKING:
    from bazelscope.loading.evaluation.evaluation_context import EvaluationContext


class TargetSource(Protocol):
    """The loading phase as the analysis phase sees it; both look-ups never raise."""

    @property
    def context(self) -> EvaluationContext:
        """What packages are evaluated with: how labels are written and repositories are named."""
        ...

    def target(self, label: Label, /) -> TargetResult: ...

    def looked_up(self, label: Label, /) -> TargetResult:
        """Returns the target as `target` does, but does not count its package as asked for: which
        platform is in force is looked up by who needs it, and kept answers need it no more."""
        ...

    def may_lie_there(self, file: Label, /) -> bool:
        """Whether a source file of that label is there, or nobody can tell."""
        ...

    def rule_set_of(self, repository: str, /) -> str:
        """Returns the repository of the module extension that makes a repository; empty if none
        does."""
        ...

    def package(self, id: PackageId, /) -> PackageResult: ...

    def prepare(self, packages: Iterable[PackageId], following: Following | None = None, /) -> bool:
        """Is told which packages will be asked for next, so as to load them at once, and perhaps
        those `following` to the last; returns whether one of them has to be evaluated."""
        ...

    def registered(self, what: str, extra: tuple[str, ...], /) -> tuple[Label | Unknown, ...]:
        """What the patterns `extra` of a flag and then the calls of `what`
        (`register_toolchains`, `register_execution_platforms`) name, in order; of "unread
        modules", what stands for those that nobody can tell the calls of."""
        ...
