"""The commands `when` and `effects`."""

from __future__ import annotations

from typing import Any

import click

from bazelscope.cli.bazel_line import (
    BazelLine,
    bazel_words,
    first_name,
    names_of,
    workspace_options,
)
from bazelscope.cli.drawing_files import Picture, drawing_options
from bazelscope.cli.session import EXIT_CODES, Session


@click.command(cls=BazelLine, epilog=EXIT_CODES)
@workspace_options
@click.option(
    "--loads",
    type=click.IntRange(1),
    help="Look at so many sets of packages at most, of flags that repositories depend on.",
)
@click.option(
    "--repositories", is_flag=True, help="Say it of each external repository that TARGET may need."
)
@drawing_options
@bazel_words("TARGET [DEPENDENCY] [BAZEL FLAGS...]")
def when(words: tuple[str, ...], loads: int | None, repositories: bool, **options: Any) -> int:
    """Say under which flags TARGET depends on DEPENDENCY, over all paths.

    The answer is always, never, or each combination of flags that makes it so, the shortest
    first, with the configs that set them, what holds now, and what would change that. Flags
    on the line are taken as given; all others are free, whatever the rc files say. Without
    DEPENDENCY: under which flags TARGET can be built at all; with --repositories, under which
    it needs each external repository.

    Some configs change what repository rules read, and so which packages there are: those are
    looked at, too, all of them if --loads does not say how many. What was not is named.
    -o draws the answer as a decision tree, from flag to flag.

    \b
      bazelscope when build_pip_package mkl_dnn
      bazelscope when build_pip_package mkl_dnn --config=monolithic
      bazelscope when //tensorflow/core:core_cpu @curl
      bazelscope when build_pip_package
      bazelscope when build_pip_package --repositories
      bazelscope when build_pip_package mkl_dnn -o mkl.svg
    """
    picture = Picture.taken_from(options)
    session = Session(**options)
    asked = session.ask(words)
    if repositories:
        (name,) = names_of(asked, "TARGET, alone with --repositories", 1, 1)
        told = asked.when_repositories(name, most_loads=loads)
        from bazelscope.questions.when.text_repositories import repositories_document

        return session.tell("when-repositories", told, repositories_document)
    names = names_of(asked, "TARGET, and DEPENDENCY or nothing", 1, 2)
    answer = asked.when(*names, most_loads=loads)
    from bazelscope.questions.when.drawing import draw_decisions
    from bazelscope.questions.when.text import when_document

    drawing = draw_decisions if answer.condition else None
    return picture.tell(session, "when", answer, when_document, drawing)


@click.command(cls=BazelLine, epilog=EXIT_CODES)
@workspace_options
@bazel_words("NAME [TARGET] [BAZEL FLAGS...]")
def effects(words: tuple[str, ...], **options: Any) -> int:
    """Say what turns on NAME: conditions, select()s, targets, repository rules.

    NAME is an option (`copt`), a define (`define=x`, or x), a config (`mkl`), a build setting
    or condition by its label, or a variable of the environment that repository rules read.
    With TARGET: what each value brings to its dependencies, and what it takes.

    \b
      bazelscope effects mkl build_pip_package
      bazelscope effects define=build_with_mkl build_pip_package
      bazelscope effects compilation_mode
      bazelscope effects TF_NEED_CUDA
    """
    session = Session(**options)
    name, rest = first_name(words, "NAME, and TARGET or nothing")
    asked = session.ask(rest)
    names = asked.names
    if len(names) > 1:
        raise click.UsageError(f"expected NAME, and TARGET or nothing, got also `{names[1]}`")
    answer = asked.effects(name, *names)
    from bazelscope.questions.effects.text import effects_document

    return session.tell("effects", answer, effects_document)


COMMANDS = (when, effects)
