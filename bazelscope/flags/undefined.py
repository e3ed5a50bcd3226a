"""Why a `--config` is not defined, and who would define it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from bazelscope.base.errors import Diagnostic, Misspelling, Note, Severity
from bazelscope.base.nearest import meaning, nearest
from bazelscope.base.source import Span
from bazelscope.bazel.flag_catalog import Catalog
from bazelscope.flags.expansion import definition_notes, definitions
from bazelscope.flags.flag_values import RcFile
from bazelscope.flags.rc_search import RcFiles
from bazelscope.flags.request import FlagRequest

if TYPE_CHECKING:
    from bazelscope.flags.configure_scripts import ScriptMention


def undefined_config(
    name: str,
    span: Span | None,
    request: FlagRequest,
    rc_files: RcFiles,
    catalog: Catalog,
    writers: Mapping[str, ScriptMention],
) -> Diagnostic:
    """The error for a config that no rc file defines for the running command; `writers` are where
    configure scripts name rc files that are not there.

    It says whether other commands define it, which imports found nothing and what would
    write those files, and which defined names are near.
    """
    elsewhere = definitions(rc_files.sections, name)
    notes = list(definition_notes(elsewhere))
    # A slip of the pen is likelier than a file that is not there yet.
    commands = ("always", "common", *catalog.command_chain(request.command))
    near = nearest(name, rc_files.config_names(commands), 1)
    hint = meaning(near, "`--config={}`")
    if elsewhere:
        shown = ", ".join(f"`{section}`" for section in sorted({c.section for c in elsewhere}))
        hint = f"it is defined for other commands only: {shown}"
    for missing in rc_files.missing:
        mention = writers.get(missing.path)
        message = f"`{missing.path}` could define it, but was not found"
        place = missing.imported_at
        if mention is not None:
            message += f"; `{mention.script}` mentions that file"
            hint = hint or f"run `./{mention.script}` first; it writes `{missing.path}`"
            place = place or mention.place
        if place is not None:
            notes.append(Note(message, place))
    return Diagnostic(
        "undefined-config",
        f"config `{name}` is not defined for `{request.command}` in any rc file",
        span,
        tuple(notes),
        hint,
        misspelling=Misspelling(name, near[0]) if near and not elsewhere else None,
    )


def perhaps_defined(name: str, span: Span | None, left_out: Sequence[RcFile]) -> Diagnostic:
    """The warning about a config that no rc file defines which was read, while some were not."""
    notes = tuple(
        Note(f"`{file.path}` may define it, and was not read", file.imported_at)
        for file in left_out
    )
    message = f"it cannot be told whether the config `{name}` is defined, nor what it sets"
    return Diagnostic("config-not-told", message, span, notes, severity=Severity.WARNING)
