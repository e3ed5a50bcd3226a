"""Shell completion: the command that prints a shell's script, and the one that the script calls.

A completion never says anything but candidates: whatever is wrong with a workspace, it then has
fewer of them. It is done within the time in which a person does not notice it.
"""

from __future__ import annotations

import sys
from pathlib import Path

import click

SHELLS = ("bash", "zsh", "fish")


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
def completion(shell: str) -> int:
    """Print the script that completes targets, configs, flags and commands in a shell.

    \b
      source <(bazelscope completion bash)        in ~/.bashrc
      source <(bazelscope completion zsh)         in ~/.zshrc, behind compinit
      bazelscope completion fish | source         in ~/.config/fish/config.fish

    Completion gives up after 0.25 s of work and offers only names that it can find quickly;
    BAZELSCOPE_COMPLETION_SECONDS=1 waits longer.
    """
    script = Path(__file__).with_name(f"bazelscope.{shell}")
    click.echo(script.read_text(encoding="utf-8"), nl=False)
    return 0


@click.command(hidden=True, context_settings={"ignore_unknown_options": True})
@click.argument("shell", type=click.Choice(SHELLS))
@click.argument("line", type=click.UNPROCESSED)
@click.argument("word_breaks", default="", type=click.UNPROCESSED)
@click.pass_context
def complete(context: click.Context, shell: str, line: str, word_breaks: str) -> int:
    """Answer a completion script: LINE is the command line up to the cursor."""
    from bazelscope.cli.completion.candidates import find_candidates
    from bazelscope.cli.completion.shells import written
    from bazelscope.cli.completion.typed_line import split

    group = context.find_root().command
    assert isinstance(group, click.Group)
    typed = split(line)
    try:
        candidates = find_candidates(group, context, typed)
    except Exception:  # A broken workspace has no candidates; nobody reads errors here.
        return 0
    sys.stdout.write(written(shell, typed, candidates, word_breaks))
    return 0


COMMANDS: tuple[click.Command, ...] = (completion, complete)
