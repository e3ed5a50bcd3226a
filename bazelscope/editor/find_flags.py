"""What an option or a config does, where it stands in an rc file or in a script."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bazelscope.api import ConfiguredWorkspace
from bazelscope.base.graph_walk import distances
from bazelscope.base.source import SourceFile, Span
from bazelscope.editor.facts import ConfigFacts, ImportFacts, OptionFacts, Standing
from bazelscope.editor.file_kinds import TextKind, kind_of
from bazelscope.editor.pointed import RcImportAt, RcOptionAt, ScriptFlagAt
from bazelscope.editor.state import EditorState
from bazelscope.flags.flag_values import FlagInstance, FromCommandLine, RcFile, every_expansion
from bazelscope.flags.rcfile import parse as parse_rc
from bazelscope.questions.flag.find import LAST_OF_A_NAME


def rc_option(state: EditorState, at: RcOptionAt) -> OptionFacts:
    """What an option of an rc file does, what became of it, and which words bring its line."""
    build = state.build
    command, _, config = at.section.partition(":")
    word = at.text if at.span == at.first else _first_word(state, at)

    def is_here(instance: FlagInstance) -> bool:
        return instance.location == at.first.start

    configs = tuple(f"--config={name}" for name in _bringing(build, config)) if config else ()
    shown = word if at.span == at.first else f"{word} {at.text}"
    return _option(build, word, shown, command, is_here, configs)


def script_flag(state: EditorState, at: ScriptFlagAt) -> OptionFacts | ConfigFacts:
    """What a flag on the `bazel` line of a script does, under the flags of that very line."""
    build = state.line(at.words)
    if at.text.startswith("--config="):
        return config(build, at.text.partition("=")[2])
    command = build.line.command
    # Words of an instance are counted behind the command.
    number = at.index - (len(at.words) - len(build.line.words))

    def is_here(instance: FlagInstance) -> bool:
        return isinstance(instance.origin, FromCommandLine) and instance.origin.index == number

    return _option(build, at.text, at.text, command, is_here, ())


def _option(
    build: ConfiguredWorkspace,
    word: str,
    shown: str,
    command: str,
    is_here: Callable[[FlagInstance], bool],
    configs: tuple[str, ...],
) -> OptionFacts:
    name, equals, value = word.lstrip("-").partition("=")
    member = value.partition("=")[0] if name in LAST_OF_A_NAME and equals else ""
    answer = build.flag(f"{name}={member}" if member else name)
    if answer.facts is None:
        return OptionFacts(
            shown, None, Standing.UNKNOWN_OPTION, command, configs=configs,
            nearest=answer.suggestions, known_in=answer.known_in,
        )  # fmt: skip
    here = [ranked for ranked in answer.settings if is_here(ranked.setting)]
    if not here:
        return OptionFacts(
            shown, answer.facts, Standing.NOT_ASKED_FOR, command, configs=configs,
            values=answer.values,
        )  # fmt: skip
    last = here[-1]
    others = [ranked for ranked in answer.settings if ranked not in here]
    if not last.counts:
        winner = next((r.setting for r in reversed(answer.settings) if r.counts), None)
        return OptionFacts(
            shown, answer.facts, Standing.BEATEN, command, last.setting, winner,
            configs=configs, values=answer.values,
        )  # fmt: skip
    beaten = tuple(ranked.setting for ranked in others if not ranked.counts)
    adds = any(ranked.counts for ranked in others) or answer.facts.accumulates
    standing = Standing.ADDS if adds and not member else Standing.COUNTS
    return OptionFacts(
        shown, answer.facts, standing, command, last.setting, None, beaten, configs,
        values=answer.values,
    )  # fmt: skip


def _first_word(state: EditorState, at: RcOptionAt) -> str:
    source = state.source(at.first.path)
    line = source.line(at.first.line) if source is not None else ""
    return line[at.first.column - 1 : at.first.end_column - 1]


def _bringing(build: ConfiguredWorkspace, name: str) -> Iterator[str]:
    """The config, and those that name it, directly or through others."""
    known = {config.name: config for config in build.configs().configs}
    yield from distances([name], lambda one: known[one].pulled_in_by if one in known else ())


def config(build: ConfiguredWorkspace, name: str) -> ConfigFacts:
    """What a named config sets, and whether the command line has it."""
    answer = build.configs(name)
    return ConfigFacts(name, answer.named(name), name in in_force(build), answer.suggestions)


def in_force(build: ConfiguredWorkspace) -> frozenset[str]:
    """The configs that the command line and the rc files ask for."""
    return frozenset(one.name for one in every_expansion(build.flags.configs))


def config_heads(state: EditorState, name: str) -> Iterator[Span]:
    """Where the heads of rc lines name a config that they define, in the order of reading."""
    for source in rc_sources(state):
        for line in parse_rc(source):
            head = line.words[0]
            if ":" in head.text and head.text.partition(":")[2] == name:
                yield head.span._replace(column=head.span.end_column - len(name))


def rc_sources(state: EditorState) -> Iterator[SourceFile]:
    """The texts of the rc files that are read, and of those that the editor shows."""
    shown = (path for path in state.open_paths() if kind_of(path) is TextKind.RC)
    for path in dict.fromkeys((*state.build.rc_files.sources, *shown)):
        source = state.source(path)
        if source is not None:
            yield source


def rc_import(state: EditorState, at: RcImportAt) -> ImportFacts | None:
    """What an import of an rc file leads to."""
    file = imported_file(state, at)
    return ImportFacts(file.path, file.status.value) if file is not None else None


def imported_file(state: EditorState, at: RcImportAt) -> RcFile | None:
    """The file that an import of an rc file leads to; None for a line that is not read."""
    for file in state.build.rc_files.files:
        place = file.imported_at
        if place is not None and (place.path, place.line) == (at.span.path, at.span.line):
            return file
    return None
