"""Which command lines load other packages: what options change of that which loading reads.

Repository rules read variables of the environment; some options say where files are. Two lines
that agree in both, on one host, load the same packages. Bazel: `RepositoryOptions`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, Protocol

from bazelscope.base.errors import Diagnostic
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.flags.flag_values import FlagInstance, ResolvedFlags
from bazelscope.loading.tree.loading_options import LoadingOptions
from bazelscope.questions.shared.named_configs import UndefinedConfig
from bazelscope.questions.shared.world import World

Words = tuple[str, ...]
"""An option of a command line, and its value where that is a word of its own."""


class Line(Protocol):
    """One command line in the workspace."""

    @property
    def world(self) -> World: ...
    @property
    def flags(self) -> ResolvedFlags: ...
    @property
    def errors(self) -> tuple[Diagnostic, ...]: ...
    @property
    def undefined_configs(self) -> tuple[UndefinedConfig, ...]: ...
    @property
    def loading_options(self) -> LoadingOptions: ...
    def load_near(self, other: Any, /) -> None:
        """Takes what is the same from `other`, another such line."""


OpenLine = Callable[[str, Words], Line]
"""Another command line, by its host and words."""


@dataclass(slots=True)
class Word:
    """One word and its own value, by itself on the line."""

    words: Words
    line: Line
    environment: Mapping[str, str]
    loads_otherwise: bool

    @property
    def typed(self) -> list[FlagInstance]:
        """The options that the word leads to, in order."""
        return [one for one in instances_of(self.line.flags) if one.typed_word is not None]


class LoadingWords:
    """Finds out what `candidates`, each behind the words `given`, change of what loading reads
    on one host."""

    def __init__(
        self, host: str, open_line: OpenLine, candidates: Sequence[Words], given: Words = ()
    ) -> None:
        self.host = host
        self.given = given
        self.base = open_line(host, given)
        self._open = open_line
        self.words: Mapping[Words, Word] = {words: self.word(words) for words in candidates}

    def word(self, words: Words) -> Word:
        """What one more word changes."""
        line = self.with_words(words)
        mine, base = line.loading_options, self.base.loading_options
        names = {**mine.repo_env, **base.repo_env}
        changed = {
            name: mine.repo_env.get(name, "")
            for name in names
            if mine.repo_env.get(name) != base.repo_env.get(name)
        }
        same = replace(mine, repo_env=base.repo_env).key() == base.key()
        return Word(words, line, changed, not same)

    @cached_property
    def environment(self) -> frozenset[str]:
        """The variables that some word changes and some repository rule reads."""
        table = self.base.world.loader.table
        changed = {name for word in self.words.values() for name in word.environment}
        all_count = self.base.loading_options.reads_modules
        return frozenset(name for name in changed if all_count or table.readers_of(name))

    def environment_of(self, groups: Iterable[Words]) -> dict[str, str]:
        """The values of these variables under some of the words; `""` for none."""
        options = self.base.loading_options
        values = {name: options.repo_env.get(name, "") for name in sorted(self.environment)}
        for words in groups:
            changed = self.words[words].environment
            values.update({name: changed[name] for name in changed if name in values})
        return values

    def others(self, groups: Iterable[Words]) -> tuple[str, ...]:
        """Those of the words that load other packages by more than such variables."""
        return tuple(" ".join(words) for words in groups if self.words[words].loads_otherwise)

    def key(self, groups: Sequence[Words]) -> tuple[object, ...]:
        """What is the same where the same packages are loaded."""
        environment = self.environment_of(groups)
        return (self.host, tuple(sorted(environment.items())), self.others(groups))

    def with_words(self, words: Words) -> Line:
        """The line with words more."""
        return self._open(self.host, (*self.given, *words))


def instances_of(flags: ResolvedFlags) -> tuple[FlagInstance, ...]:
    """Every option and build setting that is set, beaten ones too, each kind in its order."""
    settings = (
        instance
        for value in flags.starlark_flags.values()
        for instance in (*value.overridden, *value.instances)
    )
    return (*flags.parsed, *settings)
