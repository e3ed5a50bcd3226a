"""The command line: parse, call, render, exit code; nothing else.

Exit codes: 0 answered; 1 the answer is negative (no path, unknown target, flag not set);
2 the question cannot be asked (bad command line, no workspace, rc files that Bazel would
refuse); 3 answered, but files of the workspace are in error; 70 an internal error; 130
interrupted. Start-up imports click and nothing else: each command imports what it uses.
"""

from __future__ import annotations

import gc
import os
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from bazelscope.api import ConfiguredWorkspace, Workspace
    from bazelscope.errors import Diagnostic
    from bazelscope.explain.completeness import Completeness
    from bazelscope.render.diagnostics import ReadSource
    from bazelscope.render.document import Document
    from bazelscope.render.progress import ProgressLine

EXIT_ANSWERED = 0
EXIT_NEGATIVE = 1
EXIT_UNASKABLE = 2
EXIT_IN_ERROR = 3
EXIT_INTERNAL = 70
EXIT_INTERRUPTED = 130

_EXIT_CODES = """\b
Exit codes:
  0   answered
  1   the answer is negative: no path, unknown target, flag not set
  2   the question cannot be asked: bad command line, no workspace,
      or rc files that Bazel would refuse
  3   answered, but files of the workspace are in error, so the
      answer may lack something
  70  an internal error of bazelscope
  130 interrupted
"""

_COLLECTOR_THRESHOLDS = (10_000, 100, 100)
"""Targets and syntax trees live until the end, and by default Python looks through all of
them again and again: a third of the time. Garbage in cycles is still found, later."""

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
            if name not in takes_value or (words and _takes_next_word(words[-1])):
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


def _takes_next_word(word: str) -> bool:
    # Only a word that may take another is worth the option tables.
    if not word.startswith("-") or "=" in word or word == "--":
        return False
    from bazelscope.explain.command_line import takes_next_word

    return takes_next_word(word)


class ClosedPipeError(Exception):
    """Whoever read our output has closed the pipe."""


