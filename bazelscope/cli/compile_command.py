"""The command `compile`."""

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
@click.option("--why", "word", metavar="WORD", help="Only this word: who put it there, and why.")
@bazel_words("TARGET [SOURCE] [BAZEL FLAGS...]")
def compile(words: tuple[str, ...], word: str | None, **options: Any) -> int:
    """Say what the compiler and the linker get for TARGET, and who put each word there.

    With SOURCE only what that file is compiled with. Words stand in the order in which the
    compiler sees them; of those that set the same, the later one counts.

    \b
      bazelscope compile //tensorflow/core:lib_internal_impl --config=opt
      bazelscope compile //a:b b.cc -c opt --copt=-g
      bazelscope compile //a:b -c opt --copt=-O3 --why -O2
    """
    session = Session(**options)
    asked = session.ask(words)
    names = asked.names
    if not 1 <= len(names) <= 2:
        given = ", ".join(f"`{name}`" for name in names) or "nothing"
        raise click.UsageError(f"expected TARGET, and SOURCE or nothing, got {given}")
    answer = asked.compile(names[0], names[1] if len(names) > 1 else None, word=word)
    from bazelscope.questions.compile.text import compile_document

    session.show("compile", answer, lambda: compile_document(answer, session.full))
    return session.close(answer)


COMMANDS = (compile,)
