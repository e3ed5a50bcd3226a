"""The command `lsp`."""

from __future__ import annotations

import os
from pathlib import Path

import click

from bazelscope.cli.bazel_line import BazelLine
from bazelscope.cli.session import EXIT_ANSWERED, this_machine

_EXIT_CODES = """\b
Exit codes:
  0   the editor has left
  2   the packages of bazelscope[lsp] are missing, or a bad command line
"""


@click.command(cls=BazelLine, epilog=_EXIT_CODES)
@click.option("-w", "--workspace", metavar="DIR", help="Default: that of the file.")
@click.option("--bazel-version", metavar="VERSION", help="Default: .bazelversion.")
@click.option("--host", metavar="OS[-CPU]", help="Default: this machine.")
@click.option("--cache-dir", metavar="DIR", help="Where parsed files are kept.")
@click.option("--no-cache", is_flag=True, help="Keep nothing between runs.")
@click.option("--log", metavar="FILE", help="Write what is asked and what goes wrong there.")
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="[BAZEL FLAGS...]")
def lsp(
    words: tuple[str, ...],
    workspace: str | None,
    bazel_version: str | None,
    host: str | None,
    cache_dir: str | None,
    no_cache: bool,
    log: str | None,
) -> int:
    """Answer an editor: hover, definitions, references, completion, diagnostics.

    The editor starts it and talks to it over standard input and output (Language Server
    Protocol). The words are the command line that counts, unless the editor's setting
    bazelscope.commandLine says otherwise:

    \b
      bazelscope lsp
      bazelscope lsp --config=mkl

    docs/editor.md tells how to set up VS Code and Neovim. It takes the extra packages of
    bazelscope[lsp].
    """
    try:
        from bazelscope.editor.start import serve
    except ModuleNotFoundError as error:
        if error.name is not None and error.name.partition(".")[0] in ("pygls", "lsprotocol"):
            from bazelscope.base.errors import Diagnostic, UsageError

            missing = f"the language server needs {error.name}, which is not installed"
            hint = "pip install 'bazelscope[lsp]'"
            raise UsageError(Diagnostic("not-installed", missing, hint=hint)) from None
        raise
    from bazelscope.editor.settings import ClientSettings
    from bazelscope.kept.kept_files import default_cache_dir

    settings = ClientSettings(words, workspace, bazel_version, host, cache_dir, no_cache)
    serve(
        settings,
        dict(os.environ),
        Path(default_cache_dir()),
        this_machine(),
        Path(log) if log is not None else None,
    )
    return EXIT_ANSWERED


COMMANDS = (lsp,)
