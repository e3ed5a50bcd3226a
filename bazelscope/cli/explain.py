"""The command `explain`."""

from __future__ import annotations

from typing import Any

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
    workspace_options,
)


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


COMMANDS = (explain,)
