"""The words of a command line: which options are ours, and which words Bazel's.

Start-up imports click and nothing else: whatever a run needs is imported when it does.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from bazelscope.api import ConfiguredWorkspace

_Command = TypeVar("_Command", bound=Callable[..., Any])


class BazelLine(click.Command):
    """A command that takes our own options anywhere among the words of a Bazel line.

    Words that are none of ours are Bazel's, in their order; so is everything behind `--`,
    and a word that is the value of the Bazel option before it (`--copt -o`).
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        own, words = self._split(args)
        return super().parse_args(ctx, [*own, "--", *words])

    def _split(self, args: Sequence[str]) -> tuple[list[str], list[str]]:
        takes_value = {
            name: not option.is_flag
            for option in self.params
            if isinstance(option, click.Option)
            for name in (*option.opts, *option.secondary_opts)
        }
        takes_value["--help"] = False
        own: list[str] = []
        words: list[str] = []
        position = 0
        while position < len(args):
            word = args[position]
            if word == "--":
                words.extend(args[position:])
                break
            name = word.partition("=")[0] if word.startswith("--") else word
            is_value = bool(words) and _takes_next_word(words[-1])
            if name in OF_SOME_COMMANDS and name not in takes_value and not is_value:
                raise click.NoSuchOption(name, _elsewhere(name))
            if name not in takes_value or is_value:
                if name not in takes_value and (meant := _meant(name, takes_value)):
                    raise click.NoSuchOption(
                        name, f"No such option: {name}, of Bazel or here. Did you mean {meant}?"
                    )
                words.append(word)
            else:
                own.append(word)
                if takes_value[name] and name == word:
                    position += 1
                    if position == len(args):
                        raise click.BadOptionUsage(name, f"Option `{name}` requires an argument.")
                    own.append(args[position])
            position += 1
        return own, words


_MOST_EDITS = 2
OF_SOME_COMMANDS = frozenset(
    {
        *("--after", "--against", "--all-branches", "--all-paths", "--also-host", "--as"),
        *("--avoid", "--baseline", "--before", "--boxes", "--codes", "--collapse", "--configured"),
        *("--every-edge", "--for", "--ignore", "--levels", "--link", "--loads", "--log"),
        *("--max-nodes", "--max-paths", "--over", "--places", "--processes", "--rc-only"),
        *("--reduce", "--repositories", "--scheduler", "--sections", "--since", "--skip"),
        *(
            "--tests",
            "--through-attr",
            "--tree",
            "--unsafe-fixes",
            "--until",
            "--via",
            "--why",
            "-o",
        ),
    }
)
"""Options of ours that not every command has: none is Bazel's, so that one at the wrong command
is told as ours."""


def _elsewhere(option: str) -> str:
    """Says which commands have an option that this one lacks."""
    ctx = click.get_current_context()
    group = ctx.find_root().command
    assert isinstance(group, click.Group)
    commands = {name: group.get_command(ctx, name) for name in group.list_commands(ctx)}
    having = [
        f"`{name}`"
        for name, command in commands.items()
        if command is not None and any(option in one.opts for one in command.params)
    ]
    return f"No such option: {option}. It is an option of {', '.join(having)}."


def _meant(word: str, own: Iterable[str]) -> str | None:
    """The option of ours that a word is a slip of the pen for; None where it is Bazel's, or as
    near to one of Bazel's."""
    if not word.startswith("--") or set(word) & set("/:@"):
        return None
    from bazelscope.base.nearest import edits

    def distance(name: str) -> int:
        return edits(word, name) if abs(len(name) - len(word)) <= _MOST_EDITS else len(word)

    # Most words are far from all of ours, which is quick to see.
    found = min(own, key=distance)
    if distance(found) > _MOST_EDITS or len(found) < 4:
        return None
    from bazelscope.bazel.option_table import option_table

    bazels = (f"--{no}{name}" for name in option_table().names for no in ("", "no"))
    return found if min(map(distance, bazels)) > distance(found) else None


def _takes_next_word(word: str) -> bool:
    # Only a word that may take another is worth the option tables.
    if not word.startswith("-") or "=" in word or word == "--":
        return False
    from bazelscope.questions.shared.command_line import takes_next_word

    return takes_next_word(word)


