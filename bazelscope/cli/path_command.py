"""The command `path`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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

if TYPE_CHECKING:
    from collections.abc import Callable

    from bazelscope.base.source import Location
    from bazelscope.questions.path.answer import PathAnswer, PathsAnswer
    from bazelscope.render.drawing import Drawing


@click.command(cls=BazelLine, epilog=EXIT_CODES)
@workspace_options
@click.option("--all-paths", "every", is_flag=True, help="Every path, the shortest first.")
@click.option(
    "--max-paths",
    type=click.IntRange(1),
    default=10,
    show_default=True,
    help="With --all-paths: how many are shown.",
)
@click.option(
    "--avoid",
    metavar="TARGET",
    multiple=True,
    help="Not by way of this; //x/... and names too. May be repeated.",
)
@click.option(
    "--via", metavar="TARGET", multiple=True, help="By way of this; several are met in this order."
)
@click.option(
    "--through-attr",
    "through",
    metavar="ATTR",
    multiple=True,
    help="Along edges of this attribute only. May be repeated.",
)
@drawing_options
@branch_options
@bazel_words("FROM TO [BAZEL FLAGS...]")
def path(
    words: tuple[str, ...],
    every: bool,
    max_paths: int,
    avoid: tuple[str, ...],
    via: tuple[str, ...],
    through: tuple[str, ...],
    configured: bool | None,
    **options: Any,
) -> int:
    """Say why FROM depends on TO.

    FROM and TO are labels, or names as people say them; TO may be a whole repository
    (`@mkl_dnn_v1`) or a pattern (`//third_party/...`), of which the nearest is taken.

    Without Bazel flags every branch of every select() counts, and the answer says which
    flags the path needs; paths that no flags make are left out. With flags only the
    branches count that they choose.

    --through-attr is about every edge of the path; aliases and generated files are looked
    through. -o draws the paths, with their conditions.

    \b
      bazelscope path build_pip_package mkl_dnn
      bazelscope path build_pip_package mkl_dnn --config=mkl
      bazelscope path build_pip_package @curl
      bazelscope path build_pip_package mkl_dnn --all-paths --avoid core_cpu
      bazelscope path build_pip_package mkl_dnn --via core_cpu --through-attr deps
      bazelscope path build_pip_package mkl_dnn --all-paths -o paths.svg
    """
    picture = Picture.taken_from(options)
    session = Session(**options)
    asked = session.ask(words)
    source, target = names_of(asked, "FROM and TO", 2, 2)
    route: dict[str, Any] = {
        "configured": configured, "avoid": avoid, "via": via, "through": through
    }  # fmt: skip
    if every:
        from bazelscope.questions.path.text_all_paths import paths_document

        listed = asked.paths(source, target, most=max_paths, **route)
        drawing = _draw if listed.paths else None
        return picture.tell(session, "paths", listed, paths_document, drawing)
    from bazelscope.questions.path.text import path_document

    answer = asked.path(source, target, **route)
    return picture.tell(
        session,
        "path",
        answer,
        lambda one, full: path_document(one, full, session.lines_around(one)),
        _draw if answer.steps else None,
    )


def _draw(answer: PathAnswer | PathsAnswer, link: Callable[[Location | None], str]) -> Drawing:
    """Draws the paths of an answer; what draws is imported for that."""
    from bazelscope.questions.path.drawing import draw_paths

    return draw_paths(answer, link)


COMMANDS = (path,)
