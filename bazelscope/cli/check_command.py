"""The command `check`: findings about a workspace."""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from bazelscope import __version__
from bazelscope.cli.bazel_line import BazelLine, bazel_words, workspace_options
from bazelscope.cli.session import Session

_EXIT_CODES = """\b
Exit codes:
  0   no findings
  1   findings
  2   the question cannot be asked: bad command line, no workspace
  3   findings, of which Bazel would refuse some; or a limit was reached
  70  an internal error of bazelscope
  130 interrupted
"""


@click.command(cls=BazelLine, epilog=_EXIT_CODES)
@partial(workspace_options, formats=("text", "json", "jsonl", "sarif", "github", "patch"))
@click.option("--codes", multiple=True, metavar="CODES", help="Only these: BZS1,BZS204.")
@click.option("--ignore", multiple=True, metavar="CODES", help="All but these.")
@click.option(
    "--baseline", metavar="FILE", help="An earlier answer (--format json): tell what is new."
)
@click.option("--for", "target", metavar="VERSION", help="What breaks under that Bazel.")
@click.option("--unsafe-fixes", is_flag=True, help="In a patch, also what changes builds.")
@bazel_words("[TARGETS...] [BAZEL FLAGS...]")
def check(
    words: tuple[str, ...],
    codes: tuple[str, ...],
    ignore: tuple[str, ...],
    baseline: str | None,
    target: str | None,
    unsafe_fixes: bool,
    **options: Any,
) -> int:
    """Find what is wrong or in vain: in rc files, settings, repositories, versions.

    Tells everything that Bazel would refuse of the TARGETS (by default: of the workspace) under
    the flags, and what it would not refuse but should. A comment `# bazelscope: ignore[BZS101]`
    on a line waives a finding there. docs/findings.md explains each code.

    \b
      bazelscope check
      bazelscope check //tensorflow/tools/pip_package:wheel --config=cuda
      bazelscope check --codes BZS1 --format github
      bazelscope check --format json > known.json
      bazelscope check --baseline known.json
      bazelscope check --for 9.1.0
      bazelscope check --format patch | git apply
    """
    session = Session(**options)
    from bazelscope.check.selection import read_baseline

    known = read_baseline(_text_of(baseline), baseline) if baseline is not None else None
    asked = session.ask(words)
    answer = asked.check(codes=codes, ignore=ignore, baseline=known, target=target)
    form = options["form"]
    if form == "sarif":
        from bazelscope.check.sarif import to_sarif

        session.write(to_sarif(answer, __version__))
    elif form == "github":
        from bazelscope.check.annotations import to_annotations

        session.write_data(to_annotations(answer))
    elif form == "patch":
        session.write_data(asked.patch(answer, also_unsafe=unsafe_fixes))
        unsafe = sum(not fix.is_safe for fix in answer.fixes(also_unsafe=True))
        if unsafe and not unsafe_fixes:
            text = f"{unsafe} more findings have fixes that may change builds: --unsafe-fixes"
            click.echo(text, err=True)
    else:
        from bazelscope.check.text import findings_document

        session.show("check", answer, findings_document)
    session.tell_of(answer.left_out)  # All else that is wrong is a finding.
    return answer.exit_code


def _text_of(path: str) -> str:
    from bazelscope.base.paths import read_file

    try:
        return read_file(path).decode("utf-8")
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "no UTF-8"
        raise click.UsageError(f"cannot read the baseline `{path}`: {why}") from error


COMMANDS: tuple[click.Command, ...] = (check,)