def _host(context: click.Context, option: click.Parameter, value: str | None) -> str | None:
    if value is not None:
        from bazelscope.bazel.hosts import SYSTEMS, Host

        if not Host.is_known(value):
            raise click.BadParameter(f"no host `{value}`; there are {', '.join(SYSTEMS)}.")
    return value


def together(*options: Callable[[_Command], _Command]) -> Callable[[_Command], _Command]:
    """Several options that commands share, in this order."""

    def add(command: _Command) -> _Command:
        for option in reversed(options):
            command = option(command)
        return command

    return add


def workspace_options(
    command: _Command, formats: tuple[str, ...] = ("text", "json", "jsonl")
) -> _Command:
    """The options that every question takes. None has the name of an option of Bazel."""
    return together(
        click.option("-w", "--workspace", metavar="DIR", help="A directory of the workspace."),
        click.option("--bazel-version", metavar="VERSION", help="Default: .bazelversion."),
        click.option("--host", metavar="OS[-CPU]", callback=_host, help="Default: this machine."),
        click.option(
            "--format",
            "form",
            type=click.Choice(formats),
            default="text",
            help="For people, or for programs.",
        ),
        click.option("--full", is_flag=True, help="List what is otherwise only counted."),
        click.option("--cache-dir", metavar="DIR", help="Where parsed files are kept."),
        click.option("--no-cache", is_flag=True, help="Keep nothing between runs."),
        click.option("--no-pager", is_flag=True, help="Show long answers without a pager."),
        click.option(
            "--max-seconds",
            type=click.FloatRange(min=1),
            default=300,
            show_default=True,
            help="CPU time for the question; one file may take a fifteenth of it.",
        ),
        click.option(
            "--max-memory",
            metavar="MB",
            type=click.IntRange(min=64),
            default=2048,
            show_default=True,
            help="Memory for the question.",
        ),
        click.option(
            "--max-configurations",
            type=click.IntRange(min=1),
            default=200,
            show_default=True,
            help="Configurations of one target.",
        ),
        click.option(
            "--links-to",
            metavar="DIR",
            multiple=True,
            help="Follow symbolic links out of the workspace into DIR.",
        ),
        click.option(
            "--trace",
            metavar="FILE",
            help="Write what took how long, for chrome://tracing or Perfetto.",
        ),
    )(command)


def bazel_words(metavar: str) -> Callable[[_Command], _Command]:
    """The argument that holds all words that are none of our own options."""
    return click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar=metavar)


def branch_options(command: Callable[..., int]) -> Callable[..., int]:
    """The options that say which branches count: a command gets `configured`, which is None where
    the flags decide."""

    @click.option("--all-branches", is_flag=True, help="Count every branch, whatever the flags.")
    @click.option("--configured", is_flag=True, help="Count chosen branches, even without flags.")
    @functools.wraps(command)
    def chosen(all_branches: bool, configured: bool, **given: Any) -> int:
        if all_branches and configured:
            raise click.UsageError("--all-branches and --configured exclude each other")
        counted = False if all_branches else True if configured else None
        return command(configured=counted, **given)

    return chosen


def first_name(words: tuple[str, ...], expected: str) -> tuple[str, tuple[str, ...]]:
    """The name that is asked about, and the words of the Bazel line behind it. An option may stand
    there with its value, as it is written on a line: `-c opt`."""
    if not words:
        raise click.UsageError(f"expected {expected}")
    has_value = len(words) > 1 and _takes_next_word(words[0])
    if has_value and not words[1].startswith(("//", "@", ":", "-")):
        return words[0], words[2:]
    return words[0], words[1:]


def names_of(asked: ConfiguredWorkspace, expected: str, least: int, most: int) -> tuple[str, ...]:
    """The names on a line, of which so many are `expected`."""
    if not least <= len(asked.names) <= most:
        given = ", ".join(f"`{name}`" for name in asked.names) or "nothing"
        flags = [f"`--{name}`" for name in asked.names if _is_option(name.partition("=")[0])]
        meant = f"; did you mean {', '.join(flags)}?" if flags else ""
        raise click.UsageError(f"expected {expected}, got {given}{meant}")
    return asked.names


def _is_option(name: str) -> bool:
    from bazelscope.bazel.option_table import option_table  # Few lines need it.

    return name in option_table().names


def cut_flags(option: str, flags: str) -> list[str]:
    """The words of flags that stand quoted behind an option."""
    import shlex

    try:
        return shlex.split(flags)
    except ValueError as error:
        raise click.UsageError(f"{option}: {error}") from error
