"""The command `diff`."""

from __future__ import annotations

from typing import Any

import click

from bazelscope.cli.bazel_line import BazelLine, bazel_words, cut_flags, workspace_options
from bazelscope.cli.drawing_files import Picture, drawing_options
from bazelscope.cli.session import EXIT_CODES, Session


@click.command(cls=BazelLine, epilog=EXIT_CODES)
@workspace_options
@click.option("--before", metavar="FLAGS", default="", help="Flags before; default: none.")
@click.option("--after", metavar="FLAGS", default="", help="Flags after; default: none.")
@drawing_options
@bazel_words("[TARGETS...] [BAZEL FLAGS...]")
def diff(words: tuple[str, ...], before: str, after: str, **options: Any) -> int:
    """Say what other flags change.

    Quote each set of flags; all other flags count on both sides. Shows which options differ and
    who sets them, which conditions begin or cease to hold, and where the dependencies of TARGETS
    part; -o draws that. Without TARGETS only options are compared.

    \b
      bazelscope diff build_pip_package --after "--config=mkl"
      bazelscope diff //a --before "-c opt" --after "-c dbg --copt=-g"
      bazelscope diff build_pip_package --after "--config=mkl" -o mkl.svg
    """
    picture = Picture.taken_from(options)
    session = Session(**options)
    if not before and not after:
        raise click.UsageError('say what changes: `bazelscope diff TARGET --after "--config=cuda"`')
    first = session.ask((*words, *cut_flags("--before", before)))
    second = session.ask((*words, *cut_flags("--after", after)))
    from bazelscope.questions.diff.drawing import draw_difference
    from bazelscope.questions.diff.text import difference_document

    answer = second.differences(first)
    drawing = draw_difference if answer.targets else None
    return picture.tell(session, "diff", answer, difference_document, drawing)


COMMANDS = (diff,)
