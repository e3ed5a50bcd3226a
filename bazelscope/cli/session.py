"""What the commands share: their options, how words are told apart, one run's session.

Start-up imports click and nothing else: whatever a run needs is imported when it does.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from bazelscope.cli.interrupts import EXIT_INTERRUPTED as EXIT_INTERRUPTED

if TYPE_CHECKING:
    from bazelscope.analysis.refusals.refusal import Refusal
    from bazelscope.api import ConfiguredWorkspace, Workspace
    from bazelscope.base.errors import Diagnostic
    from bazelscope.base.phases import Listener
    from bazelscope.questions.shared.completeness import Completeness
    from bazelscope.questions.shared.envelope import Answer
    from bazelscope.render.diagnostics import ReadSource
    from bazelscope.render.document import Document

EXIT_ANSWERED = 0
EXIT_NEGATIVE = 1
EXIT_UNASKABLE = 2
EXIT_IN_ERROR = 3
"""As `bazelscope.questions.shared.envelope.ExitCode`, which start-up does not import."""
EXIT_REFUSED = 7
"""Of `query` only, where Bazel's own has it."""
EXIT_INTERNAL = 70

EXIT_CODES = """\b
Exit codes:
  0   answered
  1   the answer is negative: no path, unknown target or flag
  2   the question cannot be asked: bad command line, no workspace,
      or rc files that Bazel would refuse
  3   answered, but Bazel refuses a target of it, or files of the
      workspace are in error, so the answer may lack something; or
      no path is known, and what cannot be told may hide one; or a
      limit was reached
  70  an internal error of bazelscope
  130 interrupted
"""

_USUAL_WIDTH = 80

BUDGET = "bazelscope.budget"
"""Where click's context keeps the account of the question."""
_PROGRESS = "bazelscope.progress"
"""Where click's context keeps the line of progress."""

_Command = TypeVar("_Command", bound=Callable[..., Any])


class OutputError(Exception):
    """Standard output takes nothing more; the message says why."""


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
    from bazelscope.questions.shared.command_line import takes_next_word

    return takes_next_word(word)


def workspace_options(
    command: _Command, formats: tuple[str, ...] = ("text", "json", "jsonl")
) -> _Command:
    """The options that every question takes. None has the name of an option of Bazel."""
    for option in reversed(
        (
            click.option("-w", "--workspace", metavar="DIR", help="A directory of the workspace."),
            click.option("--bazel-version", metavar="VERSION", help="Default: .bazelversion."),
            click.option("--host", metavar="OS[-CPU]", help="Default: this machine."),
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
                "--trace",
                metavar="FILE",
                help="Write what took how long, for chrome://tracing or Perfetto.",
            ),
        )
    ):
        command = option(command)
    return command


def bazel_words(metavar: str) -> Callable[[_Command], _Command]:
    """The argument that holds all words that are none of our own options."""
    return click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar=metavar)


