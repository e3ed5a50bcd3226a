"""The command `path`."""

from __future__ import annotations

from typing import Any

import click

from bazelscope.cli.names import two_names
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
    source, target = two_names(asked, least=2)
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


COMMANDS = (path,)
