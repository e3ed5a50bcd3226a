"""The command `mod`: the module graph, as `bazel mod` shows it."""

from __future__ import annotations

from typing import Any

import click

from bazelscope.cli.bazel_line import BazelLine, bazel_words, workspace_options
from bazelscope.cli.session import EXIT_CODES, Session


@click.command(cls=BazelLine, epilog=EXIT_CODES)
@workspace_options
@bazel_words("SUBCOMMAND [NAMES...] [BAZEL FLAGS...]")
def mod(words: tuple[str, ...], **options: Any) -> int:
    """Show the module graph, as `bazel mod` does, with the places and causes of each version.

    Subcommands: graph, deps, path, all_paths, explain, show_repo, show_extension,
    dump_repo_mapping, tidy. A module is NAME, NAME@VERSION, @APPARENT, @@CANONICAL or <root>.
    tidy tells what Bazel would change in use_repo(), and changes nothing.
    Bazel's options count: --output=text, json or graph, --verbose, --depth, --from,
    --base_module, --include_unused, --include_builtin, --extension_info, --charset;
    with show_repo, --all_repos and --all_visible_repos.

    \b
      bazelscope mod graph --depth=1
      bazelscope mod explain rules_cc
      bazelscope mod path abseil-cpp --verbose
      bazelscope mod show_extension @rules_python//python/extensions:pip.bzl%pip
      bazelscope mod dump_repo_mapping ""
    """
    session = Session(**options)
    asked = session.ask(words, "mod")
    from bazelscope.base.nearest import did_you_mean
    from bazelscope.questions.mod.formats import to_format
    from bazelscope.questions.mod.options import SUBCOMMANDS, ModOptions
    from bazelscope.questions.mod.text import modules_document

    names = asked.names
    if not names or names[0] not in SUBCOMMANDS:
        given = f", not `{names[0]}`" if names else ""
        hint = did_you_mean(names[0], SUBCOMMANDS) if names else None
        raise click.UsageError(
            f"expected one of {', '.join(SUBCOMMANDS)}{given}{f': {hint}' if hint else ''}"
        )
    chosen = ModOptions.of(names[0], asked.flags.values, asked.workspace.release)
    answer = asked.mod(names[0], *names[1:])
    data = None
    if not session.is_json:
        data = to_format(answer, chosen.output, chosen.extension_info, chosen.is_verbose)
    if data is not None:
        session.write_data(data)
        return session.close(answer)
    return session.tell(
        "mod",
        answer,
        lambda one, full: modules_document(
            one, full, chosen.charset, chosen.is_verbose, chosen.extension_info
        ),
    )


COMMANDS: tuple[click.Command, ...] = (mod,)
