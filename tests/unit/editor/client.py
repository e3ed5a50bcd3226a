"""pytest-lsp's client and a server of its own, for as long as a test talks to it."""

from __future__ import annotations

import asyncio
import concurrent.futures
import os
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pygls")
pytest_lsp = pytest.importorskip("pytest_lsp")

from lsprotocol import types  # noqa: E402

from bazelscope.editor.protocol import plain  # noqa: E402
from tests.support.parts import CHECKOUT  # noqa: E402

SECONDS = 60
"""The longest that an answer may take on a busy machine."""


CACHE = str(Path(tempfile.gettempdir(), f"bazelscope-editor-tests-{os.getuid()}"))
"""The parser's tables, which take seconds to build, are kept from test to test."""


class Client:
    """One editor with one server."""

    def __init__(self, lsp: Any, root: Path) -> None:
        self.lsp = lsp
        self.root = root
        self._versions: dict[str, int] = {}

    def uri(self, path: str) -> str:
        return (self.root / path).as_uri()

    def id(self, path: str) -> types.TextDocumentIdentifier:
        return types.TextDocumentIdentifier(self.uri(path))

    def open(self, path: str, text: str | None = None) -> None:
        shown = (self.root / path).read_text() if text is None else text
        item = types.TextDocumentItem(self.uri(path), "bazel", 1, shown)
        self._versions[path] = 1
        self.lsp.text_document_did_open(types.DidOpenTextDocumentParams(item))

    def type(self, path: str, text: str) -> None:
        self._versions[path] += 1
        self.lsp.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(self._versions[path], self.uri(path)),
                [types.TextDocumentContentChangeWholeDocument(text)],
            )
        )

    async def hover(self, path: str, line: int, character: int) -> str | None:
        params = types.HoverParams(self.id(path), types.Position(line, character))
        found = await asyncio.wait_for(self.lsp.text_document_hover_async(params), SECONDS)
        return None if found is None else found.contents.value

    async def diagnostics(self, path: str) -> list[types.Diagnostic]:
        """The next that the server tells of a file."""
        method = types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS
        while True:
            told = await asyncio.wait_for(self.lsp.wait_for_notification(method), SECONDS)
            if told.uri == self.uri(path):
                return list(told.diagnostics)

    def send(self, message: object) -> None:
        """Sends something that need not be a message."""
        self.lsp.protocol._send_data(message)

    def expect(self, number: str) -> Any:
        """The answer to a request of that number, which is to be sent by hand."""
        future: concurrent.futures.Future[Any] = concurrent.futures.Future()
        self.lsp.protocol._request_futures[number] = future
        self.lsp.protocol._result_types[number] = None
        return asyncio.wait_for(asyncio.wrap_future(future), SECONDS)

    async def ask(self, method: str, params: object) -> Any:
        """The answer to a request of any kind, with its members as a dictionary."""
        asked = self.lsp.protocol.send_request_async(method, params)
        found = await asyncio.wait_for(asked, SECONDS)
        return plain(found)


@asynccontextmanager
async def editing(root: Path, *words: str, options: object = None) -> AsyncIterator[Client]:
    """A client of a server that was started with some words and initialization options."""
    lsp = pytest_lsp.make_test_lsp_client()
    await lsp.start_io(
        sys.executable, "-m", "bazelscope", "lsp", "--cache-dir", CACHE, *words, cwd=str(CHECKOUT)
    )
    try:
        await lsp.initialize_session(
            types.InitializeParams(
                capabilities=types.ClientCapabilities(),
                root_uri=root.as_uri(),
                initialization_options=options,
            )
        )
        yield Client(lsp, root)
        await asyncio.wait_for(lsp.shutdown_session(), SECONDS)
    except BaseException:
        lsp._server.kill()
        raise
    await asyncio.wait_for(lsp.stop(), SECONDS)
