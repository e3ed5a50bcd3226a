"""The command `compile`."""

from __future__ import annotations

from typing import Any

import click

from bazelscope.cli.bazel_line import BazelLine, bazel_words, names_of, workspace_options
from bazelscope.cli.drawing_files import write_file
from bazelscope.cli.session import EXIT_ANSWERED, EXIT_CODES, Session


@click.command(cls=BazelLine, epilog=EXIT_CODES)
@workspace_options
@click.option("--why", "word", metavar="WORD", help="Only this word: who put it there, and why.")
@click.option(
    "--as",
    "shape",
    type=click.Choice(("lines", "compile_commands")),
    default="lines",
    help="Lines to read, or a compile_commands.json of all below TARGET.",
)
@click.option("-o", "output", metavar="FILE", help="With --as compile_commands: write it there.")
@bazel_words("TARGET [SOURCE] [BAZEL FLAGS...]")
def compile(
    words: tuple[str, ...], word: str | None, shape: str, output: str | None, **options: Any
) -> int:
    """Say what the compiler and the linker get for TARGET, and who put each word there.

    With SOURCE only what that file is compiled with; a file for TARGET stands for the first rule
    of its package that compiles it. Words stand in the order in which the compiler sees them; of
    those that set the same, the later one counts.

    \b
      bazelscope compile //tensorflow/core:lib_internal_impl --config=opt
      bazelscope compile matmul_op matmul_op.cc -c opt --copt=-g
      bazelscope compile matmul_op -c opt --copt=-O3 --why -O2
      bazelscope compile matmul_op --as compile_commands -o compile_commands.json
    """
    if output is not None and shape != "compile_commands":
        raise click.UsageError("-o goes with --as compile_commands")
    session = Session(**options)
    asked = session.ask(words)
    names = names_of(asked, "TARGET, and SOURCE or nothing", 1, 2)
    if shape == "compile_commands":
        return _write_commands(session, asked.compile_commands(names[0]), output)
    answer = asked.compile(*names, word=word)
    from bazelscope.questions.compile.text import compile_document

    return session.tell("compile", answer, compile_document)


def _write_commands(session: Session, text: str, output: str | None) -> int:
    if output in (None, "-"):
        session.write_data(text)
    else:
        write_file(output, text.encode())
    return EXIT_ANSWERED


COMMANDS = (compile,)
