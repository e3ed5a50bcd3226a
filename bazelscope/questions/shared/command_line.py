"""The words that a user typed behind `explain`: those of a `build`, or a whole pasted line."""

from __future__ import annotations

from bazelscope.base.errors import Diagnostic, UsageError
from bazelscope.bazel import flag_catalog
from bazelscope.bazel.flag_catalog import Catalog
from bazelscope.bazel.option_history import oldest_definition
from bazelscope.bazel.release import known_releases
from bazelscope.flags import commandline
from bazelscope.flags.commandline import DEFAULT_COMMAND, CommandLine


def split_command_line(words: tuple[str, ...], table: Catalog) -> CommandLine:
    """Cuts `words` into the parts of a command line: a whole one if it names a Bazel program (a
    `--` may stand before it), else the words of a `build`. Without a program no word is a
    command, since targets may be called `test` or `run`.

    Raises `UsageError` for a line without a command, or with a word that is none of this
    Bazel version.
    """
    line = words[1:] if words[:1] == ("--",) else words
    parsed = commandline.parse(line, table)
    if not parsed.program:
        return CommandLine(DEFAULT_COMMAND, words)
    if parsed.diagnostics:
        raise UsageError(parsed.diagnostics[0])
    if not parsed.command:
        raise UsageError(
            Diagnostic(
                "no-bazel-command",
                f"`{' '.join(line)}` names no Bazel command",
                hint="the command stands behind the startup options: `bazel build ...`",
            )
        )
    return parsed


def takes_next_word(word: str) -> bool:
    """Whether `word` (`--copt`, `-c`) is an option whose value is the next word, in the
    oldest Bazel that has such an option."""
    if word.startswith("--"):
        definition = oldest_definition(word[2:])
        return definition is not None and definition.takes_value
    for release in known_releases():
        abbreviated = flag_catalog.load(release.text).by_abbreviation(word[1:], DEFAULT_COMMAND)
        if abbreviated is not None:
            return abbreviated.takes_value
    return False
