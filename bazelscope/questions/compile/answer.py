"""The answer to `compile` as a value."""

from __future__ import annotations

from bazelscope.analysis.compile.word_effects import EffectKind
from bazelscope.analysis.compile.words import WordOrigin
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import Location
from bazelscope.base.unknown import Unknown
from bazelscope.questions.shared.endpoint_answers import NameAnswer
from bazelscope.questions.shared.envelope import Answer
from bazelscope.questions.shared.nodes import NodeAnswer


@dataclass(frozen=True, slots=True)
class LineEffect:
    """What a word does to an earlier one: `number` is that one's place, counted from 1."""

    kind: EffectKind
    word: str
    number: int
    is_of_toolchain: bool = False
    """Whether that one is the toolchain's."""


@dataclass(frozen=True, slots=True)
class LineWord:
    """One word of a command line, from 1 on, who put it there, what it does to earlier words, and
    which later one beats it. `unknown`: there may be words here that cannot be told."""

    number: int
    text: str
    origin: WordOrigin
    effects: tuple[LineEffect, ...] = ()
    beaten_by: LineEffect | None = None
    unknown: Unknown | None = None


@dataclass(frozen=True, slots=True)
class ActionLine:
    """One action: what it makes of `source` (None for a link), and its words.

    `also` are sources whose lines are the same but for names of files; `twin` is the object that is
    made of the source once more, without `-fPIC`.
    """

    mnemonic: str
    source: str | None
    output: str
    words: tuple[LineWord, ...]
    also: tuple[str, ...] = ()
    twin: str | None = None


@dataclass(frozen=True, slots=True)
class ActionVariable:
    """A variable of the environment that actions run in; `value` is None for the client's own."""

    name: str
    value: str | None
    origin: WordOrigin
    unknown: Unknown | None = None
    """Why its value cannot be told."""


@dataclass(frozen=True, slots=True)
class ToolchainAnswer:
    """The C++ toolchain: its name, what of it is taken for granted, or why it is not known;
    `location` is where one of the workspace's own is configured."""

    name: str
    compiler: str
    assumed: str
    unknown: Unknown | None
    location: Location | None = None


@dataclass(frozen=True, slots=True)
class CompileAnswer(Answer):
    """What the compiler and the linker get for a target, or for one source of it.

    `problem` says why there is nothing to show; `suggestions` are sources of a near name. With
    `word`, only actions that have that word, and only these words of them, are shown. Where a
    source file was asked for, `node` is the first rule of its package that compiles it, and
    `other_compilers` are the others.
    """

    target: NameAnswer
    source: str | None = None
    word: str | None = None
    node: NodeAnswer | None = None
    toolchain: ToolchainAnswer | None = None
    features: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    actions: tuple[ActionLine, ...] = ()
    environment: tuple[ActionVariable, ...] = ()
    unknowns: tuple[Unknown, ...] = ()
    problem: str = ""
    suggestions: tuple[str, ...] = ()
    other_compilers: tuple[Label, ...] = ()

    @property
    def is_negative(self) -> bool:
        return not self.actions

    @property
    def is_open(self) -> bool:
        words = (word for action in self.actions for word in action.words)
        return bool(self.unknowns) or any(word.unknown is not None for word in words)
