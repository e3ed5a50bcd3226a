"""The commands `flag`, `configs` and `canonicalize-flags`."""

from __future__ import annotations

from typing import Any

import click

from bazelscope.cli.bazel_line import BazelLine, bazel_words, first_name, workspace_options
from bazelscope.cli.drawing_files import drawing_format, write_drawing
from bazelscope.cli.session import EXIT_CODES, Session


@click.command(cls=BazelLine, epilog=EXIT_CODES)
@workspace_options
@bazel_words("NAME [BAZEL FLAGS...]")
def flag(words: tuple[str, ...], **options: Any) -> int:
    """Say who set a flag, and what that beat.

    \b
      bazelscope flag compilation_mode --config=mkl -c fastbuild
      bazelscope flag define=build_with_mkl --config=mkl
    """
    words = words[1:] if words[:1] == ("--",) else words
    if not words or not words[0].strip("-="):
        raise click.UsageError("name the flag to ask about: `bazelscope flag NAME ...`")
    session = Session(**options)
    name, line = first_name(words, "NAME")
    if name.startswith("-") and (names := session.ask(words).names):
        # Options may come first, as on other lines: the only word that is none is NAME.
        name, line = names[0], tuple(word for word in words if word != names[0])
    asked = session.ask(line)
    if asked.names and not asked.line.program:
        raise click.UsageError(f"expected one NAME, got also `{asked.names[0]}`")
    answer = asked.flag(name)
    from bazelscope.questions.flag.text import flag_document

    return session.tell("flag", answer, lambda one, _: flag_document(one))


@click.command(epilog=EXIT_CODES, context_settings={"ignore_unknown_options": True})
@workspace_options
@click.option("-o", "output", metavar="FILE", help="Draws which config names which.")
@click.option("--every-edge", is_flag=True, help="With -o: a box of its own for each config.")
@click.argument("name", required=False)
def configs(name: str | None, output: str | None, every_edge: bool, **options: Any) -> int:
    """List the named configs: what each sets, and where.

    With NAME only that one, and the configs that it names.

    \b
      bazelscope configs
      bazelscope configs mkl
      bazelscope configs -o configs.svg
    """
    name = name.removeprefix("--config=") if name else None  # As it stands on other lines.
    if name and name.startswith("-"):
        raise click.NoSuchOption(name)
    session = Session(**options)
    is_file = output != "-"
    file_format = drawing_format(output if is_file else None, None)
    answer = session.ask(()).configs(name)
    from bazelscope.questions.configs.text import configs_document

    written_to = output if answer.configs else None
    if written_to is not None:
        from bazelscope.questions.configs.drawing import draw_configs

        how: dict[str, Any] = {"every_edge": every_edge, "keep_out": session.workspace.root}
        if not is_file:
            from bazelscope.render.formats import draw

            session.write_data(draw(draw_configs(answer), file_format, **how))
            return session.close(answer)
        write_drawing(written_to, draw_configs(answer), file_format, **how)
    return session.tell(
        "configs", answer, lambda one, full: configs_document(one, written_to, full)
    )


@click.command("canonicalize-flags", cls=BazelLine, epilog=EXIT_CODES)
@workspace_options
@click.option("--places", is_flag=True, help="With the rc files: one line, each word's place.")
@bazel_words("[--for_command=COMMAND] -- BAZEL FLAGS...")
def canonicalize_flags(words: tuple[str, ...], places: bool, **options: Any) -> int:
    """Print flags in canonical form, as `bazel canonicalize-flags` does.

    Each option that counts is one word, in Bazel's order. As for Bazel, rc files take no part;
    with --places they do, and the answer is one line to paste, and where each word of it stands.

    \b
      bazelscope canonicalize-flags --for_command=test -- -c opt --java_debug
      bazelscope canonicalize-flags --places -- --config=mkl --copt=-O3
    """
    command = "build"
    while words and words[0].startswith("--for_command="):
        command, words = words[0].partition("=")[2], words[1:]
    session = Session(**options)
    if command not in session.workspace.catalog.commands:
        raise click.UsageError(f"`{command}` is no command of this Bazel")
    answer = session.ask(words, command).canonicalize_flags(places=places)
    from bazelscope.questions.canonicalize.text import canonical_text, places_document

    if session.is_json or places:
        return session.tell("canonicalize-flags", answer, lambda one, _: places_document(one))
    if answer.exit_code == 0:
        session.write_data(canonical_text(answer))
    return session.close(answer)


COMMANDS = (flag, configs, canonicalize_flags)
