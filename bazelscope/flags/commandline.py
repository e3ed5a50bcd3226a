"""A Bazel command line as people paste it: program, startup options, command, words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from pathlib import PurePosixPath, PureWindowsPath

from bazelscope.base.errors import Diagnostic
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.base.nearest import did_you_mean
from bazelscope.bazel.flag_catalog import STARTUP, Catalog
from bazelscope.flags import startup

DEFAULT_COMMAND = "build"

_PROGRAM = lazy_pattern(r"(?:bazel|bazelisk|blaze|bazelw)(?:[-_.]?v?\d[\w.+-]*)?(?:-[\w.-]+)?")
_ASSIGNMENT = lazy_pattern(r"[A-Za-z_][A-Za-z0-9_]*=")
_PREFIXES = frozenset({"$", "#", ">", "sudo", "env", "time", "nice", "nohup", "exec"})


@dataclass(frozen=True, slots=True)
class CommandLine:
    """The parts of one command line.

    `program` and `command` are empty where they were left out. `environment` holds the
    assignments written before the program.
    """

    command: str
    words: tuple[str, ...] = ()
    startup: tuple[str, ...] = ()
    program: str = ""
    environment: Mapping[str, str] = field(default_factory=dict)
    diagnostics: tuple[Diagnostic, ...] = ()


def parse(words: Sequence[str], catalog: Catalog) -> CommandLine:
    """Takes apart the words of a command line.

    All of these are understood: a whole line (`bazel --output_user_root=x build ...`), one
    without the program, and the flags and targets of a `build` alone. A `#` or `$` prompt,
    `sudo`, `env` and assignments before the program are skipped.
    """
    position, program, environment = _program(words)
    rest = words[position:]
    if not program and environment:
        # `A=b` without a program after it is an ordinary word.
        rest, environment = words, {}
    if program or _begins_with_startup_option(rest, catalog):
        options = startup.parse(rest, catalog)
        before, rest = tuple(rest[: options.consumed]), rest[options.consumed :]
    else:
        before = ()
    command = ""
    problems: list[Diagnostic] = []
    if rest and rest[0] in catalog.commands:
        command, rest = rest[0], rest[1:]
    elif program and rest:
        problems.append(_not_a_command(rest[0], catalog))
        if not _looks_like_argument(rest[0]):
            rest = rest[1:]
    return CommandLine(command, tuple(rest), before, program, environment, tuple(problems))


def is_program(word: str) -> bool:
    """Whether a word names Bazel: `bazel`, `./bazelisk`, `/usr/bin/bazel-4.2.3`; a label
    (`//bazel`) and an option (`--vendor_dir=vendor/bazel`) do not."""
    if word.startswith(("//", "@", "-")):
        return False
    name = PureWindowsPath(word).name if "\\" in word else PurePosixPath(word).name
    return _PROGRAM.fullmatch(name.removesuffix(".exe")) is not None


def _program(words: Sequence[str]) -> tuple[int, str, dict[str, str]]:
    environment: dict[str, str] = {}
    for position, word in enumerate(words):
        if word in _PREFIXES or (word.startswith("-") and position and words[0] == "sudo"):
            continue
        if _ASSIGNMENT.match(word):
            name, _, value = word.partition("=")
            environment[name] = value
            continue
        if is_program(word):
            return position + 1, word, environment
        break
    return 0, "", environment


def _begins_with_startup_option(words: Sequence[str], catalog: Catalog) -> bool:
    """Whether the first word is an option that can only stand before a command."""
    if not words or not words[0].startswith("--"):
        return False
    name = words[0][2:].partition("=")[0]
    for candidate in (name, name.removeprefix("no")):
        if catalog.find(candidate, DEFAULT_COMMAND) is not None:
            return False
        if catalog.find(candidate, STARTUP) is not None:
            return True
    return False


def _looks_like_argument(word: str) -> bool:
    return word.startswith(("-", "//", "@", ":")) or "/" in word or ":" in word


def _not_a_command(word: str, catalog: Catalog) -> Diagnostic:
    return Diagnostic(
        "unknown-command-word",
        f"`{word}` is no command of Bazel {catalog.bazel_version}",
        hint=did_you_mean(word, sorted(catalog.commands)) or f"`{DEFAULT_COMMAND}` is assumed",
    )
