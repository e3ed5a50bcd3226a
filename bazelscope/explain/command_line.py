"""A pasted Bazel command line cut into startup options, command and the command's words.

`explain` takes what stands behind `bazel build`, or the whole line from the word `bazel`
on. Only the line's outer shape is settled here; `flags` gives the words their meaning.
"""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass

from bazelscope.errors import Diagnostic, UsageError
from bazelscope.flags import catalog, startup
from bazelscope.flags.catalog import Catalog

_PROGRAM = re.compile(
    r"(?!//|@)(?:.*[/\\])?(?:bazel|bazelisk|blaze)(?:-[\w.+-]+)?(?:\.exe)?", re.DOTALL
)

DEFAULT_COMMAND = "build"


@dataclass(frozen=True, slots=True)
class CommandLine:
    """What a user asked about: `bazel <startup> <command> <words>`."""

    command: str
    words: tuple[str, ...]
    startup: tuple[str, ...] = ()


def split_command_line(words: tuple[str, ...], table: Catalog) -> CommandLine:
    """The parts of `words`: a whole line if they begin with a Bazel program's name (a `--`
    may stand before it), else the words of a `build`.

    Raises `UsageError` for a line without a command, or with a word that is none of this
    Bazel version.
    """
    line = words[1:] if words[:1] == ("--",) and _is_program(words[1:2]) else words
    if not _is_program(line[:1]):
        return CommandLine(DEFAULT_COMMAND, words)
    position = 1 + startup.parse(line[1:], table).consumed
    if position >= len(line):
        raise UsageError(
            Diagnostic(
                "no-bazel-command",
                f"`{' '.join(line)}` names no Bazel command",
                hint="the command stands behind the startup options: `bazel build ...`",
            )
        )
    command = line[position]
    if command not in table.commands:
        near = difflib.get_close_matches(command, sorted(table.commands), 1)
        raise UsageError(
            Diagnostic(
                "unknown-bazel-command",
                f"`{command}` is no command of Bazel {table.table_version}",
                hint=f"did you mean `{near[0]}`?" if near else None,
            )
        )
    return CommandLine(command, line[position + 1 :], line[1:position])


def takes_next_word(word: str) -> bool:
    """Whether `word` (`--copt`, `-c`) is an option whose value is the next word, in the
    oldest Bazel that has such an option."""
    for version in catalog.table_versions():
        table = catalog.load(version)
        if word.startswith("--"):
            found = table.find(word[2:])
        else:
            found = table.by_abbreviation(word[1:], DEFAULT_COMMAND)
        if found is not None:
            return found.takes_value
    return False


def _is_program(word: tuple[str, ...]) -> bool:
    return bool(word) and _PROGRAM.fullmatch(word[0]) is not None
