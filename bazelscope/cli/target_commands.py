"""The commands `select`, `settings`, `deps` and `rdeps`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from bazelscope.cli.bazel_line import (
    BazelLine,
    bazel_words,
    branch_options,
    names_of,
    together,
    workspace_options,
)
from bazelscope.cli.session import EXIT_CODES, Session

if TYPE_CHECKING:
    from bazelscope.questions.deps.answer import DependenciesAnswer

_LEVELS_OF_TREES = 3

_Command = TypeVar("_Command", bound=Callable[..., Any])


@click.command(cls=BazelLine, epilog=EXIT_CODES)
@workspace_options
@bazel_words("TARGET[.ATTR] [BAZEL FLAGS...]")
def select(words: tuple[str, ...], **options: Any) -> int:
    """Say which branch each select() of TARGET takes, why, and what would take the others.

    \b
      bazelscope select //tensorflow/core:lib_internal_impl.deps --config=mkl
    """
    session = Session(**options)
    asked = session.ask(words)
    (target,) = names_of(asked, "TARGET or TARGET.ATTR", 1, 1)
    answer = asked.select(target)
    from bazelscope.questions.select.text import selects_document

    return session.tell("select", answer, selects_document)


@click.command(cls=BazelLine, epilog=EXIT_CODES)
@workspace_options
@bazel_words("[PATTERN] [BAZEL FLAGS...]")
def settings(words: tuple[str, ...], **options: Any) -> int:
    """List the config_settings of the workspace: which hold, why, and what turns on them.

    PATTERN is a target pattern, a part of a label, or one with wildcards.

    \b
      bazelscope settings mkl --config=mkl
      bazelscope settings //third_party/... --cpu=aarch64
    """
    session = Session(**options)
    asked = session.ask(words)
    answer = asked.settings(*names_of(asked, "one PATTERN or none", 0, 1))
    from bazelscope.questions.settings.text import settings_document

    return session.tell("settings", answer, settings_document)


_distance_options = together(
    click.option(
        "--levels",
        type=click.IntRange(1),
        help="How far to list. Default: 1, of a tree 3; with JSON, and --full, all.",
    ),
    click.option("--tree", is_flag=True, help="As a tree; what was shown is marked (*)."),
    branch_options,
)


@click.command(cls=BazelLine, epilog=EXIT_CODES)
@workspace_options
@_distance_options
@bazel_words("TARGET [BAZEL FLAGS...]")
def deps(
    words: tuple[str, ...], levels: int | None, tree: bool, configured: bool | None, **options: Any
) -> int:
    """List what TARGET depends on, and through which attribute.

    Without Bazel flags every branch of every select() counts, with flags those that they
    choose. Dependencies that a rule has by default are left out.

    \b
      bazelscope deps //tensorflow/core:core_cpu
      bazelscope deps core_cpu --config=mkl --levels 2
      bazelscope deps core_cpu --config=mkl --tree --levels 2
    """
    session = Session(**options)
    asked = session.ask(words)
    (target,) = names_of(asked, "one TARGET", 1, 1)
    answer = asked.deps(
        target, configured=configured, levels=_levels(levels, session, tree), tree=tree
    )
    return _show_dependencies(session, answer)


@click.command(cls=BazelLine, epilog=EXIT_CODES)
@workspace_options
@_distance_options
@bazel_words("TARGET [FROM] [BAZEL FLAGS...]")
def rdeps(
    words: tuple[str, ...], levels: int | None, tree: bool, configured: bool | None, **options: Any
) -> int:
    """List what depends on TARGET: in the whole workspace, or of what FROM depends on.
    TARGET may be a whole repository, or a pattern.

    Without Bazel flags that is what depends on it under some flags; what branches name that no
    flags take together is told apart.

    \b
      bazelscope rdeps @mkl_dnn_v1//:mkl_dnn
      bazelscope rdeps @mkl_dnn_v1 --tree
      bazelscope rdeps mkl_dnn build_pip_package --config=mkl
    """
    session = Session(**options)
    asked = session.ask(words)
    answer = asked.rdeps(
        *names_of(asked, "TARGET, and FROM or nothing", 1, 2),
        configured=configured,
        levels=_levels(levels, session, tree),
        tree=tree,
    )
    return _show_dependencies(session, answer)


COMMANDS: tuple[click.Command, ...] = (select, settings, deps, rdeps)


def _levels(given: int | None, session: Session, tree: bool) -> int | None:
    if given is not None:
        return given
    return None if session.full or session.is_json else _LEVELS_OF_TREES if tree else 1


def _show_dependencies(session: Session, answer: DependenciesAnswer) -> int:
    from bazelscope.questions.deps.text import dependencies_document

    return session.tell("deps", answer, dependencies_document)
