"""One thing that Bazel refuses, as a value: what, of which target, where, why, and the remedy."""

from __future__ import annotations

import enum

from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import CallStack, Location


class RefusalKind(enum.Enum):
    """What Bazel refuses; the value is the wording used in JSON."""

    COMMAND_LINE = "command-line"
    WORKSPACE = "workspace"
    """WORKSPACE, or what it loads."""
    MODULE = "module"
    """MODULE.bazel, or a module extension."""
    REPOSITORY_RULE = "repository-rule"
    """A repository rule's own `fail()`."""
    PACKAGE = "package-in-error"
    MISSING_PACKAGE = "no-such-package"
    MISSING_TARGET = "no-such-target"
    CYCLE = "dependency-cycle"
    VISIBILITY = "not-visible"
    LOAD_VISIBILITY = "load-not-visible"
    TEST_ONLY = "testonly"
    CONDITION = "invalid-condition"
    """A config_setting in error, or a key of a select() that is no condition."""
    AMBIGUOUS_SELECT = "ambiguous-select"
    UNMATCHED_SELECT = "no-matching-branch"
    TRANSITION = "transition-failed"
    MISPLACED = "misplaced"
    """A target of a rule class or file type that the attribute does not take."""
    MISSING_PROVIDER = "missing-provider"
    MANDATORY = "missing-attribute"
    INCOMPATIBLE = "incompatible-target"
    ENVIRONMENT = "unsupported-environment"
    """A target, or what it depends on, is not for the environments that are asked for."""
    TOOLCHAIN = "no-matching-toolchain"
    IMPLEMENTATION = "implementation-failed"
    """A rule implementation's own `fail()`, or what one of Bazel's own refuses."""
    ASPECT = "invalid-aspect"
    """A label of `--aspects` that leads to no aspect that can run on what is asked for."""
    EXPANSION = "expansion-failed"
    """A text with a make variable or a `$(location)` that does not expand."""
    CONFLICT = "output-conflict"
    """Several targets would make the same file."""
    MACRO_NAME = "macro-naming"
    """A target of a symbolic macro whose name does not begin with the macro's."""
    OTHER = "other"

    @property
    def follows_dependencies(self) -> bool:
        """Whether Bazel comes to it once all that a target depends on is analysed."""
        return self in _AFTER_DEPENDENCIES


_AFTER_DEPENDENCIES = frozenset(
    {
        *(RefusalKind.VISIBILITY, RefusalKind.TEST_ONLY, RefusalKind.MISPLACED),
        *(RefusalKind.MISSING_PROVIDER, RefusalKind.IMPLEMENTATION, RefusalKind.EXPANSION),
    }
)


@dataclass(frozen=True, slots=True)
class RefusalCause:
    """One link of the chain that leads to a refusal: what is so, and where that is said."""

    text: str
    location: Location | None = None


@dataclass(frozen=True, slots=True)
class Refusal:
    """Something that Bazel refuses, so that it would not build what the answer is about.

    `attribute` of `target` is in error, at `location`, where these can be said; `causes` lead
    from the nearest to the furthest; `remedy` would mend it. `also`: Bazel stops at the first
    error of a target, and would come to this one next. `dependency` is what the target depends on
    and what is not there, or in error.
    """

    kind: RefusalKind
    message: str
    target: Label | None = None
    attribute: str = ""
    location: Location | None = None
    causes: tuple[RefusalCause, ...] = ()
    remedy: str = ""
    call_stack: CallStack = ()
    also: bool = False
    dependency: Label | None = None