class Commands(click.Group):
    """The group; names the nearest command for one that does not exist."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError as error:
            # click would make an exit of its own out of it, with a code of its own.
            raise ClosedPipeError from error
        return result

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            import difflib

            near = difflib.get_close_matches(args[0], self.list_commands(ctx), 1)
            hint = f" Did you mean `{near[0]}`?" if near else ""
            ctx.fail(f"No such command `{args[0]}`.{hint}")
        return super().resolve_command(ctx, args)


def _workspace_options(command: _Command) -> _Command:
    """The options that every question takes. None has the name of an option of Bazel."""
    for option in reversed(
        (
            click.option("-w", "--workspace", metavar="DIR", help="A directory of the workspace."),
            click.option("--bazel-version", metavar="VERSION", help="Default: .bazelversion."),
            click.option("--host", metavar="OS[-CPU]", help="Default: this machine."),
            click.option("--format", "form", type=click.Choice(("text", "json")), default="text"),
            click.option("--full", is_flag=True, help="List what is otherwise only counted."),
            click.option("--cache-dir", metavar="DIR", help="Where parsed files are kept."),
            click.option("--no-cache", is_flag=True, help="Keep nothing between runs."),
        )
    ):
        command = option(command)
    return command


def _words(metavar: str) -> Callable[[_Command], _Command]:
    return click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar=metavar)


@click.group(
    cls=Commands,
    epilog=_EXIT_CODES,
    context_settings={"help_option_names": ["--help"], "max_content_width": 100},
)
@click.version_option(package_name="bazelscope", message="bazelscope %(version)s")
def cli() -> None:
    """Explains a Bazel workspace from its files alone: which flags are in force and why,
    which select() branch is taken, why one target depends on another.

    Runs no build tool, fetches nothing, writes nothing into the workspace.
    """


@cli.command(cls=BazelLine, epilog=_EXIT_CODES)
@_workspace_options
@click.option("--rc-only", is_flag=True, help="Only flags: load no package.")
@_words("[BAZEL FLAGS...] [TARGETS...]")
def explain(words: tuple[str, ...], rc_only: bool, **options: Any) -> int:
    """Explain a build line: flags, configs, conditions, selects.

    The words are those behind `bazel build`, or a whole line:

    \b
      bazelscope explain --config=mkl //tensorflow/core:core
      bazelscope explain -- bazel --output_user_root=x build --config=opt //...
    """
    session = _Session(**options)
    asked = session.ask(words)
    answer = asked.explain(rc_only=rc_only)
    from bazelscope.render.text_explain import explanation_document

    session.show("explain", answer, lambda: explanation_document(answer, session.full))
    session.warn(answer.diagnostics, answer.completeness)
    if answer.undefined_configs or _has_errors(answer.diagnostics):
        return EXIT_UNASKABLE
    if any(target.node is None for target in answer.targets):
        return EXIT_NEGATIVE
    return EXIT_IN_ERROR if answer.completeness.packages_in_error else EXIT_ANSWERED


@cli.command(cls=BazelLine, epilog=_EXIT_CODES)
@_workspace_options
@click.option("--all-branches", is_flag=True, help="Search every branch, whatever the flags.")
@click.option("--configured", is_flag=True, help="Search the chosen branches, even without flags.")
@_words("FROM TO [BAZEL FLAGS...]")
def path(words: tuple[str, ...], all_branches: bool, configured: bool, **options: Any) -> int:
    """Say why FROM depends on TO.

    FROM and TO are labels, or names as people say them. Without Bazel flags every branch
    of every select() counts, and each step says what it needs; with flags only the
    branches that they choose.

    \b
      bazelscope path build_pip_package mkl_dnn
      bazelscope path build_pip_package mkl_dnn --config=mkl
    """
    session = _Session(**options)
    asked = session.ask(words)
    source, target = _names(asked, 2, 2)
    answer = asked.path(source, target, configured=_configured(all_branches, configured))
    from bazelscope.explain.path_answers import PathOutcome
    from bazelscope.render.text_paths import path_document

    session.show("path", answer, lambda: path_document(answer, session.full))
    session.warn(answer.diagnostics, answer.completeness)
    if answer.undefined_configs or _has_errors(answer.diagnostics):
        return EXIT_UNASKABLE
    if answer.outcome is not PathOutcome.FOUND:
        return EXIT_NEGATIVE
    return EXIT_IN_ERROR if answer.completeness.packages_in_error else EXIT_ANSWERED


@cli.command(cls=BazelLine, epilog=_EXIT_CODES)
@_workspace_options
@click.option("-o", "output", metavar="FILE", help="FILE.svg, .dot, .png or .pdf; else DOT text.")
@click.option("--max-nodes", type=click.IntRange(1), default=60, show_default=True)
@click.option("--all-branches", is_flag=True, help="Search every branch, whatever the flags.")
@click.option("--configured", is_flag=True, help="Search the chosen branches, even without flags.")
@_words("FROM [TO] [BAZEL FLAGS...]")
def graph(
    words: tuple[str, ...],
    output: str | None,
    max_nodes: int,
    all_branches: bool,
    configured: bool,
    **options: Any,
) -> int:
    """Draw what lies between FROM and TO, or below FROM.

    \b
      bazelscope graph build_pip_package mkl_dnn -o mkl.svg
    """
    session = _Session(**options)
    if output is not None:
        _check_format(output)
    asked = session.ask(words)
    names = _names(asked, 1, 2)
    answer = asked.graph(
        names[0],
        names[1] if len(names) > 1 else None,
        configured=_configured(all_branches, configured),
        max_nodes=max_nodes,
    )
    from bazelscope.render.dot import to_dot
    from bazelscope.render.text_paths import graph_document

    if answer.nodes and output is not None:
        _write_drawing(output, to_dot(answer))
    if answer.nodes and output is None and not session.is_json:
        session.write(to_dot(answer))
        session.note(graph_document(answer, None, session.full))
    else:
        session.show("graph", answer, lambda: graph_document(answer, output, session.full))
    session.warn(answer.diagnostics, answer.completeness)
    if _has_errors(answer.diagnostics):
        return EXIT_UNASKABLE
    if not answer.nodes:
        return EXIT_NEGATIVE
    return EXIT_IN_ERROR if answer.completeness.packages_in_error else EXIT_ANSWERED


@cli.command(cls=BazelLine, epilog=_EXIT_CODES)
@_workspace_options
@_words("NAME [BAZEL FLAGS...]")
def flag(words: tuple[str, ...], **options: Any) -> int:
    """Say who set a flag, and what that beat.

    \b
      bazelscope flag compilation_mode --config=mkl -c fastbuild
      bazelscope flag define=build_with_mkl --config=mkl
    """
    words = words[1:] if words[:1] == ("--",) else words
    if not words or not words[0].strip("-="):
        raise click.UsageError("name the flag to ask about: `bazelscope flag NAME ...`")
    session = _Session(**options)
    answer = session.ask(words[1:]).flag(words[0])
    from bazelscope.render.text_flags import flag_document

    session.show("flag", answer, lambda: flag_document(answer))
    session.warn(answer.diagnostics)
    if answer.undefined_configs or _has_errors(answer.diagnostics):
        return EXIT_UNASKABLE
    return EXIT_ANSWERED if answer.is_set else EXIT_NEGATIVE


@cli.command(epilog=_EXIT_CODES)
@_workspace_options
@click.option("-o", "output", metavar="FILE", help="Draws which config names which.")
@click.argument("name", required=False)
def configs(name: str | None, output: str | None, **options: Any) -> int:
    """List the named configs: what each sets, and where.

    With NAME only that one, and the configs that it names.
    """
    session = _Session(**options)
    if output is not None:
        _check_format(output)
    asked = session.ask(())
    answer = asked.configs(name.removeprefix("--config=") if name else None)
    from bazelscope.render.dot import configs_to_dot
    from bazelscope.render.text_flags import configs_document

    written_to = output if answer.configs else None
    if written_to is not None:
        _write_drawing(written_to, configs_to_dot(answer))
    session.show("configs", answer, lambda: configs_document(answer, written_to, session.full))
    session.warn(answer.diagnostics)
    if _has_errors(answer.diagnostics):
        return EXIT_UNASKABLE
    return EXIT_NEGATIVE if answer.undefined else EXIT_ANSWERED


class _Session:
    """One run: the workspace that was asked about, and how its answers are shown."""

    def __init__(
        self,
        workspace: str | None,
        bazel_version: str | None,
        host: str | None,
        form: str,
        full: bool,
        cache_dir: str | None,
        no_cache: bool,
    ) -> None:
        from bazelscope.api import Workspace

        self.full = full
        self.is_json = form == "json"
        self.color: bool | None = None
        self._read_source: ReadSource | None = None
        self._progress: ProgressLine | None = None
        if sys.stderr.isatty():
            from bazelscope.render.progress import ProgressLine

            self._progress = ProgressLine(sys.stderr)
            click.get_current_context().call_on_close(self._progress.clear)
        self.workspace: Workspace = Workspace.open(
            Path(workspace) if workspace else Path.cwd(),
            bazel_version=bazel_version,
            host=host or _this_machine(),
            environment=dict(os.environ),
            cache_dir=None if no_cache else _cache_dir(cache_dir),
            progress=self._progress.update if self._progress else None,
        )

    def ask(self, words: tuple[str, ...]) -> ConfiguredWorkspace:
        """The workspace under a Bazel command line; Bazel's own `--color` is obeyed."""
        asked = self.workspace.configure_line(words)
        self.color = asked.wants_color
        self._read_source = asked.read_source
        # What was parsed is kept after the answer is out, so that nobody waits for it.
        click.get_current_context().call_on_close(asked.save)
        return asked

    def show(self, kind: str, answer: object, document: Callable[[], Document]) -> None:
        """Prints an answer on standard output."""
        if self.is_json:
            from bazelscope.render.json import to_json

            self.write(to_json(kind, answer))
        else:
            self.write(_text(document(), sys.stdout, self.color))

    def note(self, document: Document) -> None:
        """Prints what is no data, on standard error."""
        sys.stderr.write(_text(document, sys.stderr, self.color))

    def write(self, text: str) -> None:
        """Prints data; bytes of file names that are no UTF-8 come out as they went in."""
        if self._progress is not None:
            self._progress.clear()
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode("utf-8", "surrogateescape"))
        sys.stdout.buffer.flush()

    def warn(
        self, diagnostics: Sequence[Diagnostic], completeness: Completeness | None = None
    ) -> None:
        """Prints on standard error what the text of the answer has not told already."""
        from bazelscope.render.diagnostics import TOLD_IN_THE_ANSWER

        untold = [found for found in diagnostics if found.code not in TOLD_IN_THE_ANSWER]
        for package in completeness.packages_in_error if completeness else ():
            if package.is_shown or self.full:
                untold.extend(package.diagnostics)
        _print_diagnostics(untold, self._read_source, self.color)


