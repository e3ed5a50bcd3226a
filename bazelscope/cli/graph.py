"""The command `graph`."""

from __future__ import annotations

from typing import Any

import click

from bazelscope.cli.drawings import check_format, write_drawing
from bazelscope.cli.names import two_names
from bazelscope.cli.session import (
    EXIT_ANSWERED,
    EXIT_CODES,
    EXIT_IN_ERROR,
    EXIT_NEGATIVE,
    EXIT_UNASKABLE,
    BazelLine,
    Session,
    bazel_words,
    has_errors,
    which_branches,
    workspace_options,
)


@click.command(cls=BazelLine, epilog=EXIT_CODES)
@workspace_options
@click.option("-o", "output", metavar="FILE", help="FILE.svg, .dot, .png or .pdf; else DOT text.")
@click.option("--max-nodes", type=click.IntRange(1), default=60, show_default=True)
@click.option("--all-branches", is_flag=True, help="Search every branch, whatever the flags.")
@click.option("--configured", is_flag=True, help="Search the chosen branches, even without flags.")
@bazel_words("FROM [TO] [BAZEL FLAGS...]")
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
    session = Session(**options)
    if output is not None:
        check_format(output)
    asked = session.ask(words)
    names = two_names(asked, least=1)
    answer = asked.graph_between(
        names[0],
        names[1] if len(names) > 1 else None,
        configured=which_branches(all_branches, configured),
        max_nodes=max_nodes,
    )
    from bazelscope.render.dot import to_dot
    from bazelscope.render.text_graphs import graph_document

    if answer.nodes and output is not None:
        write_drawing(output, to_dot(answer))
    if answer.nodes and output is None and not session.is_json:
        session.write(to_dot(answer))
        session.note(graph_document(answer, None, session.full))
    else:
        session.show("graph", answer, lambda: graph_document(answer, output, session.full))
    session.warn(answer.diagnostics, answer.completeness)
    if has_errors(answer.diagnostics):
        return EXIT_UNASKABLE
    if not answer.nodes:
        return EXIT_NEGATIVE
    return EXIT_IN_ERROR if answer.completeness.packages_in_error else EXIT_ANSWERED


COMMANDS = (graph,)
