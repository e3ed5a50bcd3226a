"""Chunks: the words of a section that Bazel's server parses as one list.

Bazel: `OptionProcessor::GetBlazercOptions`, `BlazeOptionHandler.structureRcOptionsAndConfigs`.
"""

from __future__ import annotations

from collections.abc import Iterable

from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import Span
from bazelscope.flags.words import SectionWord


@dataclass(frozen=True, slots=True)
class Chunk:
    """Words of one section from one stretch of one file; Bazel parses them as one list."""

    section: str
    file: str
    words: tuple[SectionWord, ...]

    @property
    def command(self) -> str:
        return self.section.partition(":")[0] if self.section.find(":") > 0 else self.section


Stretches = dict[str, list[tuple[str, list[SectionWord]]]]
"""What one file of the search, and those that it imports, have for each section: words, line by
line, each with the file that it stands in."""


def chunks_of(searched: Iterable[Stretches]) -> dict[str, tuple[Chunk, ...]]:
    """The chunks of each section.

    A chunk ends where the next word that the client sends is another file's. It sends section by
    section, the one that was met first as the last of a file of the search: so it was measured,
    where no two hashes of its table of sections collide; else the order may be another.
    """
    chunks: dict[str, list[tuple[str, list[SectionWord]]]] = {}
    last = ""
    begun: dict[str, list[SectionWord]] = {}
    for stretches in searched:
        chunks |= {section: [] for section in stretches if section not in chunks}
        for section, lines in reversed(stretches.items()):
            for file, words in lines:
                if file != last:
                    last, begun = file, {}
                if section not in begun:
                    begun[section] = []
                    chunks[section].append((file, begun[section]))
                begun[section] += words
    return {
        section: tuple(Chunk(section, file, tuple(words)) for file, words in parts)
        for section, parts in chunks.items()
    }


def section_span(chunk: Chunk) -> Span:
    """The span of the first line of a chunk."""
    return chunk.words[0].line.span
