"""Tells the client of a request how far it is, where the client has asked to be told."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from bazelscope.editor.apart import Tell


@contextmanager
def progress(server: LanguageServer, title: str, token: object) -> Iterator[Tell]:
    """Reports under the `workDoneToken` of a request until what is done inside ends; without one,
    nobody is told. The client may cancel under this token, too."""
    if not isinstance(token, int | str) or isinstance(token, bool):
        yield lambda doing, percent: None
        return
    own = server.work_done_progress
    own.begin(token, types.WorkDoneProgressBegin(title, cancellable=True))
    asking = asyncio.current_task()
    if asking is not None:
        own.tokens[token].add_done_callback(lambda _: asking.cancel())

    def tell(doing: str, percent: int | None) -> None:
        own.report(token, types.WorkDoneProgressReport(message=doing, percentage=percent))

    try:
        yield tell
    finally:
        own.tokens.pop(token, None)
        own.end(token, types.WorkDoneProgressEnd())
