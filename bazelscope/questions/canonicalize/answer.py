"""The answer to `canonicalize-flags` as a value."""

from __future__ import annotations

from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.flags.flag_values import FlagInstance
from bazelscope.questions.shared.envelope import Answer


@dataclass(frozen=True, slots=True)
class CanonicalAnswer(Answer):
    """A command line in Bazel's canonical form.

    `words` are the options that count, in Bazel's order, one word each; `settings` says of each
    where it was written. `instances` are all options of the line, those that are beaten or only
    stand for others too, in the order in which they take effect. `startup` are the options that
    stand before the command, so that rc files are not read once more.
    """

    startup: tuple[str, ...]
    words: tuple[str, ...]
    settings: tuple[FlagInstance, ...]
    instances: tuple[FlagInstance, ...]
