"""The command `affected`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from bazelscope.cli.bazel_line import BazelLine, bazel_words, workspace_options
from bazelscope.cli.session import EXIT_CODES, Session

if TYPE_CHECKING:
    from bazelscope.api import ConfiguredWorkspace
    from bazelscope.questions.affected.answer import AffectedAnswer


@click.command(cls=BazelLine, epilog=EXIT_CODES)
@workspace_options
@click.option("--since", metavar="REV", default="HEAD", show_default=True, help="The state before.")
@click.option(
    "--until",
    metavar="REV",
    default=":worktree",
    show_default=True,
    help="The state after: a revision, `:index` or `:worktree`.",
)
@click.option("--tests", is_flag=True, help="Only tests.")
@click.option("--why", is_flag=True, help="Causes, also where the output is no terminal.")
@bazel_words("[TARGETS...] [BAZEL FLAGS...]")
def affected(
    words: tuple[str, ...], since: str, until: str, tests: bool, why: bool, **options: Any
) -> int:
    """Say which targets a change affects, and why.

    Compares two states of the git repository: commits, the index, the work tree. A target is
    affected if its files, its attributes under the flags, its rule, its toolchains, its flags
    or anything that it depends on differ. On a terminal each cause is told, with the targets
    that it reaches; elsewhere the output is one label in each line, or what
    `--output=label_kind` and the other formats of `query` print. What git ignores belongs to
    both states. Needs `pip install 'bazelscope[git]'`.

    \b
      bazelscope affected --tests | xargs -r bazel test
      bazelscope affected --since origin/main --config=mkl //tensorflow/...
      bazelscope affected --why --full
    """
    session = Session(**options)
    output, words = _cut_output(words)
    asked = session.ask(words)
    told = session.is_json or why or (output is None and sys.stdout.isatty())
    answer, after = asked.affected_and_line(since, until, tests=tests, causes=told)
    from bazelscope.questions.affected.text import affected_document, problems_document

    if told:
        return session.tell("affected", answer, affected_document)
    session.write_data(_listed(after, answer, output or "label"))
    session.note_refusals(answer.envelope.refusals)
    session.note(problems_document(answer, session.full))
    return session.close(answer)


COMMANDS = (affected,)


def _cut_output(words: tuple[str, ...]) -> tuple[str | None, tuple[str, ...]]:
    """The format that a word `--output` names, as in a line of `query`, and the other words."""
    for index, word in enumerate(words):
        if word == "--":
            break
        name, is_joined, value = word.partition("=")
        if name == "--output":
            end = index + (1 if is_joined else 2)
            if end > len(words):
                raise click.UsageError("Option `--output` requires an argument.")
            return value if is_joined else words[end - 1], (*words[:index], *words[end:])
    return None, words


def _listed(after: ConfiguredWorkspace, answer: AffectedAnswer, output: str) -> str | bytes:
    """The labels in a format of `query`, in the later state."""
    if output == "label":
        return "".join(f"{label}\n" for label in answer.labels)
    from bazelscope.flags.commandline import CommandLine
    from bazelscope.query.formats.written import ask_query
    from bazelscope.query.language.query_parser import QueryError

    asked = type(after)(after.workspace, CommandLine("query", (f"--output={output}",), ()))
    labels = " ".join(f'"{label}"' for label in answer.labels)
    try:
        written = ask_query(
            asked.world,
            asked.envelope_of_flags,
            f"set({labels})",
            str(asked.workspace.root),
            asked.directory_package,
        )
        return written.text()
    except QueryError as error:
        raise click.UsageError(error.diagnostic.message) from error
