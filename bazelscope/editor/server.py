"""The language server: requests of an editor become questions, and answers what it shows.

The loop that reads messages answers nothing itself: texts and questions go to one thread that
works on them in order (`work`), so typing is never held up. A request carries the text that it
is about; one that was cancelled is not begun, or ends at its next step.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import os
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import CancelledError, Future
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcParseError
from pygls.lsp.server import LanguageServer

from bazelscope import __version__
from bazelscope.base.budget import GIVEN_UP, Budget
from bazelscope.base.errors import BazelscopeError, UsageError, innermost_place
from bazelscope.base.source import SourceFile
from bazelscope.editor.apart import MOST, Apart, Tell, can_fork
from bazelscope.editor.file_kinds import TextKind, kind_of
from bazelscope.editor.problems import problems
from bazelscope.editor.protocol import (
    INVALID_PARAMS,
    REQUEST_FAILED,
    Places,
    Protocol,
    RequestFailedError,
    path_of,
)
from bazelscope.editor.references import read_ahead
from bazelscope.editor.settings import ClientSettings
from bazelscope.editor.state import EditorState
from bazelscope.editor.texts import Units, offset_at
from bazelscope.editor.work import Worker
from bazelscope.editor.workspaces import Workspaces

_T = TypeVar("_T")

logger = logging.getLogger(__name__)

_CANCELLED = -32800
_SETTLE = 0.2
"""Seconds without typing after which a file's problems are told anew."""
_OVER = object()


