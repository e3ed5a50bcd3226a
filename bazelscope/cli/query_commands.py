"""The commands `query` and `cquery`: Bazel's query language, in Bazel's output formats."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import click

from bazelscope.cli.bazel_line import BazelLine, bazel_words, workspace_options
from bazelscope.cli.session import (
    EXIT_CODES,
    EXIT_IN_ERROR,
    EXIT_NEGATIVE,
    EXIT_REFUSED,
    EXIT_UNASKABLE,
    Session,
    package_diagnostics,
)
from bazelscope.cli.terminal import print_diagnostics

if TYPE_CHECKING:
    from bazelscope.analysis.refusals.refusal import Refusal
    from bazelscope.api import ConfiguredWorkspace
    from bazelscope.base.errors import Diagnostic
    from bazelscope.query.formats.written import AskedQuery

_UNREADABLE = frozenset(
    {
        *("query-arguments", "query-needs-universe", "query-order", "query-output"),
        *("query-syntax", "unknown-output-format", "unknown-query-function"),
    }
)
"""What is wrong with a question before anything is looked at."""

_REFUSED = {"query": EXIT_REFUSED, "cquery": EXIT_NEGATIVE}
"""Bazel's own codes for a question that it can read and does not answer."""

_QUERY_CODES = f"""{EXIT_CODES.rstrip()}
  7   `query` only, as Bazel: a target or package that is not there or
      in error (and no --keep_going), a bad pattern, an argument that
      stands for nothing
"""

_UNREAD = frozenset({"unknown-package", "unknown-target"})
"""What is also told in the line on what is unknown of an answer."""
_WANTED_BY = " (wanted by "

_ERRORS_TOLD = 3
"""Of so many packages in error, all is told that Bazel would tell; more are only named."""


@click.command(cls=BazelLine, epilog=_QUERY_CODES)
@workspace_options
@bazel_words("EXPR [BAZEL FLAGS...]")
def query(words: tuple[str, ...], **options: Any) -> int:
    """Answer a question in Bazel's query language, as `bazel query` does.

    Every branch of every select() counts. The output is Bazel's own, one of --output=label,
    label_kind, location, package, minrank, maxrank, build, graph, xml, proto and, in later
    releases, streamed_proto, streamed_jsonproto; --format json is ours.

    \b
      bazelscope query 'kind(cc_test, //tensorflow/core/...)'
      bazelscope query --noimplicit_deps 'somepath(//a, @b//:c)'
      bazelscope query --output=graph 'deps(//a, 2)'
    """
    return _run("query", words, options)


@click.command(cls=BazelLine, epilog=EXIT_CODES)
@workspace_options
@bazel_words("EXPR [BAZEL FLAGS...]")
def cquery(words: tuple[str, ...], **options: Any) -> int:
    """Answer a question about configured targets, as `bazel cquery` does.

    Only the branches that the flags choose count. Behind each label stands `target` or
    `exec` where Bazel prints a hash of the configuration, and `null` for files. The output
    is one of --output=label, label_kind, build, graph, jsonproto, starlark, files, transitions.

    \b
      bazelscope cquery 'deps(//a)' --config=mkl
      bazelscope cquery 'config(//a, exec)' -c opt
      bazelscope cquery //a --output=starlark --starlark:expr='target.label.name'
    """
    return _run("cquery", words, options)


COMMANDS: tuple[click.Command, ...] = (query, cquery)


def _expression(asked: ConfiguredWorkspace) -> str:
    """The query, which may stand in a file, or be cut into words."""
    words = asked.names
    from bazelscope.query.language.query_parser import QueryError
    from bazelscope.query.query_options import QueryOptions

    options, workspace = QueryOptions(asked.flags.values), asked.workspace
    if options.text("query_file", "") and words:
        raise click.UsageError("give an expression, or --query_file, not both")
    try:
        source = options.file("query_file", workspace.directory, workspace.root)
    except QueryError as error:
        raise click.UsageError(error.diagnostic.message) from error
    if source is not None:
        return source.text.strip()
    if not words:
        command = asked.line.command
        raise click.UsageError(f"give an expression: `bazelscope {command} 'deps(//a)'`")
    return " ".join(words)


def _answer(session: Session, asked: ConfiguredWorkspace, text: str) -> AskedQuery:
    """Answers and prints."""
    from bazelscope.query.formats.written import ask_query

    query = ask_query(
        asked.world,
        asked.envelope_of_flags,
        text,
        str(asked.workspace.root),
        asked.directory_package,
    )
    if session.is_json:
        session.write_json("query", query.answer())
    elif query.is_written:
        session.write_data(query.text())
    return query


