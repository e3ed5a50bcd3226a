"""What a terminal shows of a run: its width and colors, the line of progress, the pager.

Start-up imports click and nothing else: whatever a run needs is imported when it does.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from bazelscope.base.errors import Diagnostic
    from bazelscope.base.phases import Listener
    from bazelscope.render.diagnostics import ReadSource
    from bazelscope.render.document import Document
_USUAL_WIDTH = 80
_PROGRESS = "bazelscope.progress"
"""Where click's context keeps the line of progress."""


def listen(context: click.Context, trace: str | None) -> None:
    """Tells a terminal, and the file `trace`, what this run is doing until it ends."""
    listeners: list[Listener] = []
    if trace is not None:
        from bazelscope.render.trace import Trace

        taken = Trace()
        listeners.append(taken)
        context.call_on_close(lambda: _write_trace(trace, taken.text()))
    if sys.stderr.isatty():
        from bazelscope.render.progress import ProgressLine

        # Not what takes note of the answer.
        line = ProgressLine(sys.__stderr__ or sys.stderr)
        line.tick()
        listeners.append(line)
        context.meta[_PROGRESS] = line
        context.call_on_close(line.close)
    if listeners:
        from bazelscope.base.phases import phase, told_to

        context.with_resource(told_to(listeners))
        context.with_resource(phase("looking for the answer"))


def _write_trace(file: str, text: str) -> None:
    try:
        Path(file).write_text(text, encoding="utf-8")
    except (OSError, ValueError) as error:
        click.echo(f"warning: cannot write the trace `{file}`: {error}", err=True)


def clear_progress() -> None:
    """Wipes the line of progress out before anything else is written, for good."""
    context = click.get_current_context(silent=True)
    line = context.meta.get(_PROGRESS) if context is not None else None
    if line is not None:
        line.close()


def print_diagnostics(
    diagnostics: Sequence[Diagnostic],
    read: ReadSource | None,
    color: bool | None = None,
    full: bool = False,
) -> None:
    """Prints diagnostics on standard error."""
    from bazelscope.render.diagnostics import add_diagnostics, no_source
    from bazelscope.render.document import Document

    if diagnostics:
        document = Document()
        add_diagnostics(document, diagnostics, read or no_source, full)
        sys.stdout.flush()
        clear_progress()
        gap = "\n" if sys.stdout.isatty() and sys.stderr.isatty() else ""
        sys.stderr.write(gap + text_for(document, sys.stderr, color))


def paged(data: bytes, root: Path) -> bool:
    from bazelscope.cli import pager

    return pager.wants_pager(data) and pager.show(data, root)


def text_for(document: Document, stream: Any, color: bool | None, root: Path | None = None) -> str:
    from bazelscope.render.console import to_text

    is_terminal = stream.isatty()
    width = _width(stream) if is_terminal else None
    if color is None:
        color = is_terminal and os.environ.get("TERM") != "dumb"
        if os.environ.get("NO_COLOR"):
            color = False
    link = None
    if root is not None and is_terminal and color:
        from bazelscope.render import hyperlinks

        if hyperlinks.shows_links(os.environ):
            link = hyperlinks.links_below(root, os.environ)
    return to_text(document, width, color, link)


def _width(terminal: Any) -> int:
    """The columns of a terminal, as `COLUMNS` or the terminal itself says."""
    given = os.environ.get("COLUMNS", "")
    if given.isascii() and given.isdigit() and int(given[:9]) > 0:
        return int(given[:9])
    try:
        return os.get_terminal_size(terminal.fileno()).columns or _USUAL_WIDTH
    except OSError:
        return _USUAL_WIDTH
