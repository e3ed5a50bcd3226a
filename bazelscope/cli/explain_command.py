"""The commands `explain` and `why`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from bazelscope.cli.bazel_line import BazelLine, bazel_words, first_name, workspace_options
from bazelscope.cli.session import EXIT_CODES, Session

if TYPE_CHECKING:
    from bazelscope.api import ConfiguredWorkspace
    from bazelscope.questions.shared.sections import Section


@click.command(cls=BazelLine, epilog=EXIT_CODES)
@workspace_options
@click.option("--sections", multiple=True, metavar="NAME,...", help="Only these sections.")
@click.option("--skip", multiple=True, metavar="NAME,...", help="Leave these sections out.")
@click.option("--rc-only", is_flag=True, help="Only flags: load no package.")
@click.option("--why", metavar="NAME", help="Why a line of the answer says what it says.")
@bazel_words("[BAZEL FLAGS...] [TARGETS...]")
def explain(
    words: tuple[str, ...],
    sections: tuple[str, ...],
    skip: tuple[str, ...],
    rc_only: bool,
    why: str | None,
    **options: Any,
) -> int:
    """Explain a build line: what each word does, flags, selects, targets, repositories.

    The words are those behind `bazel build`, or a whole line:

    \b
      bazelscope explain --config=mkl //tensorflow/core:core
      bazelscope explain -- bazel --output_user_root=x build --config=opt //...

    The answer has sections: line, targets, selects, attributes, deps, repos, conditions,
    configs, flags, defines, rc, unknown. --why takes a name from any line of it, or the
    line, and gives the whole chain of causes:

    \b
      bazelscope explain --sections line --config=mkl //tensorflow/core:core
      bazelscope explain --why compilation_mode --config=mkl
      bazelscope explain --why @mkl_dnn_v1 --config=mkl //tensorflow/core:core
    """
    session = Session(**options)
    asked = session.ask(words)
    if why is not None:
        return _tell_why(session, asked, why)
    answer = asked.explain(_sections(sections, skip), flags_only=rc_only)
    from bazelscope.questions.explain.text import explanation_document

    return session.tell(
        "explain",
        answer,
        lambda one, full: explanation_document(one, full, session.lines_around(one)),
    )


@click.command(cls=BazelLine, epilog=EXIT_CODES)
@workspace_options
@bazel_words("NAME [BAZEL FLAGS...] [TARGETS...]")
def why(words: tuple[str, ...], **options: Any) -> int:
    """Say why a line of `explain` says what it says.

    NAME is the name in such a line, or the line: a flag, a config, a define, a variable, a
    condition, a target, a repository, a file. The answer is the whole chain of causes.
    `explain --why NAME` gives the same answer.

    \b
      bazelscope why compilation_mode --config=mkl
      bazelscope why @mkl_dnn_v1 --config=mkl //tensorflow/core:core
    """
    name, words = first_name(words, "the NAME to explain, got nothing")
    session = Session(**options)
    return _tell_why(session, session.ask(words), name)


def _tell_why(session: Session, asked: ConfiguredWorkspace, name: str) -> int:
    from bazelscope.questions.why.text import why_document

    return session.tell(
        "why", asked.why(name), lambda one, full: why_document(one, full, session.lines_around(one))
    )


def _sections(only: tuple[str, ...], skip: tuple[str, ...]) -> frozenset[Section] | None:
    """The sections that the options ask for; None for all."""
    if not (only or skip):
        return None
    from bazelscope.questions.shared.sections import EVERY_SECTION, parse_sections

    chosen = parse_sections(only) if only else EVERY_SECTION
    return chosen - (parse_sections(skip) if skip else frozenset())


COMMANDS = (explain, why)
