"""`--config=NAME` becomes the words of its definitions. Bazel: `ConfigExpander`.

A definition of NAME for a command is every `COMMAND:NAME` section of that command, its
ancestors and `common`; the pieces form one list of words, in that order of commands, over
all files. A `--config=OTHER` among them is followed at once by the words of OTHER.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bazelscope.base.errors import Diagnostic, Note
from bazelscope.flags import warnings
from bazelscope.flags.rc_chunks import Chunk, section_span
from bazelscope.flags.words import ConfigNode, SectionWord, Word

MAX_WORDS = 20_000
"""Words in one expansion; definitions can double at each level, and Bazel has no limit."""

MAX_CHAIN = 200
"""Configs inside one another; Bazel calls ten excessive."""

LONG_CHAIN = 10
_CONFIG = "--config"


class ConfigExpander:
    """Expands configs for one command; `sections` are those of all rc files."""

    def __init__(
        self,
        sections: Mapping[str, tuple[Chunk, ...]],
        commands: Sequence[str],
        lenient: bool,
        every_section: bool = False,
    ) -> None:
        self._sections = sections
        self._commands = tuple(commands)
        self._lenient = lenient
        self._every_section = every_section
        self.diagnostics: list[Diagnostic] = []
        self.undefined: list[tuple[str, SectionWord]] = []
        """Configs that a definition names and nothing defines, with the word that does."""
        self._count = 0
        self._longest: tuple[str, ...] = ()

    def is_defined(self, name: str) -> bool:
        """Whether any rc file defines the config for the command."""
        return any(f"{command}:{name}" in self._sections for command in self._commands)

    def expand(self, node: ConfigNode) -> list[Word]:
        """The words that the config of `node` stands for, nested configs included."""
        self._count = 0
        self._longest = ()
        words: list[Word] = []
        self._expand(node, (node.name,), words)
        if self._count > MAX_WORDS:
            message = f"`--config={node.name}` expands to more than {MAX_WORDS} words"
            self.diagnostics.append(Diagnostic("config-limit", message))
        if len(self._longest) > MAX_CHAIN:
            message = f"`--config={node.name}` nests more than {MAX_CHAIN} configs"
            self.diagnostics.append(Diagnostic("config-limit", message))
            return words
        if len(self._longest) >= LONG_CHAIN:
            self.diagnostics.append(
                warnings.warning(
                    "long-config-chain",
                    f"a chain of {len(self._longest)} configs: {' -> '.join(self._longest)}",
                    node.defined_at[0] if node.defined_at else None,
                )
            )
        return words

    def _expand(self, node: ConfigNode, chain: tuple[str, ...], words: list[Word]) -> None:
        for command in self._commands:
            for chunk in self._sections.get(f"{command}:{node.name}", ()):
                lenient = self._every_section or (self._lenient and command == "common")
                last_line = None
                for word in chunk.words:
                    self._count += 1
                    if self._count > MAX_WORDS:
                        return
                    if word.line is not last_line:
                        node.defined_at.append(word.line.span)
                        last_line = word.line
                    nested = None
                    if word.text.startswith(_CONFIG):
                        nested = self._nested(word, node, chain)
                    words.append(Word(word.text, word.origin, node, nested, lenient))
                    if nested is not None:
                        self._expand(nested, (*chain, nested.name), words)

    def _nested(
        self, word: SectionWord, node: ConfigNode, chain: tuple[str, ...]
    ) -> ConfigNode | None:
        _, equals, name = word.text.partition("=")
        span = word.origin.span
        if not equals:
            self.diagnostics.append(
                Diagnostic(
                    "config-in-two-words",
                    f"inside the definition of `{node.name}`, `--config` needs its value "
                    "in the same word",
                    span,
                    hint="write `--config=NAME`",
                )
            )
            return None
        if name in chain:
            self.diagnostics.append(
                Diagnostic(
                    "config-cycle",
                    f"config `{name}` expands to itself: {' -> '.join((*chain, name))}",
                    span,
                )
            )
            return None
        longer = (*chain, name)
        if len(longer) > len(self._longest):
            self._longest = longer
        if len(longer) > MAX_CHAIN:
            return None
        if not self.is_defined(name):
            self.undefined.append((name, word))
            return None
        return ConfigNode(name, node)


def definitions(sections: Mapping[str, tuple[Chunk, ...]], name: str) -> tuple[Chunk, ...]:
    """Every definition of a config, for any command."""
    return tuple(
        chunk
        for section, chunks in sections.items()
        if section.partition(":")[2] == name and ":" in section
        for chunk in chunks
    )


def definition_notes(chunks: Sequence[Chunk]) -> tuple[Note, ...]:
    """One note for each place where a config is defined."""
    return tuple(
        Note(f"`{chunk.section}` is defined here", section_span(chunk)) for chunk in chunks
    )
