"""The answer to `page`: what was written, and what it had no room for."""

from __future__ import annotations

from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.questions.shared.endpoint_answers import NameAnswer
from bazelscope.questions.shared.envelope import Answer


@dataclass(frozen=True, slots=True)
class LoadedSet:
    """Flags and a host under which repositories and packages were loaded. `added` counts the
    targets that those before lack."""

    host: str
    words: tuple[str, ...]
    added: int = 0


@dataclass(frozen=True, slots=True)
class PageAnswer(Answer):
    """One page about `targets` and all below them, through every branch.

    `loads` are the lines whose packages it holds; under `unloaded` words it can tell flags and
    branches, but the content of repositories only as without them. `left_out` says what it has
    no room for.
    """

    asked: tuple[NameAnswer, ...]
    targets: tuple[Label, ...] = ()
    labels: int = 0
    edges: int = 0
    formulas: int = 0
    loads: tuple[LoadedSet, ...] = ()
    unloaded: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()

    @property
    def is_negative(self) -> bool:
        return not self.targets