def _print_diagnostics(
    diagnostics: Sequence[Diagnostic], read: ReadSource | None, color: bool | None = None
) -> None:
    from bazelscope.render.diagnostics import add_diagnostics, no_source
    from bazelscope.render.document import Document

    if diagnostics:
        document = Document()
        add_diagnostics(document, diagnostics, read or no_source)
        sys.stdout.flush()
        gap = "\n" if sys.stdout.isatty() and sys.stderr.isatty() else ""
        sys.stderr.write(gap + _text(document, sys.stderr, color))


def _text(document: Document, stream: Any, color: bool | None) -> str:
    from bazelscope.render.console import to_text

    is_terminal = stream.isatty()
    width = shutil.get_terminal_size().columns if is_terminal else None
    if color is None:
        color = is_terminal and os.environ.get("TERM") != "dumb"
        if os.environ.get("NO_COLOR"):
            color = False
    return to_text(document, width, color)


def _this_machine() -> str:
    """The host as `--host` names it: `linux`, `macos-arm64`."""
    import platform

    system = {"darwin": "macos", "win32": "windows", "cygwin": "windows"}.get(sys.platform)
    system = system or sys.platform.rstrip("0123456789")
    machine = platform.machine().lower()
    return system if machine in ("x86_64", "amd64", "") else f"{system}-{machine}"


