"""Starts the language server on standard input and output."""

from __future__ import annotations

import gc
import io
import logging
import re
import sys
from collections.abc import Mapping
from pathlib import Path

from bazelscope.base.errors import Diagnostic, UsageError
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.editor.features import register
from bazelscope.editor.server import EditorServer
from bazelscope.editor.settings import ClientSettings

_COLLECTOR_THRESHOLDS = (50_000, 10, 10)
"""A server makes garbage in cycles for days, which a run of one answer need not look for."""
_LENGTH = lazy_pattern(rb"content-length:[ \t]*(\d+)[ \t]*\r?\n", re.IGNORECASE)
_LONGEST_LINE = 1 << 16
_LARGEST = 256 << 20
"""So many bytes of one message are read: a longer one has no sense, and would be waited for."""

logger = logging.getLogger(__name__)


class ClientInput(io.BufferedReader):
    """What the client sends, with the length of each message written as pygls looks for it."""

    def readline(self, size: int | None = -1) -> bytes:
        line = super().readline(_LONGEST_LINE)
        length = _LENGTH.fullmatch(line)
        if length is None:
            return line
        if len(length[1]) > 12 or int(length[1]) > _LARGEST:
            logger.warning("a message of %s bytes is too large", length[1].decode())
            return b"Content-Length: too large\r\n"
        return b"Content-Length: %b\r\n" % length[1]


def serve(
    settings: ClientSettings,
    environment: Mapping[str, str],
    cache_dir: Path,
    host: str,
    log: Path | None,
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
    server.start_io(ClientInput(io.FileIO(sys.stdin.fileno(), closefd=False)), messages)
