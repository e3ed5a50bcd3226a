"""Where the program begins and ends: its commands, its exit codes, and no traceback.

Exit codes: 0 answered; 1 the answer is negative (no path, unknown target or flag);
2 the question cannot be asked (bad command line, no workspace, rc files that Bazel would
refuse); 3 answered, but files of the workspace are in error, or a limit was reached; 7 what
Bazel's `query` refuses with that code; 70 an internal error; 130 interrupted. Where JSON is asked
for, it is printed with each of them but the last. Start-up imports click and the command that is
asked for; each command imports what it uses.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bazelscope import __version__
from bazelscope.cli import interrupts
from bazelscope.cli.session import (
    BUDGET,
    EXIT_ANSWERED,
    EXIT_CODES,
    EXIT_IN_ERROR,
    EXIT_INTERNAL,
    EXIT_UNASKABLE,
    STARTUP,
    TELL_LINE,
    OutputError,
)
from bazelscope.cli.terminal import print_diagnostics

if TYPE_CHECKING:
    from bazelscope.base.errors import Diagnostic

_MODULES = {
    "affected": "affected_command",
    "canonicalize-flags": "flag_commands",
    "check": "check_command",
    "compile": "compile_command",
    "complete": "completion",
    "completion": "completion",
    "configs": "flag_commands",
    "cquery": "query_commands",
    "deps": "target_commands",
    "diff": "diff_command",
    "effects": "when_command",
    "explain": "explain_command",
    "flag": "flag_commands",
    "graph": "graph_command",
    "lsp": "lsp_command",
    "matrix": "matrix_command",
    "mod": "mod_command",
    "page": "page_command",
    "path": "path_command",
    "query": "query_commands",
    "rdeps": "target_commands",
    "repos": "repos_command",
    "schema": "schema_command",
    "select": "target_commands",
    "settings": "target_commands",
    "when": "when_command",
    "why": "explain_command",
}
"""Where each command is: a run imports its own."""
_SECTIONS = {
    "A build line": "explain why flag configs canonicalize-flags effects diff matrix",
    "Targets": "path deps rdeps when select settings compile affected query cquery",
    "Pictures": "graph page",
    "The workspace": "check repos mod",
    "Set-up": "completion lsp schema",
}
"""How the help lists the commands: what is asked most stands first."""


_BUILD_LINES = frozenset({"bazel", "build", "coverage", "run", "test"})
"""Words with which lines begin that `explain` takes whole."""
_OWN_OPTIONS = frozenset({"--help", "--version", "--"})
_WITHOUT_STARTUP = frozenset({"complete", "completion", "lsp", "matrix", "schema"})


class ClosedPipeError(Exception):
    """Whoever read our output has closed the pipe."""


class Commands(click.Group):
    """The group; names the nearest command for one that does not exist."""

    def invoke(self, ctx: click.Context) -> Any:
        from bazelscope.base.collector import RARE

        # Before the command is imported: to look for garbage there takes a tenth of that time.
        gc.set_threshold(*RARE)
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
            account = ctx.meta.get(BUDGET)
            if account is not None:
                from bazelscope.base import looks

                looks.end(is_whole=not account.cuts)
            if not result and account is not None and account.cuts:
                return EXIT_IN_ERROR
        except BrokenPipeError as error:
            # click would make an exit of its own out of it, with a code of its own.
            raise ClosedPipeError from error
        except Exception as error:
            from bazelscope.base.errors import UsageError

            if isinstance(error, UsageError) and TELL_LINE in ctx.meta:
                # `--nosuch name`: that no target is called so is the smaller half of it.
                ctx.meta[TELL_LINE]()
            raise
        return result

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Takes Bazel's startup options, which stand before the command as they do for `bazel`, and
        its words for help and version (Bazel: `OptionProcessor`)."""
        if args[:1] in (["help"], ["-h"]):
            args = [*args[1:], "--help"]
        elif args == ["version"]:
            args = ["--version"]
        count = 0
        while (width := _width_of_startup_option(args[count:])) > 0:
            count += width
        ctx.meta[STARTUP] = tuple(args[:count])
        rest = args[count:]
        place = next((index for index, word in enumerate(rest) if word in _MODULES), 0)
        if place and rest[0].startswith("-") and rest[0] not in _OWN_OPTIONS:
            line = " ".join(("bazelscope", rest[place], *rest[:place], "..."))
            wrong = f"No such option: {rest[0]}, before the command. Write it behind: `{line}`."
            raise click.NoSuchOption(rest[0], wrong, ctx=ctx)
        return super().parse_args(ctx, rest)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(_MODULES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        module = _MODULES.get(cmd_name)
        if module is None:
            return None
        made: Sequence[click.Command] = import_module(f"bazelscope.cli.{module}").COMMANDS
        return next(one for one in made if one.name == cmd_name)

    def every_command(self) -> dict[str, click.Command]:
        """All commands by name."""
        return {name: one for name in _MODULES if (one := self.get_command(_NOWHERE, name))}

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Lists the commands in sections, with their whole first sentence; click would cut it."""
        told = {name: one.get_short_help_str(1000) for name, one in self.every_command().items()}
        for title, names in _SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(name, told[name]) for name in names.split()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            from bazelscope.base.nearest import nearest

            near = nearest(args[0], self.list_commands(ctx), 1)
            hint = f" Did you mean `{near[0]}`?" if near else ""
            if args[0] in _BUILD_LINES:
                line = "bazel" if args[0] == "bazel" else f"bazel {args[0]}"
                hint = f" To explain a whole line: `bazelscope explain -- {line} ...`."
            ctx.fail(f"No such command `{args[0]}`.{hint}")
        if ctx.meta[STARTUP] and args[:1] and args[0] in _WITHOUT_STARTUP:
            ctx.fail(f"`{args[0]}` takes no startup options of Bazel.")
        return super().resolve_command(ctx, args)


def _width_of_startup_option(words: Sequence[str]) -> int:
    """How many words the startup option has that `words` begin with; 0 if it is none of Bazel's."""
    if not words or not words[0].startswith("--") or words[0] in ("--help", "--version"):
        return 0
    from bazelscope.bazel.flag_catalog import STARTUP as COMMAND
    from bazelscope.bazel.option_history import oldest_definition

    name, equals, _ = words[0][2:].partition("=")
    option = oldest_definition(name) or oldest_definition(name.removeprefix("no"))
    if option is None or COMMAND not in option.commands:
        return 0
    return 2 if option.takes_value and not equals else 1


@click.group(
    cls=Commands,
    epilog=EXIT_CODES,
    context_settings={"help_option_names": ["--help"], "max_content_width": 100},
)
@click.version_option(__version__, message="bazelscope %(version)s")
def cli() -> None:
    """Explains a Bazel workspace from its files alone: which flags are in force and why,
    which select() branch is taken, why one target depends on another.

    Runs no build tool, fetches nothing, writes nothing into the workspace.

    \b
    bazelscope explain --config=opt //app  what each word of a line does
    bazelscope path //app zlib             why one depends on the other
    bazelscope flag copt                   who set a flag, and what that beat
    bazelscope check                       what is wrong in the workspace
    """


_NOWHERE = click.Context(cli)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code. Never lets a Python traceback out."""
    _open_closed_streams()
    words = sys.argv[1:] if arguments is None else arguments
    written: list[int] = []
    try:
        result = cli.main(
            args=arguments, prog_name="bazelscope", standalone_mode=False, obj=written
        )
        return result if isinstance(result, int) else EXIT_ANSWERED
    except (click.exceptions.Abort, KeyboardInterrupt):
        interrupts.say_so()
        return interrupts.EXIT_INTERRUPTED
    except (OutputError, ClosedPipeError) as error:
        return cannot_write(error.__cause__)
    except Exception as error:
        code = _failed(error)
        form = _format_of(words)
        if form in ("json", "jsonl") and not written:
            _write_error(error, code, in_a_line=form == "jsonl")
        return code


def _format_of(words: Sequence[str]) -> str:
    """The value of the last `--format` among our own words; no answer may have come to hear of
    it."""
    own = list(words[: words.index("--")] if "--" in words else words)
    form = ""
    for word, after in zip_longest(own, own[1:], fillvalue=""):
        if word == "--format":
            form = after
        elif word.startswith("--format="):
            form = word.partition("=")[2]
    return form


def _write_error(error: Exception, code: int, in_a_line: bool) -> None:
    """Prints as JSON why there is no answer; a reader finds a document, however a run ends."""
    from bazelscope.base.errors import FAULT, BazelscopeError, Diagnostic, innermost_place
    from bazelscope.json_format.answer_json import error_to_json

    if isinstance(error, BazelscopeError):
        told = error.diagnostic
    elif isinstance(error, click.ClickException):
        told = _wrong_line(error)
    elif isinstance(error, MemoryError):
        told = Diagnostic("limit-reached", "the system gives this process no more memory")
    else:
        told = Diagnostic(FAULT, f"{type(error).__name__}: {error}{innermost_place(error)}")
    try:
        sys.stdout.buffer.write(error_to_json(told, code, in_a_line))
        sys.stdout.flush()
    except OSError:
        _discard_output()


def _wrong_line(error: click.ClickException) -> Diagnostic:
    """What click says of a command line, said as all errors are. The hint is its second sentence,
    or the usage."""
    import re

    from bazelscope.base.errors import Diagnostic

    said = error.format_message()
    if not isinstance(error, click.UsageError):
        return Diagnostic("usage", _begun_small(said))
    if isinstance(error, click.BadParameter | click.BadOptionUsage | click.NoSuchOption):
        said = re.sub("'([^']*)'", r"`\1`", said)
    message, *others = re.split(r"\. (?=[A-Z])", said.removesuffix("."), maxsplit=1)
    hint = "".join(others)
    if not hint and error.ctx is not None:
        usage = " ".join(error.ctx.get_usage().removeprefix("Usage: ").split())
        hint = f"`{usage}`; `{error.ctx.command_path} --help` has more"
    return Diagnostic("usage", _begun_small(message), hint=_begun_small(hint) or None)


def _begun_small(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]


def cannot_write(error: BaseException | None) -> int:
    """Says why standard output takes nothing more, unless whoever read it has had enough."""
    is_enough = isinstance(error, BrokenPipeError)
    if not is_enough:
        why = error.strerror if isinstance(error, OSError) else error
        click.echo(f"error: cannot write the answer: {why}", err=True)
    _discard_output()
    return EXIT_ANSWERED if is_enough else EXIT_UNASKABLE


def _open_closed_streams() -> None:
    """Who starts a program with its output closed (`>&-`) wants none, but wants it to run."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115


def _discard_output() -> None:
    """What is still to be written goes nowhere: Python would complain at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _failed(error: Exception) -> int:
    from bazelscope.base.budget import BudgetError
    from bazelscope.base.errors import BazelscopeError, innermost_place

    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        error.show()
        return EXIT_UNASKABLE
    if isinstance(error, click.ClickException):
        print_diagnostics((_wrong_line(error),), None)
        return EXIT_UNASKABLE
    if isinstance(error, BazelscopeError):
        print_diagnostics((error.diagnostic,), None)
        return EXIT_IN_ERROR if isinstance(error, BudgetError) else EXIT_UNASKABLE
    if os.environ.get("BAZELSCOPE_TRACEBACK"):
        raise error
    if isinstance(error, MemoryError):
        click.echo(
            "error: the system gives this process no more memory\n"
            "hint: with a smaller --max-memory the answer ends with what is known by then",
            err=True,
        )
        return EXIT_IN_ERROR
    place = innermost_place(error)
    click.echo(f"internal error: {type(error).__name__}: {error}{place}", err=True)
    click.echo(
        "This is a defect of bazelscope. Please report it with the command line, this message\n"
        "and, if you can, the output with BAZELSCOPE_TRACEBACK=1 set.",
        err=True,
    )
    return EXIT_INTERNAL
