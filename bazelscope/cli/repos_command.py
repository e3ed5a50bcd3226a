"""The command `repos`: what external repositories there are and where they come from."""

from __future__ import annotations

from typing import Any

import click

from bazelscope.cli.bazel_line import BazelLine, bazel_words, branch_options, workspace_options
from bazelscope.cli.session import EXIT_CODES, Session


@click.command(cls=BazelLine, epilog=EXIT_CODES)
@workspace_options
@branch_options
@bazel_words("[NAME] [TARGET] [BAZEL FLAGS...]")
def repos(words: tuple[str, ...], configured: bool | None, **options: Any) -> int:
    """Say which external repositories there are, and where they come from.

    With NAME everything about that one: its rule, URLs, checksum, patches, where and by
    which macro it is defined, what it shadows, and where its content was found. With a
    TARGET (a label, or a name behind NAME), whether that depends on it.

    \b
      bazelscope repos
      bazelscope repos mkl_dnn_v1 build_pip_package --config=mkl
      bazelscope repos //tensorflow/core:core
    """
    session = Session(**options)
    asked = session.ask(words)
    names = asked.names
    if len(names) > 2:
        raise click.UsageError(f"expected NAME and TARGET at most, got {len(names)} words")
    repository, target = (*names, None, None)[:2]
    if repository is not None and target is None and _is_target(repository):
        repository, target = None, repository
    from bazelscope.questions.repos.text import repositories_document

    answer = asked.repos(repository, target, configured=configured)
    return session.tell("repos", answer, repositories_document)


COMMANDS: tuple[click.Command, ...] = (repos,)


def _is_target(word: str) -> bool:
    return word.startswith(("//", ":")) or (word.startswith("@") and "//" in word[:-2])
