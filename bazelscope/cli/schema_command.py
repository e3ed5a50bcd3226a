"""The command `schema`: what `--format json` prints, for programs."""

from __future__ import annotations

import click

from bazelscope.cli.session import EXIT_ANSWERED, EXIT_CODES


@click.command(epilog=EXIT_CODES)
def schema() -> int:
    """Print the JSON Schema of every answer that --format json prints.

    docs/json.md says what stands around each answer, and what --format jsonl does with long
    ones.

    \b
      bazelscope schema > bazelscope.schema.json
    """
    from bazelscope.json_format.answer_schema import shipped_schema

    click.echo(shipped_schema(), nl=False)
    return EXIT_ANSWERED


COMMANDS = (schema,)