class EditorServer(LanguageServer):
    """The server of one editor; `settings` are those of the command line, which the client's
    add to."""

    def __init__(
        self,
        settings: ClientSettings,
        environment: Mapping[str, str],
        cache_dir: Path | None,
        host: str,
    ) -> None:
        super().__init__("bazelscope", __version__, protocol_cls=Protocol)
        self.own_settings = settings
        self.workspaces = Workspaces(settings, environment, cache_dir, host)
        self.worker = Worker(self._note)
        self.loop: asyncio.AbstractEventLoop | None = None
        self.given_at_start: object = None
        """The client's `initializationOptions`."""
        self._pending: dict[str, asyncio.TimerHandle] = {}
        self._apart = asyncio.Semaphore(MOST)
        self._is_frozen = False
        self._newest: dict[str, str] = {}
        """By URI: the last text that the client has shown."""

    # ---- What is asked

    async def ask(
        self,
        uri: str | None,
        question: Callable[[EditorState, Places], _T],
        *,
        at_once: bool = True,
    ) -> _T:
        """The answer to a question about the workspace of a file (None: the editor's folder);
        `at_once`: rather of what was evaluated before an edit than late. Raises
        `RequestFailedError`."""
        path, text = self._shown(uri)
        account: list[Budget] = []

        def work() -> _T:
            state = self._taken_in(path, text)
            with state.asking() as budget:
                account.append(budget)
                places = Places(state, self.units)
                if path is None or not at_once:
                    return question(state, places)
                return state.at_once(state.shown_path(path), lambda: question(state, places))

        future = self.worker.ask(work)
        try:
            return await asyncio.wrap_future(future)
        except asyncio.CancelledError:
            for budget in account:
                budget.give_up()
            raise
        except BazelscopeError as error:
            raise _refused(error) from None
        except (RequestFailedError, CancelledError):
            raise
        except Exception as error:
            raise self._faulty(error) from None

    async def ask_apart(
        self, uri: str | None, question: Callable[[EditorState], dict[str, Any]], tell: Tell
    ) -> dict[str, Any]:
        """The answer to a question that may take long: found by a process of its own, so that it
        holds up nothing. Raises `RequestFailedError`."""
        if not can_fork():
            return await self.ask(uri, lambda state, _: question(state), at_once=False)
        path, text = self._shown(uri)

        def begin() -> Apart:
            state = self._taken_in(path, text)

            def asked() -> dict[str, Any]:
                with state.asking():
                    return question(state)

            return Apart(asked, state.keep)

        async with self._apart:
            beginning = self.worker.ask(begin)
            try:
                return await (await asyncio.wrap_future(beginning)).answer(tell)
            except asyncio.CancelledError:
                if not beginning.cancelled():
                    beginning.add_done_callback(_end)
                raise
            except BazelscopeError as error:
                raise _refused(error) from None

    async def ask_at(
        self,
        uri: str,
        position: types.Position,
        question: Callable[[EditorState, Places, SourceFile, int], _T],
    ) -> _T:
        """The answer to a question about a place in a file."""

        def at(state: EditorState, places: Places) -> _T:
            source = self.source(state, uri)
            offset = offset_at(source, position.line, position.character, self.units)
            if offset is None:
                where = f"line {position.line}, character {position.character}"
                raise RequestFailedError(
                    f"the position ({where}) is not in the text", INVALID_PARAMS
                )
            return question(state, places, source, offset)

        return await self.ask(uri, at)

    def source(self, state: EditorState, uri: str) -> SourceFile:
        """The text behind a URI. Raises `RequestFailedError`."""
        source = state.source(state.shown_path(self._path(uri)))
        if source is None:
            raise RequestFailedError(f"`{uri}` cannot be read", INVALID_PARAMS)
        return source

    @property
    def units(self) -> Units:
        """What the client counts characters in."""
        return Units(str(getattr(self._encoding, "value", self._encoding)))

    @property
    def _encoding(self) -> object:
        return self.workspace.position_encoding or types.PositionEncodingKind.Utf16

    @staticmethod
    def _path(uri: str) -> str:
        path = path_of(uri)
        if path is None:
            raise RequestFailedError(f"`{uri}` names no file of this machine", INVALID_PARAMS)
        return path

    def _shown(self, uri: str | None) -> tuple[str | None, str | None]:
        """The path of a file, and what the client shows of it."""
        return (None, None) if uri is None else (self._path(uri), self._text(uri))

    def _text(self, uri: str) -> str | None:
        """What the client shows of a file; None for one that it has not opened."""
        document = self.workspace.text_documents.get(uri)
        return document.source if document is not None else None

    def _taken_in(self, path: str | None, text: str | None) -> EditorState:
        if path is None or text is None:
            return self.workspaces.state_of(path)
        return self.workspaces.edit(path, text)

    # ---- What the editor does

    def begin(self) -> None:
        """The client is ready."""
        self.loop = asyncio.get_running_loop()

    def show(self, uri: str) -> None:
        """Takes in what the client shows of a file, unless newer text comes before that is done,
        and tells what is wrong with it once typing stops for a moment."""
        path, document = path_of(uri), self.workspace.text_documents.get(uri)
        if path is None or document is None:
            return
        text: str = document.source
        self._newest[uri] = text

        def take_in() -> None:
            if self._newest.get(uri) is text:
                self.workspaces.edit(path, text)

        self.worker.ask(take_in)
        self._once_settled(uri, lambda: self._settled(uri))

    def _once_settled(self, uri: str, work: Callable[[], None]) -> None:
        """Does something once nothing of that URI has come for a moment."""
        self._cancel(uri)
        self.begin()
        assert self.loop is not None
        self._pending[uri] = self.loop.call_later(_SETTLE, work)

    def _cancel(self, uri: str) -> None:
        pending = self._pending.pop(uri, None)
        if pending is not None:
            pending.cancel()

    def _settled(self, uri: str) -> None:
        self._pending.pop(uri, None)
        self.tell_problems(uri)
        if kind_of(uri) is not TextKind.BUILD:
            # Other files may load it, or mean something else by it: theirs are told after.
            for other in self.workspace.text_documents:
                if other != uri:
                    self.tell_problems(other)
        self.count_selects(uri)

    def tell_problems(self, uri: str) -> None:
        """Tells what is wrong with a file that the client shows."""
        path, document = path_of(uri), self.workspace.text_documents.get(uri)
        if path is None or document is None:
            return
        text, number = document.source, document.version

        def steps() -> Iterator[None]:
            state = self.workspaces.edit(path, text)
            yield
            with state.asking(self.worker.is_waited_for):
                source = self.source(state, uri)
                places = Places(state, self.units)
                open_problems = problems(state, source.path)
                told = [places.diagnostic(one, source) for one in open_problems]
            self._publish(uri, told, number)

        self.worker.in_background(f"problems {uri}", steps)

    def count_selects(self, uri: str | None) -> None:
        """Counts, while nobody asks, which select()s turn on what in the workspace of a file, and
        reads what its files say; then keeps what was evaluated for later runs, and has the client
        ask for code lenses anew."""
        path = path_of(uri) if uri is not None else None

        def steps() -> Iterator[None]:
            state = self.workspaces.state_of(path)
            with state.asking():
                loader = state.build.loader
                counting = chain(state.select_uses.count(loader), read_ahead(state))
            is_over = False
            while not is_over:
                yield
                try:
                    with state.asking(self.worker.is_waited_for):
                        if state.build.loader is not loader:
                            return  # Whoever changed so much has it counted anew.
                        is_over = next(counting, _OVER) is _OVER
                except BazelscopeError:
                    state.settle()
                    raise
            state.settle()
            state.keep()
            if not self._is_frozen:
                # What a workspace is made of stays: to look through it again and again for
                # garbage would take longer than most answers.
                self._is_frozen = True
                gc.collect()
                gc.freeze()
            self._refresh_lenses()

        self.worker.in_background("selects", steps)

    def _refresh_lenses(self) -> None:
        client = self.client_capabilities.workspace
        lens = client.code_lens if client is not None else None
        if lens is not None and lens.refresh_support and self.loop is not None:
            self.loop.call_soon_threadsafe(self.workspace_code_lens_refresh, None)

    def hide(self, uri: str) -> None:
        """The client has closed a file."""
        self._cancel(uri)
        self._newest.pop(uri, None)
        path = path_of(uri)
        if path is not None:
            self.worker.ask(lambda: self.workspaces.close(path))
            self._publish(uri, [], None)
            self.count_selects(uri)

    def saved(self, uri: str) -> None:
        """The client has written a file."""
        path = path_of(uri)
        if path is not None:
            self.worker.ask(lambda: self.workspaces.state_of(path).saved(path))
            self.show(uri)

    def files_changed(self) -> None:
        """Files have come, gone or changed that the client does not show: what is asked next looks
        at all of them anew. Problems are told once no more such news comes for a moment."""

        def work() -> None:
            for state in self.workspaces.states():
                state.files_changed()

        self.worker.ask(work)
        self._once_settled("", self.look_again)

    def look_again(self) -> None:
        """Tells the problems of all texts anew."""
        self._pending.pop("", None)
        for uri in tuple(self.workspace.text_documents):
            self.tell_problems(uri)
        self.count_selects(next(iter(self.workspace.text_documents), None))

    def configure(self, given: object) -> None:
        """Takes the client's settings; what is wrong with them is shown to the user."""
        try:
            settings = self.own_settings.changed_by(given)
        except UsageError as error:
            self._show_message(error.diagnostic.message)
            return
        self.worker.ask(lambda: self.workspaces.configure(settings))
        self.look_again()

    def _publish(self, uri: str, told: list[types.Diagnostic], number: int | None) -> None:
        """Sends diagnostics; by the loop, since two threads must not write at once."""
        params = types.PublishDiagnosticsParams(uri, told, number)
        if self.loop is not None:
            self.loop.call_soon_threadsafe(self.text_document_publish_diagnostics, params)

    # ---- What goes wrong

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Nothing but a sentence reaches the client."""
        logger.warning("%s", error)
        is_parsing = source is JsonRpcException and isinstance(error, ValueError | RecursionError)
        if is_parsing and isinstance(self.protocol, Protocol):
            self.protocol.refuse(JsonRpcParseError("a message is not JSON in UTF-8"))

    def _show_message(self, text: str) -> None:
        params = types.ShowMessageParams(types.MessageType.Error, f"bazelscope: {text}")
        self.window_show_message(params)

    def _note(self, error: BaseException) -> None:
        """Notes what went wrong with work that nobody waits for."""
        if isinstance(error, BazelscopeError | RequestFailedError):
            logger.info("%s", error)
        elif isinstance(error, Exception):
            self._faulty(error)

    @staticmethod
    def _faulty(error: Exception) -> RequestFailedError:
        if os.environ.get("BAZELSCOPE_TRACEBACK"):
            logger.error("an error of bazelscope", exc_info=error)
        message = f"an error of bazelscope, please report: {type(error).__name__}: {error}"
        logger.error("%s%s", message, innermost_place(error))
        return RequestFailedError(f"{message}{innermost_place(error)}", REQUEST_FAILED)


def _end(begun: Future[Apart]) -> None:
    """Ends a process that was begun when nobody waited for it any more."""
    if begun.exception() is None:
        begun.result().end()


def _refused(error: BazelscopeError) -> RequestFailedError:
    diagnostic = error.diagnostic
    if diagnostic.code == GIVEN_UP:
        return RequestFailedError(diagnostic.message, _CANCELLED)
    hint = f" ({diagnostic.hint})" if diagnostic.hint else ""
    return RequestFailedError(f"{diagnostic.message}{hint}", REQUEST_FAILED)
