"""The one family of errors: what went wrong, where, and what to do about it.

An error here is data. `render/` turns it into an excerpt with carets; nothing in this
module prints. A `Diagnostic` is the value; `BazelscopeError` is the exception that
carries one. Stages that must go on after an error keep the `Diagnostic` in their result.
"""

from __future__ import annotations

import enum
import os
from dataclasses import replace
from pathlib import Path

from bazelscope.base import looks
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import CallStack, Location, Span

FAULT = "internal-error"
"""The code of a diagnostic that tells of a defect of bazelscope, not of a file."""


class Severity(enum.Enum):
    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Note:
    """A second place or fact that helps to understand a diagnostic."""

    message: str
    span: Span | None = None

    @property
    def location(self) -> Location | None:
        """Where its span begins."""
        return self.span.start if self.span is not None else None


@dataclass(frozen=True, slots=True)
class Misspelling:
    """A name as it is written, and the one that was probably meant."""

    written: str
    meant: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One problem: `code` is a stable, kebab-case name for scripts (`unknown-option`).
    `misspelling`: a name in the text of `span` that may be a slip of the pen."""

    code: str
    message: str
    span: Span | None = None
    notes: tuple[Note, ...] = ()
    hint: str | None = None
    call_stack: CallStack = ()
    severity: Severity = Severity.ERROR
    misspelling: Misspelling | None = None

    @property
    def location(self) -> Location | None:
        """Where its span begins."""
        return self.span.start if self.span is not None else None

    def with_call_stack(self, call_stack: CallStack) -> Diagnostic:
        """Returns the problem with `call_stack`, unless it has an inner one already."""
        return self if self.call_stack else replace(self, call_stack=call_stack)

    def with_note(self, note: Note) -> Diagnostic:
        return replace(self, notes=(*self.notes, note))


def fault(error: Exception, span: Span | None, call_stack: CallStack = ()) -> Diagnostic:
    """A defect of bazelscope that came to light while the file of `span` was worked on: told
    as that file's own error, so that the rest can be answered. Raises `error` itself where
    BAZELSCOPE_TRACEBACK is set."""
    if os.environ.get("BAZELSCOPE_TRACEBACK"):
        raise error
    looks.doubt("a defect of bazelscope")
    message = f"an error of bazelscope, please report: {type(error).__name__}: {error}"
    return Diagnostic(FAULT, f"{message}{innermost_place(error)}", span, (), None, call_stack)


def innermost_place(error: BaseException) -> str:
    """Where in bazelscope an exception was raised, to be put behind its message."""
    traceback = error.__traceback__
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    if traceback is None:
        return ""
    code = traceback.tb_frame.f_code
    return f" (in {code.co_name}, {Path(code.co_filename).name}:{traceback.tb_lineno})"


def is_severe(diagnostic: Diagnostic) -> bool:
    """Whether it is an error, as opposed to a warning."""
    return diagnostic.severity is Severity.ERROR


def is_of_ours(diagnostic: Diagnostic) -> bool:
    """Whether it tells of bazelscope (a defect, a limit that was reached) and not of a file: no
    Bazel would refuse anything for it."""
    return diagnostic.code in _OF_OURS


def is_bazels_error(diagnostic: Diagnostic) -> bool:
    """Whether Bazel refuses a file for it."""
    return is_severe(diagnostic) and not is_of_ours(diagnostic)


LINK_OUT = "link-out-of-workspace"
"""The code of a file that is not read because a symbolic link leads out of its tree."""

_OF_OURS = frozenset({FAULT, LINK_OUT, "limit-reached", "starlark-limit"})


class BazelscopeError(Exception):
    """Base of every error that bazelscope raises on purpose; carries its `diagnostic`."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic

    def __str__(self) -> str:
        where = f"{self.diagnostic.span}: " if self.diagnostic.span else ""
        return where + self.diagnostic.message


class UsageError(BazelscopeError):
    """The command line of bazelscope itself, or the place it was called from, is wrong."""


class LabelError(BazelscopeError):
    """A string that should be a label or a target pattern is not one; `reason` says why,
    where the diagnostic's message also says which string."""

    def __init__(self, diagnostic: Diagnostic, reason: str = "") -> None:
        super().__init__(diagnostic)
        self.reason = reason or diagnostic.message


class StarlarkError(BazelscopeError):
    """A Starlark file that does not parse, does not resolve, or fails when executed."""


class LimitError(StarlarkError):
    """A Starlark file that exceeds a limit set by the caller (steps, depth, size)."""


class LoadingError(BazelscopeError):
    """A package, target, repository or module that Bazel's loading phase would refuse."""


class AnalysisError(BazelscopeError):
    """A configured target that Bazel's analysis phase would refuse."""
