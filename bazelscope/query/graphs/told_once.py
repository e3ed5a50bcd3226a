"""What `cquery` tells of its walk, each thing once: what is not there, and what is in doubt."""

from __future__ import annotations

from bazelscope.analysis.conditions.edges import Edge, EdgeKind
from bazelscope.analysis.configuration.toolchain_flags import is_bazels_own
from bazelscope.base.errors import Diagnostic, Severity
from bazelscope.base.label import Label, at_sign
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.base.named_tuple import NamedTuple
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.loading.packages.targets import Absent, TargetResult

_REPOSITORY = lazy_pattern(r"@([^/@]+)//")
_TOOLCHAINS = "unknown-toolchains"


class Doubt(NamedTuple):
    """Why it cannot be told what an edge leads to: a repository that may register toolchains, or
    what a message says."""

    registering: str
    message: str


def why_doubtful(edge: Edge, unknown: Unknown) -> Doubt | None:
    """What there is to say of an edge that cannot be told. What Bazel refuses is told as such,
    and the toolchains that it makes itself nobody downloads."""
    repository = _REPOSITORY.match(unknown.subject)
    is_toolchain = edge.kind is EdgeKind.TOOLCHAIN
    if is_toolchain and repository is not None:
        if is_bazels_own(repository[1]):
            return None
        if unknown.reason is Reason.NOT_FETCHED:
            return Doubt(repository[1], "")
    if unknown.reason is Reason.FAILED and not is_toolchain:
        return None
    return Doubt("", str(unknown))


class ToldOnce:
    """Adds to the `diagnostics` of a query what was not told before."""

    def __init__(self, diagnostics: list[Diagnostic]) -> None:
        self._diagnostics = diagnostics
        self._told: dict[object, None] = {}

    def add(self, key: object, diagnostic: Diagnostic) -> None:
        """Tells something that `key` tells from all else."""
        if key not in self._told:
            self._told[key] = None
            self._diagnostics.append(diagnostic)

    def missing(self, target: TargetResult, label: Label, wanted_by: Label) -> None:
        """Warns of a dependency that is not there."""
        if isinstance(target, Absent):
            message = f"{target.message} (wanted by {wanted_by})"
            severity = Severity.WARNING
            self.add(label, Diagnostic("no-such-target", message, severity=severity))

    def doubt(self, doubt: Doubt) -> None:
        """Warns of what cannot be told; of all repositories that may register toolchains at
        once."""
        if not doubt.registering:
            told = Diagnostic("unknown-configuration", doubt.message, severity=Severity.WARNING)
            self.add(doubt, told)
            return
        if doubt in self._told:
            return
        self._told[doubt] = None
        names = [one.registering for one in self._doubts() if one.registering]
        text = (
            "other toolchains than known may be registered, and taken:"
            f" {', '.join(map(at_sign, names))} not downloaded (a folder with it would tell:"
            f" --override_repository={names[0]}=DIR)"
        )
        told = Diagnostic(_TOOLCHAINS, text, severity=Severity.WARNING)
        others = [one for one in self._diagnostics if one.code != _TOOLCHAINS]
        self._diagnostics[:] = [*others, told]

    def nothing_but_doubts(self) -> list[Doubt] | None:
        """The doubts that were told; None if anything else was, too."""
        doubts = self._doubts()
        return doubts if len(doubts) == len(self._told) else None

    def _doubts(self) -> list[Doubt]:
        return [key for key in self._told if isinstance(key, Doubt)]
