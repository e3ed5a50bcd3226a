"""Between the types of the Language Server Protocol and ours; rubbish ends here."""

from __future__ import annotations

import logging
import os.path
from collections.abc import Iterable, Iterator, Sequence
from types import ModuleType
from typing import Any
from urllib.parse import SplitResult, unquote, urlsplit

from lsprotocol import types
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcServerNotInitialized,
)
from pygls.protocol import LanguageServerProtocol
from pygls.protocol.json_rpc import JsonRPCNotification, JsonRPCRequestMessage
from pygls.uris import from_fs_path

from bazelscope.base.errors import Note, Severity
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.base.source import Location, SourceFile, Span
from bazelscope.check.finding import Finding, FindingCause, FindingSeverity
from bazelscope.editor.problems import Problem
from bazelscope.editor.state import EditorState
from bazelscope.editor.texts import Units

logger = logging.getLogger(__name__)

REQUEST_FAILED = -32803
"""The question was understood and has no answer (LSP: `RequestFailed`)."""
INVALID_PARAMS = -32602
_OWN = "bazelscope/"
_IGNORED = "$/ignored"


class RequestFailedError(JsonRpcException):
    """A request without an answer; the client sees the sentence and nothing else."""

    CODE = REQUEST_FAILED


class Protocol(LanguageServerProtocol):
    """pygls's protocol, where a message that is none gets an error in one sentence."""

    def structure_message(self, data: dict[str, Any]) -> Any:
        """The message; one that is ignored where it has no sense."""
        if "jsonrpc" not in data:
            return data  # A part of a message.
        if not isinstance(data.get("method", ""), str):
            return self._refused(data.get("id"), JsonRpcInvalidRequest("`method` is not a string"))
        if not isinstance(data.get("id", 0), int | str):
            return self._refused(None, JsonRpcInvalidRequest("`id` is no number and no string"))
        if data.get("method", "").startswith(_OWN) and isinstance(data.get("id"), int | str):
            # As they are: pygls would rename members such as `from`.
            return JsonRPCRequestMessage(
                data["id"], data["method"], str(data.get("jsonrpc")), data.get("params")
            )
        wrong_uri = next((uri for uri in _uris_in(data.get("params")) if _parts(uri) is None), None)
        if wrong_uri is not None:
            return self._refused(data.get("id"), JsonRpcInvalidParams(f"`{wrong_uri}` is no URI"))
        try:
            message = super().structure_message(data)
        except Exception:
            # pygls and cattrs raise what they like at a message that is none, and an editor may
            # send anything: whatever it is, the sender is told, and the server lives on.
            method = data.get("method")
            wrong = JsonRpcInvalidParams(f"`{method}` was sent with parameters of a wrong kind")
            return self._refused(data.get("id") if method is not None else None, wrong)
        return message

    def _refused(self, number: object, error: JsonRpcException) -> JsonRPCNotification:
        """Tells the sender of a request that it is none; what stands for it does nothing."""
        if isinstance(number, int | str):
            self._send_response(number, error=error.to_response_error())
        return JsonRPCNotification(method=_IGNORED, jsonrpc="2.0", params=None)

    def handle_message(self, message: Any) -> None:
        if message is None or isinstance(message, dict | list | str | int | float):
            self.refuse(JsonRpcInvalidRequest("a message is no object of JSON-RPC 2.0"))
            return
        super().handle_message(message)

    def refuse(self, error: JsonRpcException) -> None:
        """Tells the sender of what is no message."""
        wrong = {"code": error.code, "message": error.message}
        self._send_data({"jsonrpc": "2.0", "id": None, "error": wrong})

    def _handle_request(self, msg_id: int | str, method_name: str, params: Any) -> None:
        if self._workspace is None and method_name != types.INITIALIZE:
            early = JsonRpcServerNotInitialized(f"`{method_name}` was sent before `initialize`")
            self._send_response(msg_id, error=early.to_response_error())
            return
        super()._handle_request(msg_id, method_name, params)

    def _handle_notification(self, method_name: str, params: Any) -> None:
        if self._workspace is None and method_name != types.EXIT:
            return  # The protocol has all notifications before `initialize` dropped.
        super()._handle_notification(method_name, params)
        # pygls keeps what was made for a notification, and an editor sends one for each key.
        done = [key for key, future in self._request_futures.items() if future.done()]
        for key in done:
            self._request_futures.pop(key, None)