class Session:
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
        no_pager: bool = False,
        max_seconds: float = 300,
        max_memory: int = 2048,
        max_configurations: int = 200,
        trace: str | None = None,
    ) -> None:
        from bazelscope.api import Workspace
        from bazelscope.base.budget import BudgetLimits, spending
        from bazelscope.kept.kept_files import default_cache_dir

        limits = BudgetLimits(max_seconds, max_memory, max_configurations)
        context = click.get_current_context()
        context.meta[BUDGET] = context.with_resource(spending(limits))

        if cache_dir and not no_cache:
            _warn_of_cache(cache_dir)
        self.full = full
        self.is_json = form in ("json", "jsonl")
        self._in_lines = form == "jsonl"
        self._may_page = not no_pager
        self.color: bool | None = None
        self._read_source: ReadSource | None = None
        _listen(context, trace)
        self.workspace: Workspace = Workspace.open(
            Path(workspace or "."),
            bazel_version=bazel_version,
            host=host or this_machine(),
            environment=dict(os.environ),
            cache_dir=None if no_cache else Path(cache_dir) if cache_dir else default_cache_dir(),
        )

    def ask(self, words: tuple[str, ...]) -> ConfiguredWorkspace:
        """The workspace under a Bazel command line; Bazel's own `--color` is obeyed."""
        from bazelscope.base.phases import phase

        with phase("reading flags"):
            asked = self.workspace.configure_line(words)
        self.color = asked.wants_color
        self._read_source = asked.read_source
        # What was parsed is kept after the answer is out, so that nobody waits for it.
        click.get_current_context().call_on_close(asked.save)
        return asked

    def show(self, kind: str, answer: Answer, document: Callable[[], Document]) -> None:
        """Prints an answer on standard output."""
        if self.is_json:
            self.write_json(kind, answer)
        else:
            root = self.workspace.root
            page = self._begun_by_refusals(answer, document())
            self.write(_text(page, sys.stdout, self.color, root))

    def write_json(self, kind: str, answer: Answer) -> None:
        """Prints an answer as one document, or as lines."""
        from bazelscope.json_format.answer_json import to_json, to_json_lines

        lines = to_json_lines(kind, answer) if self._in_lines else (to_json(kind, answer),)
        self.write("".join(lines))

    def _begun_by_refusals(self, answer: Answer, document: Document) -> Document:
        if answer.envelope.refusals:
            from bazelscope.questions.shared.text_refusals import with_refusals

            return with_refusals(answer.envelope.refusals, document, self.full)
        return document

    def note_refusals(self, refusals: Sequence[Refusal]) -> None:
        """Says on standard error what Bazel refuses, for an answer that is no text of ours."""
        if refusals:
            from bazelscope.questions.shared.text_refusals import refusals_document

            self.note(refusals_document(refusals, self.full))

    def note(self, document: Document) -> None:
        """Prints what is no data, on standard error."""
        _clear_progress()
        sys.stderr.write(_text(document, sys.stderr, self.color))

    def write_data(self, data: str | bytes) -> None:
        """Prints what another program wrote the format of: byte for byte, unless a person at a
        terminal is to read it."""
        if isinstance(data, str) and sys.stdout.isatty():
            from bazelscope.render.visible import visible

            data = visible(data)
        self.write(data)

    def write(self, data: str | bytes) -> None:
        """Prints text; bytes of file names that are no UTF-8 come out as they went in."""
        _clear_progress()
        if isinstance(data, str):
            data = data.encode("utf-8", "surrogateescape")
            if self._may_page and _paged(data, self.workspace.root):
                from bazelscope.cli import kept_answers

                kept_answers.note_paged(data, self.workspace.root)
                return
        try:
            sys.stdout.flush()
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            raise OutputError(error.strerror) from error

    def close(self, answer: Answer) -> int:
        """Prints on standard error what the text of an answer has not told already. Returns the
        exit code."""
        from bazelscope.render.diagnostics import TOLD_IN_THE_ANSWER

        envelope = answer.envelope
        met = (*answer.concerning, *envelope.diagnostics)
        diagnostics = [
            diagnostic for diagnostic in met if diagnostic.code not in TOLD_IN_THE_ANSWER
        ]
        diagnostics += package_diagnostics(envelope.completeness, self.full)
        print_diagnostics(diagnostics, self._read_source, self.color, self.full)
        return answer.exit_code


def package_diagnostics(
    completeness: Completeness, full: bool, every_error: bool = False
) -> Iterator[Diagnostic]:
    """What is wrong with the packages that an answer is about; `full`: with all of them."""
    for package in completeness.packages_in_error:
        if package.is_shown or full or every_error:
            yield from package.diagnostics
    for package in completeness.packages_with_warnings:
        if package.is_shown or full:
            yield from package.diagnostics


