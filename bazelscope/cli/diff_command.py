"""The command `diff`."""

from __future__ import annotations

import shlex
from typing import Any

import click

from bazelscope.cli.bazel_line import BazelLine, bazel_words, workspace_options
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
    first = session.ask((*words, *_cut("--before", before)))
    second = session.ask((*words, *_cut("--after", after)))
    from bazelscope.questions.diff.drawing import draw_difference
    from bazelscope.questions.diff.text import difference_document

    answer = second.differences(first)
    picture.show(
        session,
        "diff",
        answer,
        lambda: difference_document(answer, session.full),
        (lambda link: draw_difference(answer, link)) if answer.targets else None,
    )
    return session.close(answer)


COMMANDS = (diff,)


def _cut(option: str, flags: str) -> list[str]:
    try:
        return shlex.split(flags)
    except ValueError as error:
        raise click.UsageError(f"{option}: {error}") from error
