"""What rules about rc files look at: the files as they are read, and what they amount to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import chain, pairwise

from bazelscope.base.errors import Diagnostic
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import Location, Span
from bazelscope.bazel import flag_catalog
from bazelscope.bazel.flag_catalog import STARTUP, Catalog
from bazelscope.bazel.flag_conversion import boolean
from bazelscope.flags import startup
from bazelscope.flags.configure_scripts import ScriptMention, mentions_of_missing
from bazelscope.flags.expansion import MAX_WORDS
from bazelscope.flags.flag_values import FromRc, ResolvedFlags
from bazelscope.flags.option_parsing import RC_FILE, OptionParser, ParsedOption, StarlarkOption
from bazelscope.flags.rc_chunks import Chunk, section_span
from bazelscope.flags.rc_file_reading import Files, FileText, join
from bazelscope.flags.rc_search import RcFiles, read_rc_files
from bazelscope.flags.rcfile import RcLine
from bazelscope.flags.request import FlagRequest
from bazelscope.flags.resolve import resolve
from bazelscope.flags.words import SectionWord, Word

EVERY_COMMAND = ("always", "common")
"""Sections whose lines all commands read."""


_FLAG_ALIAS = "--flag_alias"
_MOST_NESTED = 20


def meaning(text: str | None) -> bool | str:
    """Returns what a value means, by which spellings of a switch, and of case, are the same."""
    switch = boolean(text or "")
    return (text or "").lower() if switch is None else switch


@dataclass(frozen=True, slots=True)
class RcSection:
    """A section of the rc files, `build` or `build:mkl`, in whichever files it stands; its
    options as they are written, and what is wrong with them by themselves."""

    name: str
    command: str
    config: str
    chunks: tuple[Chunk, ...]
    options: tuple[ParsedOption, ...]
    starlark: tuple[StarlarkOption, ...]
    diagnostics: tuple[Diagnostic, ...]

    @property
    def head(self) -> Span:
        """The span of its first line."""
        return section_span(self.chunks[0])

    def words(self) -> Iterator[SectionWord]:
        """Its words, in order."""
        for chunk in self.chunks:
            yield from chunk.words

    def names(self) -> Iterator[tuple[str, SectionWord]]:
        """The configs that it names, and the word that does."""
        previous = ""
        for word in self.words():
            if word.text.startswith("--config="):
                yield word.text.partition("=")[2], word
            elif previous == "--config":
                yield word.text, word
            previous = word.text


@dataclass(frozen=True)
class RcFacts:
    """The rc files of a command line, and the flags that are in force with them."""

    request: FlagRequest
    files: Files
    rc_files: RcFiles
    flags: ResolvedFlags
    catalog: Catalog

    @staticmethod
    def of(request: FlagRequest, files: Files) -> RcFacts:
        """Reads the rc files of a command line, and works out its flags."""
        catalog = flag_catalog.load(request.bazel_version)
        given = startup.parse(request.startup, catalog)
        rc_files = read_rc_files(request, files, catalog, given)
        flags = resolve(request, files, catalog=catalog, rc_files=rc_files)
        return RcFacts(request, files, rc_files, flags, catalog)

    @cached_property
    def sections(self) -> tuple[RcSection, ...]:
        """Every section of a command that this Bazel has, in order of reading."""
        return tuple(self.sections_under(self.catalog))

    def sections_under(self, catalog: Catalog) -> Iterator[RcSection]:
        """Every section of a command, as a Bazel with that catalog reads them."""
        for name, chunks in self.rc_files.sections.items():
            command, _, config = name.partition(":")
            is_common = command in EVERY_COMMAND
            if command == STARTUP or not (is_common or command in catalog.commands):
                continue
            parser = OptionParser(
                catalog, "build" if is_common else command, aliases=self._aliases(catalog, command)
            )
            if config:
                parser.parse(RC_FILE, self._words(name, is_common, (config,), 0))
            for chunk in chunks if not config else ():
                words = [Word(w.text, w.origin, lenient=is_common) for w in chunk.words]
                parser.parse(RC_FILE, words)
            own = {word.origin.span for chunk in chunks for word in chunk.words}
            yield RcSection(
                name,
                command,
                config,
                chunks,
                tuple(one for one in parser.options if _is_written(one, name)),
                tuple(one for one in parser.starlark if one.word.span in own),
                tuple(one for one in parser.diagnostics if one.span in own),
            )

    def _aliases(self, catalog: Catalog, command: str) -> dict[str, str]:
        """Short names of Starlark flags that lines have given before a section of the command is
        read: MODULE.bazel, and `--flag_alias` on lines that need no config."""
        aliases = dict(self.request.aliases)
        for read in self.commands_read_by(command) if catalog.release.flag_alias else ():
            words = [word.text for word in self._words(read, False, (), 0)]
            for before, word in pairwise(["", *words]):
                option, _, value = word.partition("=")
                given = value if option == _FLAG_ALIAS else word if before == _FLAG_ALIAS else ""
                name, equals, label = given.partition("=")
                if equals:
                    aliases[name] = label
        return aliases

    def expanded(self, section: RcSection) -> list[Word]:
        """The words of a section, each `--config` followed by what it stands for under every
        command that reads the section."""
        is_common = section.command in EVERY_COMMAND
        return self._words(section.name, is_common, (section.config,), 0)

    def _words(self, name: str, lenient: bool, above: tuple[str, ...], count: int) -> list[Word]:
        collected: list[Word] = []
        commands = self.commands_read_by(name.partition(":")[0])
        for chunk in self.rc_files.sections.get(name, ()):
            for word in chunk.words:
                collected.append(Word(word.text, word.origin, lenient=lenient))
                config = word.text.removeprefix("--config=")
                total = count + len(collected)
                if config == word.text or config in above or total > MAX_WORDS:
                    continue
                if len(above) > _MOST_NESTED:
                    continue
                for command in commands:
                    inner = f"{command}:{config}"
                    collected += self._words(inner, lenient, (*above, config), total)
        return collected

    @cached_property
    def places(self) -> dict[Location, tuple[RcLine, int]]:
        """By the place of a word in an rc file: its line, and its number there."""
        chunks = chain.from_iterable(self.rc_files.sections.values())
        lines = {word.line.span: word.line for chunk in chunks for word in chunk.words}
        return {
            word.span.start: (line, number)
            for line in lines.values()
            for number, word in enumerate(line.words)
        }

    @cached_property
    def by_config(self) -> dict[str, list[RcSection]]:
        """The sections of each named config."""
        by_config: dict[str, list[RcSection]] = {}
        for section in self.sections:
            if section.config:
                by_config.setdefault(section.config, []).append(section)
        return by_config

    @cached_property
    def writers(self) -> dict[str, ScriptMention]:
        """Where a configure script names each rc file that is not there."""
        return mentions_of_missing(self.request, self.rc_files, self.files)

    def script_that_writes(self, config: str) -> str | None:
        """The configure script of the root that writes the sections of a config into an rc file
        that is not there yet."""
        root = self.request.workspace_root
        pattern = re.compile(rf"\b(?:common|build|test|run):{re.escape(config)}(?![\w.-])")
        for mention in self.writers.values():
            for name in dict.fromkeys((mention.place.path, mention.script)):
                content = self.files.read(join(root or "/", name))
                if isinstance(content, FileText) and pattern.search(content.text):
                    return mention.script
        return None

    def commands_read_by(self, command: str) -> Sequence[str]:
        """The commands whose lines a command reads, itself included."""
        if command in EVERY_COMMAND:
            return EVERY_COMMAND
        return (*EVERY_COMMAND, *self.catalog.command_chain(command))


def _is_written(option: ParsedOption, section: str) -> bool:
    instance = option.instance
    is_own = instance.expanded_from is None and not option.implied
    return is_own and isinstance(instance.origin, FromRc) and instance.origin.section == section
