"""One run of a command: the workspace that it asks about, how its answer is shown, its exit code.

Start-up imports click and nothing else: whatever a run needs is imported when it does.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from bazelscope.cli.environment import environment
from bazelscope.cli.interrupts import EXIT_INTERRUPTED as EXIT_INTERRUPTED
from bazelscope.cli.terminal import clear_progress, listen, paged, print_diagnostics, text_for

if TYPE_CHECKING:
    from bazelscope.analysis.refusals.refusal import Refusal
    from bazelscope.api import ConfiguredWorkspace, Workspace
    from bazelscope.base.errors import Diagnostic
    from bazelscope.questions.shared.completeness import Completeness
    from bazelscope.questions.shared.envelope import Answer
    from bazelscope.render.diagnostics import ReadSource
    from bazelscope.render.document import Document

_A = TypeVar("_A", bound="Answer")

EXIT_ANSWERED = 0
EXIT_NEGATIVE = 1
EXIT_UNASKABLE = 2
EXIT_IN_ERROR = 3
"""The values of `bazelscope.questions.shared.envelope.ExitCode`, which start-up does not import."""
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
      workspace are in error or left out, so the answer may lack
      something; or no path is known, and what cannot be told may
      hide one; or a limit was reached
  70  an internal error of bazelscope
  130 interrupted
"""

BUDGET = "bazelscope.budget"
"""Where click's context keeps the account of the question."""


STARTUP = "bazelscope.startup"
"""Where click's context keeps Bazel's startup options, which stood before the command."""
TELL_LINE = "bazelscope.tell_line"
"""Where click's context keeps what tells the errors of the Bazel line, for a run that fails."""


