"""What one question may use, in time and memory, and what becomes of an answer that was cut."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Concatenate, ParamSpec, TypeVar

from bazelscope.api.line_in_force import LineInForce
from bazelscope.base.budget import is_open, spending

_T = TypeVar("_T")
_P = ParamSpec("_P")
_Line = TypeVar("_Line", bound=LineInForce)

_BUILDING = frozenset(
    {
        *("compile", "compile_commands", "cquery", "deps", "graph", "graph_between", "page"),
        *("path", "paths", "rdeps", "refusals", "select", "when", "when_repositories"),
    }
)
"""The questions whose first target is built under the flags of the project that it belongs to; the
targets of others stand on the line, or they have none."""


def within_limits(
    question: Callable[Concatenate[_Line, _P], _T],
) -> Callable[Concatenate[_Line, _P], _T]:
    """A question that may use what its workspace's `limits` say; it raises `BudgetError`. What
    a limit cut short is of that question alone: the next one begins anew."""

    @functools.wraps(question)
    def limited(self: _Line, /, *args: _P.args, **kwargs: _P.kwargs) -> _T:
        if is_open():
            return question(self, *args, **kwargs)
        is_whole = False
        with spending(self.workspace.limits) as account:
            try:
                words = [word for word in args if isinstance(word, str)]
                built = words if question.__name__ in _BUILDING else ()
                self.take_question([*self.line.words, *words], built)
                answer = question(self, *args, **kwargs)
                is_whole = not account.cuts
                return answer
            finally:
                if not is_whole:
                    for line in (self, *args, *kwargs.values()):
                        if isinstance(line, LineInForce):
                            line.forget()

    return limited
