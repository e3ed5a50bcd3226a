"""Targets and edges as an answer shows them, each with the place that made it."""

from __future__ import annotations

from bazelscope.analysis.conditions.edges import EdgeKind
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import CallStack, Location
from bazelscope.base.unknown import Unknown
from bazelscope.flags.flag_values import FlagInstance
from bazelscope.loading.origins.term import Term


@dataclass(frozen=True, slots=True)
class NodeAnswer:
    """A target: what it is and which call made it.

    `kind` is Bazel's (`cc_library rule`, `source file`); `call_stack` leads from the BUILD
    file through the macros to the rule; `macro` is the function that the BUILD file
    called. `provenance` says where the content of an external repository came from;
    `edited_at` is the outermost of the calls that says `name =`, where that was looked for.
    `is_absent`: it is a source file that is not there, so that an action which is to read it fails.
    """

    label: Label
    kind: str
    location: Location | None = None
    macro: str | None = None
    call_stack: CallStack = ()
    provenance: str | None = None
    unknown: Unknown | None = None
    edited_at: Location | None = None
    is_absent: bool = False

    @property
    def shown_kind(self) -> str:
        """`cc_library`, `source file, not there`: its kind without Bazel's word `rule`."""
        return f"{self.kind}, not there" if self.is_absent else self.kind.removesuffix(" rule")


@dataclass(frozen=True, slots=True)
class ConfigSource:
    """A named config that sets an option, and the rc line that does it. `through` are the
    configs between them, where it does so by naming another."""

    config: str
    location: Location
    through: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OptionNeed:
    """A flag or constraint with the value it must have, and the configs that set it so.

    `text` is how one would write it (`--define=k=v`); the config_setting `setting`, at
    `location`, asks for it. `holds` tells whether it has that value under the flags in
    force, `got` what it has, `set_by` who set that (None: it is the default, or the
    implementation of the rule `provided_by` says it).
    """

    text: str
    what: str
    wanted: str
    setting: Label | None = None
    location: Location | None = None
    configs: tuple[ConfigSource, ...] = ()
    holds: bool = False
    got: str | None = None
    set_by: FlagInstance | None = None
    provided_by: Location | None = None


@dataclass(frozen=True, slots=True)
class BranchAnswer:
    """The branch of a select() that an edge hangs on.

    `needs` are the options that its condition asks for, and `or_needs` other ways to meet it;
    `unless` are the conditions of the same select() that may not hold. `select_at` is the
    select() call.
    """

    condition: Label
    is_default: bool
    select_at: Location | None
    needs: tuple[OptionNeed, ...] = ()
    unless: tuple[Label, ...] = ()
    unknown: Unknown | None = None
    or_needs: tuple[tuple[OptionNeed, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class EdgeAnswer:
    """`source` depends on `target` through `attribute`. `location` is the place in the
    workspace where the label or the attribute was written."""

    source: Label
    target: Label
    attribute: str
    kind: str
    location: Location | None = None
    term: Term | None = None
    branch: BranchAnswer | None = None
    is_tool: bool = False
    uncertain: Unknown | None = None
    """Why it cannot be told whether these flags take it, or in which configuration; or that the
    branch which made its rule was taken for granted."""
    needs: tuple[OptionNeed, ...] = ()
    """What flags have to be for it, where no attribute names the target but a flag does."""
    is_always: bool = False
    """Whatever the flags, this edge or another one of a select() leads from one to the other."""

    @property
    def is_known(self) -> bool:
        """Whether nothing about it was taken for granted."""
        return self.uncertain is None and self.kind != EdgeKind.ASSUMED.value
