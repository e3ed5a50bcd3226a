"""The command `graph`."""

from __future__ import annotations

from typing import Any

import click

from bazelscope.cli.bazel_line import (
    BazelLine,
    bazel_words,
    branch_options,
    names_of,
    workspace_options,
)
from bazelscope.cli.drawing_files import Picture, drawing_options
from bazelscope.cli.session import EXIT_CODES, Session


@click.command(cls=BazelLine, epilog=EXIT_CODES)
@workspace_options
@drawing_options
@click.option(
    "--max-nodes",
    type=click.IntRange(1),
    default=1000,
    show_default=True,
    help="Look at no more; of more targets, packages or repositories are drawn.",
)
@click.option("--reduce", is_flag=True, help="No arrow where others lead the longer way round.")
@click.option("--levels", type=click.IntRange(0), help="No further from FROM than this.")
@click.option(
    "--collapse",
    type=click.Choice(("package", "repository", "nothing")),
    help="One node for each of these; by default where there are more targets than --max-nodes.",
)
@branch_options
@bazel_words("FROM [TO] [BAZEL FLAGS...]")
def graph(
    words: tuple[str, ...],
    max_nodes: int,
    reduce: bool,
    levels: int | None,
    collapse: str | None,
    configured: bool | None,
    **options: Any,
) -> int:
    """Draw what lies between FROM and TO, or below FROM: under the flags, or, without Bazel
    flags, on paths that some flags take.

    Without -o, or with -o -, the drawing goes to standard output, as DOT if --as says
    nothing else. SVG and PNG take no program, PDF takes an installed Graphviz. Every
    node and edge has a tooltip with its place and reason. A large drawing is folded: a box
    stands for what is reached through it alone, or for targets that have the same arrows; the
    drawing says so, and --boxes opens more of it.

    \b
      bazelscope graph build_pip_package mkl_dnn -o mkl.svg
      bazelscope graph build_pip_package --collapse repository -o repositories.svg
      bazelscope graph build_pip_package --levels 2 --config=mkl --as mmd
    """
    picture = Picture.taken_from(options, always=True, reduce=reduce)
    session = Session(**options)
    asked = session.ask(words)
    answer = asked.graph_between(
        *names_of(asked, "FROM, and TO or nothing", 1, 2),
        configured=configured,
        max_nodes=max_nodes,
        levels=levels,
        collapse=collapse,
    )
    from bazelscope.questions.graph.drawing import draw_graph
    from bazelscope.questions.graph.text import graph_document

    document = lambda one, full: graph_document(one, picture.output, full)  # noqa: E731
    drawing = None if answer.is_empty else draw_graph
    return picture.tell(session, "graph", answer, document, drawing, beside=document)


COMMANDS = (graph,)
