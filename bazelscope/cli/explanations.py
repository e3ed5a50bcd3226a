"""The commands `explain`, `path`, `graph`, `flag` and `configs`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bazelscope.cli.session import (
    EXIT_ANSWERED,
    EXIT_CODES,
    EXIT_IN_ERROR,
    EXIT_NEGATIVE,
    EXIT_UNASKABLE,
    BazelLine,
    Session,
    bazel_words,
    has_errors,
    which_branches,
    workspace_options,
)

if TYPE_CHECKING:
    from bazelscope.api import ConfiguredWorkspace


@click.command(cls=BazelLine, epilog=EXIT_CODES)
@workspace_options
@click.option("--rc-only", is_flag=True, help="Only flags: load no package.")
@bazel_words("[BAZEL FLAGS...] [TARGETS...]")
def explain(words: tuple[str, ...], rc_only: bool, **options: Any) -> int:
    """Explain a build line: flags, configs, conditions, selects.

    The words are those behind `bazel build`, or a whole line:

    \b
      bazelscope explain --config=mkl //tensorflow/core:core
      bazelscope explain -- bazel --output_user_root=x build --config=opt //...
    """
    session = Session(**options)
    asked = session.ask(words)
    answer = asked.explain(rc_only=rc_only)
    from bazelscope.render.text_explain import explanation_document

    session.show("explain", answer, lambda: explanation_document(answer, session.full))
    session.warn(answer.diagnostics, answer.completeness)
    if answer.undefined_configs or has_errors(answer.diagnostics):
        return EXIT_UNASKABLE
    if any(target.node is None for target in answer.targets):
        return EXIT_NEGATIVE
    return EXIT_IN_ERROR if answer.completeness.packages_in_error else EXIT_ANSWERED


@click.command(cls=BazelLine, epilog=EXIT_CODES)
@workspace_options
@click.option("--all-branches", is_flag=True, help="Search every branch, whatever the flags.")
@click.option("--configured", is_flag=True, help="Search the chosen branches, even without flags.")
@bazel_words("FROM TO [BAZEL FLAGS...]")
def path(words: tuple[str, ...], all_branches: bool, configured: bool, **options: Any) -> int:
    """Say why FROM depends on TO.

    FROM and TO are labels, or names as people say them. Without Bazel flags every branch
    of every select() counts, and each step says what it needs; with flags only the
    branches that they choose.

    \b
      bazelscope path build_pip_package mkl_dnn
      bazelscope path build_pip_package mkl_dnn --config=mkl
    """
    session = Session(**options)
    asked = session.ask(words)
    source, target = _names(asked, 2, 2)
    answer = asked.path(source, target, configured=which_branches(all_branches, configured))
    from bazelscope.explain.path_answers import PathOutcome
    from bazelscope.render.text_paths import path_document

    session.show("path", answer, lambda: path_document(answer, session.full))
    session.warn(answer.diagnostics, answer.completeness)
    if answer.undefined_configs or has_errors(answer.diagnostics):
        return EXIT_UNASKABLE
    if answer.outcome is not PathOutcome.FOUND:
        return EXIT_NEGATIVE
    return EXIT_IN_ERROR if answer.completeness.packages_in_error else EXIT_ANSWERED


@click.command(cls=BazelLine, epilog=EXIT_CODES)
@workspace_options
@click.option("-o", "output", metavar="FILE", help="FILE.svg, .dot, .png or .pdf; else DOT text.")
@click.option("--max-nodes", type=click.IntRange(1), default=60, show_default=True)
@click.option("--all-branches", is_flag=True, help="Search every branch, whatever the flags.")
@click.option("--configured", is_flag=True, help="Search the chosen branches, even without flags.")
@bazel_words("FROM [TO] [BAZEL FLAGS...]")
def graph(
    words: tuple[str, ...],
    output: str | None,
    max_nodes: int,
    all_branches: bool,
    configured: bool,
    **options: Any,
) -> int:
    """Draw what lies between FROM and TO, or below FROM.

    \b
      bazelscope graph build_pip_package mkl_dnn -o mkl.svg
    """
    session = Session(**options)
    if output is not None:
        _check_format(output)
    asked = session.ask(words)
    names = _names(asked, 1, 2)
    answer = asked.graph(
        names[0],
        names[1] if len(names) > 1 else None,
        configured=which_branches(all_branches, configured),
        max_nodes=max_nodes,
    )
    from bazelscope.render.dot import to_dot
    from bazelscope.render.text_paths import graph_document

    if answer.nodes and output is not None:
        _write_drawing(output, to_dot(answer))
    if answer.nodes and output is None and not session.is_json:
        session.write(to_dot(answer))
        session.note(graph_document(answer, None, session.full))
    else:
        session.show("graph", answer, lambda: graph_document(answer, output, session.full))
    session.warn(answer.diagnostics, answer.completeness)
    if has_errors(answer.diagnostics):
        return EXIT_UNASKABLE
    if not answer.nodes:
        return EXIT_NEGATIVE
    return EXIT_IN_ERROR if answer.completeness.packages_in_error else EXIT_ANSWERED


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
    answer = session.ask(words[1:]).flag(words[0])
    from bazelscope.render.text_flags import flag_document

    session.show("flag", answer, lambda: flag_document(answer))
    session.warn(answer.diagnostics)
    if answer.undefined_configs or has_errors(answer.diagnostics):
        return EXIT_UNASKABLE
    return EXIT_ANSWERED if answer.is_set else EXIT_NEGATIVE


@click.command(epilog=EXIT_CODES)
@workspace_options
@click.option("-o", "output", metavar="FILE", help="Draws which config names which.")
@click.argument("name", required=False)
def configs(name: str | None, output: str | None, **options: Any) -> int:
    """List the named configs: what each sets, and where.

    With NAME only that one, and the configs that it names.
    """
    session = Session(**options)
    if output is not None:
        _check_format(output)
    asked = session.ask(())
    answer = asked.configs(name.removeprefix("--config=") if name else None)
    from bazelscope.render.dot import configs_to_dot
    from bazelscope.render.text_flags import configs_document

    written_to = output if answer.configs else None
    if written_to is not None:
        _write_drawing(written_to, configs_to_dot(answer))
    session.show("configs", answer, lambda: configs_document(answer, written_to, session.full))
    session.warn(answer.diagnostics)
    if has_errors(answer.diagnostics):
        return EXIT_UNASKABLE
    return EXIT_NEGATIVE if answer.undefined else EXIT_ANSWERED


def _names(asked: ConfiguredWorkspace, least: int, most: int) -> tuple[str, ...]:
    names = asked.names
    if not least <= len(names) <= most:
        expected = "FROM and TO" if least == 2 else "FROM, and TO or nothing"
        given = ", ".join(f"`{name}`" for name in names) or "nothing"
        raise click.UsageError(f"expected {expected}, got {given}")
    return names


def _check_format(output: str) -> None:
    from bazelscope.render.svg import check_format

    check_format(Path(output).suffix.removeprefix("."))


def _write_drawing(output: str, dot: str) -> None:
    from bazelscope.render.svg import draw

    drawn = draw(dot, Path(output).suffix.removeprefix("."))
    try:
        Path(output).write_bytes(drawn)
    except OSError as error:
        raise click.FileError(output, error.strerror) from error


COMMANDS = (explain, path, graph, flag, configs)
