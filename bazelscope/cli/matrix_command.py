"""The command `matrix`."""

from __future__ import annotations

from typing import Any

import click

from bazelscope.cli.bazel_line import BazelLine, bazel_words, workspace_options
from bazelscope.cli.session import EXIT_CODES, Session


@click.command(cls=BazelLine, epilog=EXIT_CODES)
@workspace_options
@click.option(
    "--over",
    metavar="AXIS=A,B...",
    multiple=True,
    help="What to go over: configs=, hosts= or versions=; one for each axis.",
)
@click.option(
    "--as",
    "written",
    type=click.Choice(("text", "html", "csv")),
    default="text",
    help="How the table is written.",
)
@click.option(
    "--processes", type=click.IntRange(min=1), metavar="N", help="Default: one for each core."
)
@click.option("--scheduler", metavar="tcp://...", help="A Dask scheduler that deals out the cells.")
@bazel_words("QUESTION [ARGUMENTS...] [BAZEL FLAGS...]")
def matrix(
    words: tuple[str, ...],
    over: tuple[str, ...],
    written: str,
    processes: int | None,
    scheduler: str | None,
    **options: Any,
) -> int:
    """Ask one question of many command lines at once.

    QUESTION is `needs A B`, `holds SETTING`, `flag FLAG`, `check`, `refused TARGET` or
    `size TARGET`. Each combination of the axes is a cell; configs joined by `+` are on together,
    and an empty one is no config. Cells that agree are told once. `--scheduler` needs
    `pip install 'bazelscope[dask]'`, there and here, and workers that see the tree at its path.

    \b
      bazelscope matrix needs //a //b --over configs=,mkl,opt+mkl
      bazelscope matrix size //a --over hosts=linux,windows --as csv
      bazelscope matrix flag copt --over configs=opt,cuda --define=x=1
    """
    session = Session(**options)
    line = session.workspace.configure(words)
    session.color = line.wants_color
    typed = line.names
    from bazelscope.questions.matrix.find import axes_of, question_of

    question, arguments = question_of(typed)
    axes_of(over)
    flags = [word for word in words if word not in typed]
    from bazelscope.api.matrix_question import matrix as ask

    answer = ask(session.workspace, question, arguments, over, flags, processes, scheduler)
    if session.is_json or written == "text":
        from bazelscope.questions.matrix.text import matrix_document

        return session.tell("matrix", answer, matrix_document)
    from bazelscope.questions.matrix.written import to_csv, to_html

    session.write_data(to_csv(answer) if written == "csv" else to_html(answer))
    return session.close(answer)


COMMANDS = (matrix,)