class OutputError(Exception):
    """Standard output takes nothing more; the message says why."""


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
        links_to: tuple[str, ...] = (),
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
        listen(context, trace)
        self.workspace: Workspace = Workspace.open(
            Path(workspace or "."),
            bazel_version=bazel_version,
            host=host or this_machine(),
            environment=environment(),
            cache_dir=None if no_cache else Path(cache_dir or default_cache_dir()),
            links_to=links_to,
            limits=limits,
        )

    def ask(self, words: tuple[str, ...], command: str = "") -> ConfiguredWorkspace:
        """The workspace under a Bazel command line, or under `command` with its words; Bazel's
        own `--color` is obeyed."""
        from bazelscope.base.phases import phase

        context, workspace = click.get_current_context(), self.workspace
        startup: tuple[str, ...] = context.meta.get(STARTUP, ())
        with phase("reading flags"):
            if command:
                words = words[1:] if words[:1] == ("--",) else words
                asked = workspace.configure(words, command=command, startup=startup)
            else:
                asked = workspace.configure_line(words, startup)
        self.color = asked.wants_color
        self._read_source = asked.read_source
        # What was parsed is kept after the answer is out, so that nobody waits for it.
        context.call_on_close(asked.save)
        context.meta[TELL_LINE] = lambda: self.tell_of(asked.errors)
        return asked

    def tell(self, kind: str, answer: _A, document: Callable[[_A, bool], Document]) -> int:
        """Prints an answer, and what its text has not told. Returns the exit code."""
        self.show(kind, answer, document)
        return self.close(answer)

    def show(self, kind: str, answer: _A, document: Callable[[_A, bool], Document]) -> None:
        """Prints an answer on standard output, as a `document` that may be full."""
        if self.is_json:
            self.write_json(kind, answer)
        else:
            root = self.workspace.root
            page = self._begun_by_refusals(answer, document(answer, self.full))
            self.write(text_for(page, sys.stdout, self.color, root))

    def write_json(self, kind: str, answer: Answer) -> None:
        """Prints an answer as one document, or as lines."""
        from bazelscope.json_format.answer_json import to_json, to_json_lines

        lines = to_json_lines(kind, answer) if self._in_lines else (to_json(kind, answer),)
        self.write("".join(lines))

    def _begun_by_refusals(self, answer: Answer, document: Document) -> Document:
        if answer.envelope.refusals and not answer.tells_refusals:
            from bazelscope.questions.shared.text_refusals import with_refusals

            return with_refusals(answer.envelope, document, self.full, answer.counts_refusals)
        return document

    def lines_around(self, answer: Answer) -> int:
        """How many lines of a terminal stand around the text of an answer, so that it finds room
        beside what Bazel refuses and what it is warned of."""
        from bazelscope.render.document import Document, height

        lines = height(self._begun_by_refusals(answer, Document()))
        warnings = Document()
        diagnostics = self._diagnostics(answer)
        if diagnostics:
            from bazelscope.render.diagnostics import add_diagnostics, no_source

            add_diagnostics(warnings, diagnostics, self._read_source or no_source, self.full)
        return lines + bool(lines) + height(warnings) + bool(diagnostics)

    def note_refusals(self, refusals: Sequence[Refusal]) -> None:
        """Says on standard error what Bazel refuses, for an answer that is no text of ours."""
        if refusals:
            from bazelscope.questions.shared.text_refusals import refusals_document

            self.note(refusals_document(refusals, self.full))

    def note(self, document: Document) -> None:
        """Prints what is no data, on standard error."""
        clear_progress()
        sys.stderr.write(text_for(document, sys.stderr, self.color))

    def write_data(self, data: str | bytes) -> None:
        """Prints what another program wrote the format of: byte for byte, unless a person at a
        terminal is to read it."""
        if isinstance(data, str) and sys.stdout.isatty():
            from bazelscope.render.visible import visible

            data = visible(data)
        self.write(data)

    def write(self, data: str | bytes) -> None:
        """Prints text; bytes of file names that are no UTF-8 come out as they went in."""
        clear_progress()
        written: list[int] | None = click.get_current_context().obj
        if written is not None:
            written.append(len(data))
        if isinstance(data, str):
            data = data.encode("utf-8", "surrogateescape")
            if self._may_page and paged(data, self.workspace.root):
                from bazelscope.cli import said

                said.note_paged(data, self.workspace.root)
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
        self.tell_of(self._diagnostics(answer))
        return answer.exit_code

    def tell_of(self, diagnostics: Sequence[Diagnostic]) -> None:
        """Prints diagnostics on standard error."""
        print_diagnostics(diagnostics, self._read_source, self.color, self.full)

    def _diagnostics(self, answer: Answer) -> list[Diagnostic]:
        """What the text of an answer does not tell."""
        from bazelscope.analysis.refusals.refusal import RefusalKind
        from bazelscope.render.diagnostics import TOLD_IN_THE_ANSWER, is_only_in_full

        envelope = answer.envelope
        # An error of an rc file is shown where it stands; others are told in full already, if the
        # answer does not only count them, and whoever reads errors reads it.
        are_told = not (self.is_json or (answer.counts_refusals and not self.full))
        are_told = are_told and sys.stdout.isatty() and sys.stderr.isatty()
        refused = {
            one.message
            for one in envelope.refusals
            if one.target is not None
            or one.kind is RefusalKind.WORKSPACE
            or (are_told and one.location is None)
        }
        diagnostics = [
            one
            for one in (*answer.concerning, *envelope.diagnostics)
            if one.code not in TOLD_IN_THE_ANSWER
            and one.message not in refused
            and (self.full or not is_only_in_full(one))
        ]
        return [*diagnostics, *package_diagnostics(envelope.completeness, self.full)]


def package_diagnostics(
    completeness: Completeness, full: bool, every_error: bool = False
) -> Iterator[Diagnostic]:
    """What is wrong with the packages that an answer is about, `full`: with all of them; and what
    is left aside of files about modules."""
    from bazelscope.questions.shared.envelope import has_errors

    yield from completeness.workspace_warnings
    for package in completeness.packages_in_error:
        if package.is_shown or full or every_error:
            yield from package.diagnostics
    for package in completeness.packages_with_warnings:
        if package.is_shown or full or (every_error and has_errors(package.diagnostics)):
            yield from package.diagnostics


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

    why = unusable(os.path.normpath(directory))
    if why is not None:
        click.echo(f"warning: --cache-dir is not used: {why}", err=True)
