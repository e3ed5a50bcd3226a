"""The command `when`."""

from __future__ import annotations

from typing import Any

import click

from bazelscope.cli.session import (
    EXIT_CODES,
    BazelLine,
    Session,
    bazel_words,
    workspace_options,
)


@click.command(cls=BazelLine, epilog=EXIT_CODES)
@workspace_options
@bazel_words("TARGET [DEPENDENCY] [BAZEL FLAGS...]")
def when(words: tuple[str, ...], **options: Any) -> int:
    """Say under which flags TARGET depends on DEPENDENCY, over all paths.

    The answer is always, never, or each combination of flags that makes it so, the shortest
    first, with the configs that set them, what holds now, and what would change that. Flags
    on the line are taken as given; all others are free, whatever the rc files say. Without
    DEPENDENCY: under which flags TARGET can be built at all.

    \b
      bazelscope when build_pip_package mkl_dnn
      bazelscope when build_pip_package mkl_dnn --config=monolithic
      bazelscope when //tensorflow/core:core_cpu @curl
      bazelscope when build_pip_package
    """
    session = Session(**options)
    asked = session.ask(words)
    names = asked.names
    if not 1 <= len(names) <= 2:
        given = ", ".join(f"`{name}`" for name in names) or "nothing"
        raise click.UsageError(f"expected TARGET, and DEPENDENCY or nothing, got {given}")
    answer = asked.when(*names)
    from bazelscope.questions.when.text import when_document

    session.show("when", answer, lambda: when_document(answer, session.full))
    return session.close(answer)


COMMANDS = (when,)
