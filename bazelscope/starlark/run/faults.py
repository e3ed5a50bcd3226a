"""What the runtime raises while a program runs, before its place is known."""

from __future__ import annotations

EVALUATION = "starlark-eval"
"""The code of an error of the language, and of most functions of the host."""


class EvaluationError(Exception):
    """A program does what it may not; `execute` adds the place and the call stack.

    `word` is the packed place (`emitter.Emitter.word`) of a fault that is not where the
    innermost frame stands.
    """

    def __init__(
        self,
        message: str,
        hint: str | None = None,
        code: str = EVALUATION,
        word: int | None = None,
    ) -> None:
        super().__init__(message)
        self.hint = hint
        self.code = code
        self.word = word


class LimitExceededError(EvaluationError):
    """A limit that the caller has set is exceeded."""

    def __init__(self, message: str) -> None:
        super().__init__(message, code="starlark-limit")