def _uris_in(params: object) -> Iterator[str]:
    """The URIs of a message that pygls itself takes apart: of folders and of documents."""
    if not isinstance(params, dict):
        return
    folders = params.get("workspaceFolders")
    named = [params.get("textDocument"), *(folders if isinstance(folders, list) else ())]
    uris = [params.get("rootUri"), *(one.get("uri") for one in named if isinstance(one, dict))]
    yield from (uri for uri in uris if isinstance(uri, str))


def _parts(uri: str) -> SplitResult | None:
    """The parts of a URI; None where it is none."""
    try:
        return urlsplit(uri)
    except ValueError:
        return None


_DRIVE = lazy_pattern(r"/[A-Za-z]:")


def path_of(uri: str, rules: ModuleType = os.path) -> str | None:
    """The absolute path of a file's URI; None for one that names no file of this machine. `rules`:
    `posixpath` or `ntpath`, as the system has it."""
    parts = _parts(uri)
    if parts is None:
        return None
    if parts.scheme != "file" or parts.netloc not in ("", "localhost") or not parts.path:
        return None
    path = unquote(parts.path, errors="surrogateescape")
    if rules.sep == "\\" and _DRIVE.match(path):
        path = path[1:]
    normal: str = rules.normpath(path)
    return None if "\0" in path else normal


def uri_of(path: str) -> str:
    """The URI of a file."""
    uri: str | None = from_fs_path(path)
    return uri or ""


class Places:
    """Turns our places into the client's, for one state; texts are read as far as they are
    needed, since columns of the protocol are not characters."""

    def __init__(self, state: EditorState, units: Units) -> None:
        self._state = state
        self._units = units

    def position(self, source: SourceFile | None, line: int, column: int) -> types.Position:
        """The position of a column, counted from 1 as everywhere here."""
        text = source.line(line) if source is not None else ""
        before = text[: column - 1]
        width = self._units.width(before) if len(before) == column - 1 else column - 1
        return types.Position(max(line - 1, 0), width)

    def range(self, span: Span, source: SourceFile | None = None) -> types.Range:
        """The range of a span in the text that it counts lines of."""
        text = source if source is not None else self._state.source(span.path)
        return types.Range(
            self.position(text, span.line, span.column),
            self.position(text, span.end_line, span.end_column),
        )

    def location(self, place: Location | Span) -> types.Location | None:
        """A place in a file; None where that is no file of this machine."""
        path = self._state.absolute_path(place.path)
        if path is None:
            return None
        if isinstance(place, Location):
            place = Span(*place, place.line, place.column)
        return types.Location(uri_of(path), self.range(place))

    def locations(self, places: Iterable[Location | Span]) -> list[types.Location]:
        """Those of some places that are in files of this machine."""
        shown = (self.location(place) for place in places)
        return [place for place in shown if place is not None]

    def diagnostic(self, problem: Problem, source: SourceFile) -> types.Diagnostic:
        """A finding, or a diagnostic of ours; its causes are told where they stand."""
        notes: Sequence[Note | FindingCause]
        if isinstance(problem, Finding):
            notes, more = problem.causes, problem.remedy
        else:
            notes, more = problem.notes, f"hint: {problem.hint}" if problem.hint else ""
        related = []
        for note in notes:
            place = self.location(note.span) if note.span is not None else None
            if place is not None:
                related.append(types.DiagnosticRelatedInformation(place, note.message))
        return types.Diagnostic(
            self.range(problem.span or Span(source.path, 1, 1, 1, 2), source),
            f"{problem.message}\n{more}" if more else problem.message,
            _SEVERITIES[problem.severity],
            problem.code,
            source="bazelscope",
            related_information=related or None,
        )


_SEVERITIES: dict[object, types.DiagnosticSeverity] = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    FindingSeverity.ERROR: types.DiagnosticSeverity.Error,
    FindingSeverity.WARNING: types.DiagnosticSeverity.Warning,
    FindingSeverity.NOTE: types.DiagnosticSeverity.Information,
}


def plain(value: Any) -> Any:
    """The parameters of a request of our own as dictionaries, lists and plain values."""
    if hasattr(value, "_asdict"):
        return {name: plain(inner) for name, inner in value._asdict().items()}
    if isinstance(value, dict):
        return {str(name): plain(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    return value