def _listen(context: click.Context, trace: str | None) -> None:
    """Tells a terminal, and the file `trace`, what this run is doing until it ends."""
    listeners: list[Listener] = []
    if trace is not None:
        from bazelscope.render.trace import Trace

        taken = Trace()
        listeners.append(taken)
        context.call_on_close(lambda: _write_trace(trace, taken.text()))
    if sys.stderr.isatty():
        from bazelscope.render.progress import ProgressLine

        # Not what takes note of the answer.
        line = ProgressLine(sys.__stderr__ or sys.stderr)
        line.tick()
        listeners.append(line)
        context.meta[_PROGRESS] = line
        context.call_on_close(line.close)
    if listeners:
        from bazelscope.base.phases import phase, told_to

        context.with_resource(told_to(listeners))
        context.with_resource(phase("looking for the answer"))


def _write_trace(file: str, text: str) -> None:
    try:
        Path(file).write_text(text, encoding="utf-8")
    except (OSError, ValueError) as error:
        click.echo(f"warning: cannot write the trace `{file}`: {error}", err=True)


def _clear_progress() -> None:
    """Wipes the line of progress out before anything else is written, for good."""
    context = click.get_current_context(silent=True)
    line = context.meta.get(_PROGRESS) if context is not None else None
    if line is not None:
        line.close()


def print_diagnostics(
    diagnostics: Sequence[Diagnostic],
    read: ReadSource | None,
    color: bool | None = None,
    full: bool = False,
) -> None:
    """Prints diagnostics on standard error."""
    from bazelscope.render.diagnostics import add_diagnostics, no_source
    from bazelscope.render.document import Document

    if diagnostics:
        document = Document()
        add_diagnostics(document, diagnostics, read or no_source, full)
        sys.stdout.flush()
        _clear_progress()
        gap = "\n" if sys.stdout.isatty() and sys.stderr.isatty() else ""
        sys.stderr.write(gap + _text(document, sys.stderr, color))


def _paged(data: bytes, root: Path) -> bool:
    from bazelscope.cli import pager

    return pager.wants_pager(data) and pager.show(data, root)


def _text(document: Document, stream: Any, color: bool | None, root: Path | None = None) -> str:
    from bazelscope.render.console import to_text

    is_terminal = stream.isatty()
    width = _width(stream) if is_terminal else None
    if color is None:
        color = is_terminal and os.environ.get("TERM") != "dumb"
        if os.environ.get("NO_COLOR"):
            color = False
    link = None
    if root is not None and is_terminal and color:
        from bazelscope.render import hyperlinks

        if hyperlinks.shows_links(os.environ):
            link = hyperlinks.links_below(root, os.environ)
    return to_text(document, width, color, link)


def _width(terminal: Any) -> int:
    """The columns of a terminal, as `COLUMNS` or the terminal itself says."""
    given = os.environ.get("COLUMNS", "")
    if given.isascii() and given.isdigit() and int(given[:9]) > 0:
        return int(given[:9])
    try:
        return os.get_terminal_size(terminal.fileno()).columns or _USUAL_WIDTH
    except OSError:
        return _USUAL_WIDTH


def this_machine() -> str:
    """The host as `--host` names it: `linux`, `macos-arm64`."""
    system = {"darwin": "macos", "win32": "windows", "cygwin": "windows"}.get(sys.platform)
    system = system or sys.platform.rstrip("0123456789")
    if hasattr(os, "uname"):
        machine = os.uname().machine.lower()
    else:
        import platform

        machine = platform.machine().lower()
    return system if machine in ("x86_64", "amd64", "") else f"{system}-{machine}"


def _warn_of_cache(directory: str) -> None:
    """Says once that the directory that was asked for cannot be used, if so."""
    from bazelscope.kept.kept_files import unusable

    why = unusable(Path(directory))
    if why is not None:
        click.echo(f"warning: --cache-dir is not used: {why}", err=True)


def which_branches(all_branches: bool, configured: bool) -> bool | None:
    """Whether only chosen branches count; None where the flags decide that."""
    if all_branches and configured:
        raise click.UsageError("--all-branches and --configured exclude each other")
    return False if all_branches else True if configured else None
