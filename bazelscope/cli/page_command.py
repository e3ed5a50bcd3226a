"""The command `page`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from bazelscope import __version__
from bazelscope.cli.bazel_line import BazelLine, bazel_words, cut_flags, workspace_options
from bazelscope.cli.drawing_files import check_writable, write_file
from bazelscope.cli.session import EXIT_CODES, Session


@click.command(cls=BazelLine, epilog=EXIT_CODES)
@workspace_options
@click.option("-o", "output", metavar="FILE", default="explorer.html", show_default=True)
@click.option("--against", metavar="FLAGS", help="Open with what differs from these flags.")
@click.option(
    "--also-host", metavar="OS[-CPU]", multiple=True, help="Another host to switch to; repeatable."
)
@click.option(
    "--loads",
    type=click.IntRange(1),
    default=4,
    show_default=True,
    help="Load packages for so many sets of flags that repositories depend on.",
)
@bazel_words("TARGET... [BAZEL FLAGS...]")
def page(
    words: tuple[str, ...],
    output: str,
    against: str | None,
    also_host: tuple[str, ...],
    loads: int,
    **options: Any,
) -> int:
    """Write a page to look around in: TARGETs and all below them, in one HTML file.

    It needs no network and no program but a browser. In it: the graph, opened box by box;
    each target, edge and select() with when and why; flags to turn, with what they change at
    once; paths, repositories, configs, flags in force. Every state of it is a link.

    \b
      bazelscope page build_pip_package -o explorer.html
      bazelscope page build_pip_package --config=mkl --against "" -o mkl.html
      bazelscope page //tensorflow:tensorflow_py --also-host windows
    """
    is_file = output != "-"
    if is_file:
        check_writable(Path(output))
    beside = cut_flags("--against", against) if against is not None else None
    session = Session(**options)
    asked = session.ask(words)
    if not asked.names:
        raise click.UsageError("expected a TARGET that the page is about")
    answer, model = asked.page(beside, hosts=also_host, most_loads=loads)
    size = 0
    if model is not None:
        from dataclasses import replace

        from bazelscope.questions.page.writing import write_page

        name = session.workspace.root.name
        text, left_out = write_page(model, f"bazelscope {__version__}", name)
        size = len(text)
        answer = replace(answer, left_out=(*answer.left_out, *left_out))
        if is_file:
            write_file(output, text.encode())
        elif not session.is_json:
            session.write_data(text)
    from bazelscope.questions.page.text import page_document

    if is_file or session.is_json or model is None:
        return session.tell(
            "page", answer, lambda one, full: page_document(one, output, size, full)
        )
    session.note_refusals(answer.envelope.refusals)
    session.note(page_document(answer, "standard output", size, session.full))
    return session.close(answer)


COMMANDS = (page,)
