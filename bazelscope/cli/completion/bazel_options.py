"""Bazel's own options at the cursor: their names, and what they may be set to."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from bazelscope.cli.completion.candidate import Candidate

if TYPE_CHECKING:
    from bazelscope.api import Workspace
    from bazelscope.bazel.flag_catalog import Catalog, FlagDefinition

_QUERIES = ("query", "cquery")


class OptionCandidates:
    """The options of one Bazel command, in the version that a workspace asks for."""

    def __init__(self, directory: Path, bazel_version: str | None, command: str) -> None:
        self._directory = directory
        self._given_version = bazel_version
        self._command = command

    @cached_property
    def _workspace(self) -> Workspace:
        import os

        from bazelscope.api import Workspace

        version = self._given_version
        return Workspace.open(self._directory, bazel_version=version, environment=dict(os.environ))

    @cached_property
    def _catalog(self) -> Catalog:
        from bazelscope.base.errors import BazelscopeError
        from bazelscope.bazel import flag_catalog

        try:
            return self._workspace.catalog
        except BazelscopeError:
            return flag_catalog.load(None)

    def _definitions(self) -> Iterator[FlagDefinition]:
        command = self._command if self._command in self._catalog.commands else "build"
        for definition in self._catalog.definitions(command):
            if not definition.hidden:
                yield definition

    def names(self, prefix: str) -> Iterator[Candidate]:
        """The options as words; those that switch one off only where `--n` is typed."""
        for definition in self._definitions():
            about = _about(definition)
            takes_value = definition.takes_value and not definition.negatable
            yield Candidate(f"--{definition.name}{'=' if takes_value else ''}", about)
            if definition.negatable and prefix.startswith("--n"):
                yield Candidate(f"--no{definition.name}", about)

    def bare_names(self) -> Iterator[Candidate]:
        """The options without dashes."""
        for definition in self._definitions():
            yield Candidate(definition.name, _about(definition))

    def named(self, word: str) -> str | None:
        """The option that `--name` means; None if there is none."""
        definition = self._catalog.find(word.removeprefix("--"))
        return definition.name if definition is not None else None

    def awaiting_value(self, word: str) -> str | None:
        """The option that takes the next word for its value, if `word` is one."""
        if not word.startswith("-") or "=" in word:
            return None
        if word.startswith("--"):
            definition = self._catalog.find(word[2:])
        else:
            definition = self._catalog.by_abbreviation(word[1:], self._command)
        return definition.name if definition is not None and definition.takes_value else None

    def values(self, name: str) -> tuple[str, list[Candidate]]:
        """What the option may be set to: `words` and those, `label`, or `files`."""
        from bazelscope.bazel.flag_catalog import FlagKind

        if name == "config":
            return "words", list(self.configs())
        if name == "output" and self._command in _QUERIES:
            return "words", [Candidate(word) for word in _output_formats(self._command)]
        definition = self._catalog.find(name)
        if definition is None:
            return "words", []
        if definition.kind is FlagKind.LABEL:
            return "label", []
        if definition.kind is FlagKind.PATH:
            return "files", []
        words = definition.enum_values
        if definition.kind is FlagKind.BOOLEAN:
            words = ("true", "false")
        elif definition.kind is FlagKind.TRISTATE:
            words = ("auto", "yes", "no")
        elif definition.kind is not FlagKind.ENUM:
            return "words", list(self._values_of_rc_files(definition.name))
        default = definition.default
        return "words", [Candidate(w, "default" if w == default else "") for w in words]

    def _values_of_rc_files(self, name: str) -> Iterator[Candidate]:
        """What rc files set an option to that takes any text, and where."""
        rc_files = self._workspace.configure((), command=self._command).rc_files
        for chunk in (chunk for chunks in rc_files.sections.values() for chunk in chunks):
            for word in chunk.words:
                option, equals, value = word.text.partition("=")
                if equals and option == f"--{name}":
                    yield Candidate(value, word.line.span.start.short)

    def configs(self, of_every_command: bool = False) -> Iterator[Candidate]:
        """The named configs of the rc files that the command takes, and where each begins."""
        rc_files = self._workspace.configure((), command=self._command).rc_files
        commands = {"always", "common", *self._catalog.command_chain(self._command)}
        for section, chunks in sorted(rc_files.sections.items()):
            command, colon, name = section.partition(":")
            if colon and chunks and (of_every_command or command in commands):
                words = chunks[0].words
                yield Candidate(name, words[0].line.span.start.short if words else chunks[0].file)


def _about(definition: FlagDefinition) -> str:
    from bazelscope.bazel.option_summaries import summary

    if about := summary(definition.name):
        return about
    if definition.default in (None, ""):
        return definition.type_text
    return f"{definition.type_text}; default: {definition.default}"


def _output_formats(command: str) -> tuple[str, ...]:
    from bazelscope.query.formats.format_names import format_names
    from bazelscope.query.language.signatures import Command

    return format_names(Command(command))