def _run(command: str, words: tuple[str, ...], options: Mapping[str, Any]) -> int:
    session = Session(**options)
    asked = session.ask(words, command)
    from bazelscope.query.graphs.unsettled import assumed_text, is_told_by, unsettled_text
    from bazelscope.query.language.query_parser import SOURCE, QueryError, query_source
    from bazelscope.questions.shared.envelope import has_errors
    from bazelscope.questions.shared.text_envelope import packages_in_error_rows
    from bazelscope.render.diagnostics import UNTOLD, is_only_in_full
    from bazelscope.render.document import Document, row

    def told_of(problems: Iterable[Diagnostic]) -> list[Diagnostic]:
        return [
            one
            for one in problems
            if one.code not in UNTOLD and (session.full or not is_only_in_full(one))
        ]

    text = " ".join(asked.names)
    for is_known in (False, True):
        refused = asked.envelope_of_all.line_diagnostics
        if has_errors(refused):
            print_diagnostics(told_of(refused), asked.read_source, session.color)
            return _tell_refused(session, asked, text, EXIT_UNASKABLE)
        if not is_known:
            text = _expression(asked)
            asked.take_question((text,), (text,))  # The projects of its targets may add flags.

    def read(path: str) -> Any:
        return query_source(text) if path == SOURCE else asked.read_source(path)

    try:
        answer = _answer(session, asked, text)
    except QueryError as error:
        print_diagnostics((error.diagnostic,), read, session.color)
        code = error.diagnostic.code
        ends = EXIT_IN_ERROR if code == "undeclared-target" else _REFUSED[command]
        ends = EXIT_UNASKABLE if code in _UNREADABLE else ends
        return _tell_refused(session, asked, text, ends, error.diagnostic)
    envelope = answer.envelope
    in_error = envelope.completeness.packages_in_error
    few = session.full or len(in_error) <= _ERRORS_TOLD
    told = told_of(envelope.line_diagnostics)
    told += envelope.diagnostics
    told += package_diagnostics(envelope.completeness, session.full, every_error=few)
    unsettled = answer.queried.unsettled
    told = [
        one
        for one in _once(told, answer.refusals)
        if one.code not in _UNREAD or one.hint or not is_told_by(unsettled, one.message)
    ]
    print_diagnostics(told, read, session.color, session.full)
    if in_error and not few:
        note = Document()
        note.add([*packages_in_error_rows(in_error, full=False)])
        session.note(note)
    if asked.setup.hint and not session.is_json:
        from bazelscope.questions.shared.text_envelope import hint_rows

        note = Document()
        note.add(hint_rows(asked.setup))
        session.note(note)
    if answer.refusals:
        session.note_refusals(answer.refusals)
    elif answer.is_withheld:
        click.echo("Bazel answers nothing here; with --keep_going it goes on.", err=True)
    if answer.refused is not None:
        return answer.refused
    if not answer.queried.nodes:
        click.echo("Nothing matches: the answer is empty.", err=True)
    unknown = unsettled_text(unsettled, len(answer.queried.nodes))
    warnings = (*envelope.completeness.cut_short, unknown, assumed_text(unsettled))
    note = Document()
    note.add([row(f"warning: {why}") for why in warnings if why])
    session.note(note)
    return answer.exit_code


def _tell_refused(
    session: Session, asked: ConfiguredWorkspace, text: str, code: int, *why: Diagnostic
) -> int:
    """Prints the answer without targets to a question that Bazel refuses, if JSON is asked for: as
    text, it prints none either. Returns the exit code."""
    if session.is_json:
        from bazelscope.query.query_answer import QueryAnswer
        from bazelscope.questions.shared.completeness import COMPLETE
        from bazelscope.questions.shared.envelope import ExitCode

        envelope = asked.envelope_of_all.closed(COMPLETE, why)
        session.write_json("query", QueryAnswer(envelope, text, (), refused=ExitCode(code)))
    return code


def _once(told: Iterable[Diagnostic], refusals: Iterable[Refusal]) -> Iterator[Diagnostic]:
    """What no earlier one has as its note, and no refusal says."""
    refused = [one.message for one in refusals]
    notes: set[str] = set()
    for one in told:
        said = one.message.partition(_WANTED_BY)[0]
        if one.message not in notes and not any(said in message for message in refused):
            yield one
        notes.update(note.message for note in one.notes)
