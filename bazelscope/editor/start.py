"""Starts the language server on standard input and output."""

from __future__ import annotations

import gc
import logging
import sys
from collections.abc import Mapping
from pathlib import Path

from bazelscope.base.errors import Diagnostic, UsageError
from bazelscope.editor.features import register
from bazelscope.editor.server import EditorServer
from bazelscope.editor.settings import ClientSettings

_COLLECTOR_THRESHOLDS = (50_000, 10, 10)
"""A server makes garbage in cycles for days, which a run of one answer need not look for."""


def serve(
    settings: ClientSettings,
    environment: Mapping[str, str],
    cache_dir: Path,
    host: str,
    log: Path | None = None,
) -> None:
    """Answers one client until it leaves. Nothing but messages goes to standard output; `log` gets
    what is asked and what goes wrong. Raises `UsageError` if it cannot be written."""
    if log is None:
        logging.disable(logging.CRITICAL)
    else:
        try:
            logging.basicConfig(filename=log, level=logging.INFO, format="%(asctime)s %(message)s")
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or str(error)
            message = f"cannot write the log `{log}`: {why}"
            raise UsageError(Diagnostic("unwritable-log", message)) from error
        logging.raiseExceptions = False  # A disk may be full: the editor is answered all the same.
    gc.set_threshold(*_COLLECTOR_THRESHOLDS)
    server = EditorServer(settings, environment, cache_dir, host)
    register(server)
    messages = sys.stdout.buffer
    sys.stdout = sys.stderr  # What anything prints would end up between two messages.
    server.start_io(sys.stdin.buffer, messages)
