"""The command `graph`."""

from __future__ import annotations

from typing import Any

import click

from bazelscope.cli.bazel_line import BazelLine, bazel_words, which_branches, workspace_options
from bazelscope.cli.drawing_files import drawing_format, drawing_options, write_drawing
from bazelscope.cli.session import EXIT_CODES, Session
from bazelscope.cli.target_names import two_names


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
@click.option("--all-branches", is_flag=True, help="Search every branch, whatever the flags.")
@click.option("--configured", is_flag=True, help="Search the chosen branches, even without flags.")
@bazel_words("FROM [TO] [BAZEL FLAGS...]")
def graph(
    words: tuple[str, ...],
    output: str | None,
    drawn_as: str | None,
    max_nodes: int,
    boxes: int,
    reduce: bool,
    levels: int | None,
    collapse: str | None,
    link: str,
    every_edge: bool,
    all_branches: bool,
    configured: bool,
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
    session = Session(**options)
    output = None if output == "-" else output
    file_format = drawing_format(output, drawn_as)
    asked = session.ask(words)
    names = two_names(asked, least=1)
    answer = asked.graph_between(
        names[0],
        names[1] if len(names) > 1 else None,
        configured=which_branches(all_branches, configured),
        max_nodes=max_nodes,
        levels=levels,
        collapse=collapse,
    )
    root = session.workspace.root
    from bazelscope.questions.graph.drawing import draw_graph
    from bazelscope.questions.graph.text import graph_document
    from bazelscope.render.links import Links

    links = Links(link, root)
    how: dict[str, Any] = {
        "every_edge": every_edge,
        "keep_out": root,
        "boxes": boxes,
        "reduce": reduce,
    }
    if not answer.is_empty and output is not None:
        write_drawing(output, draw_graph(answer, links.to), file_format, **how)
    if not answer.is_empty and output is None and not session.is_json:
        from bazelscope.render.formats import draw

        session.write_data(draw(draw_graph(answer, links.to), file_format, **how))
        session.note_refusals(answer.envelope.refusals)
        session.note(graph_document(answer, None, session.full))
    else:
        session.show("graph", answer, lambda: graph_document(answer, output, session.full))
    return session.close(answer)


COMMANDS = (graph,)