def _cache_dir(given: str | None) -> Path:
    if given:
        return Path(given)
    import platformdirs

    return Path(platformdirs.user_cache_dir("bazelscope", appauthor=False))


def _configured(all_branches: bool, configured: bool) -> bool | None:
    if all_branches and configured:
        raise click.UsageError("--all-branches and --configured exclude each other")
    return False if all_branches else True if configured else None


def _names(asked: ConfiguredWorkspace, least: int, most: int) -> tuple[str, ...]:
    names = asked.names
    if not least <= len(names) <= most:
        expected = "FROM and TO" if least == 2 else "FROM, and TO or nothing"
        given = ", ".join(f"`{name}`" for name in names) or "nothing"
        raise click.UsageError(f"expected {expected}, got {given}")
    return names


def _has_errors(diagnostics: Sequence[Diagnostic]) -> bool:
    from bazelscope.errors import Severity

    return any(found.severity is Severity.ERROR for found in diagnostics)


def _check_format(output: str) -> None:
    from bazelscope.render.svg import check_format

    check_format(Path(output).suffix.removeprefix("."))


def _write_drawing(output: str, dot: str) -> None:
    from bazelscope.render.svg import draw

    drawn = draw(dot, Path(output).suffix.removeprefix("."))
    try:
        Path(output).write_bytes(drawn)
    except OSError as error:
        raise click.FileError(output, error.strerror) from error


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; the console script. Never lets a Python traceback out."""
    gc.set_threshold(*_COLLECTOR_THRESHOLDS)
    try:
        result = cli.main(args=arguments, prog_name="bazelscope", standalone_mode=False)
        return result if isinstance(result, int) else EXIT_ANSWERED
    except click.exceptions.Abort:
        return EXIT_INTERRUPTED
    except click.ClickException as error:
        error.show()
        return EXIT_UNASKABLE
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except ClosedPipeError:
        # Python would complain while it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_ANSWERED
    except Exception as error:
        return _failed(error)


def _failed(error: Exception) -> int:
    from bazelscope.errors import BazelscopeError

    if isinstance(error, BazelscopeError):
        _print_diagnostics((error.diagnostic,), None)
        return EXIT_UNASKABLE
    if os.environ.get("BAZELSCOPE_TRACEBACK"):
        raise error
    place = _innermost_place(error)
    click.echo(f"internal error: {type(error).__name__}: {error}{place}", err=True)
    click.echo(
        "This is a defect of bazelscope. Please report it with the command line, this message\n"
        "and, if you can, the output with BAZELSCOPE_TRACEBACK=1 set.",
        err=True,
    )
    return EXIT_INTERNAL


def _innermost_place(error: Exception) -> str:
    traceback = error.__traceback__
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    if traceback is None:
        return ""
    code = traceback.tb_frame.f_code
    return f" (in {code.co_name}, {Path(code.co_filename).name}:{traceback.tb_lineno})"
