"""Subject of the campaign: what an editor may send to the language server, sense or none.

A text is a session, one message in a line, or, where it begins with `Content-Length`, the bytes
of a stream. Each request that is one has to be answered, and no answer may be a defect of ours.
"""

from __future__ import annotations

import asyncio
import io
import json
import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from tests.hostile.fuzz_inputs import ODD_PIECES, mutated
from tests.hostile.fuzz_questions import OWN_FAULT, WORLD, usual_world
from tests.hostile.fuzz_subjects import (
    LABELS,
    NATIVE_PIECES,
    RC_PIECES,
    RELEASES,
    CrashError,
    Subject,
)

_T = TypeVar("_T")
_ROOT = "file:///ROOT"
"""Stands in texts for the workspace."""
_INTERNAL = -32603
_ODD_TEXTS = tuple(map(json.dumps, (
    None, True, -1, 0, 1 << 31, 1 << 63, 10**30, 1.5, 1e308, "", "a", "file:///", "file://x/y", [],
    {}, [[]], {"uri": None}, "\ud800", "\0", ["a", 1], {"bazelscope": {"commandLine": "'"}},
)))  # fmt: skip
"""Values that few expect, each as JSON, so that no two messages share one."""
_ASKED_AT = ("hover", "definition", "references", "completion")
_ASKED = ("codeLens", "documentSymbol")
_OTHERS = ("shutdown", "workspace/symbol", "textDocument/rename", "$/setTrace", "exit", "nobody",
           "workspace/executeCommand", "textDocument/willSaveWaitUntil")  # fmt: skip


# ---- Messages


def _uri(random: Random) -> str:
    if random.random() < 0.1:
        return random.choice(("", "untitled:1", "file:///etc/passwd", f"{_ROOT}/no/BUILD",
                              f"{_ROOT}/../x", "http://x/BUILD", f"{_ROOT}/p%00/BUILD", _ROOT,
                              f"{_ROOT}/p%ff/BUILD", "file://[/x"))  # fmt: skip
    return f"{_ROOT}/{random.choice(sorted(WORLD))}"


def _position(random: Random) -> dict[str, object]:
    largest = random.choice((2, 10, 10, 10, 40, 1 << 31, 1 << 40))
    return {"line": random.randrange(largest), "character": random.randrange(4 * largest)}


def _text(random: Random, uri: str) -> str:
    usual = WORLD.get(uri.removeprefix(f"{_ROOT}/"), "")
    if random.random() < 0.3:
        return usual
    return mutated(random, [usual, *WORLD.values()], (*NATIVE_PIECES, *RC_PIECES))


def _change(random: Random, uri: str) -> dict[str, object]:
    if random.random() < 0.5:
        return {"text": _text(random, uri)}
    piece = random.choice(random.choice((NATIVE_PIECES, RC_PIECES, ODD_PIECES, ("",))))
    span = {"start": _position(random), "end": _position(random)}
    return {"text": piece, "range": span}


def _odd_values() -> list[object]:
    return [json.loads(text) for text in _ODD_TEXTS]


def _settings(random: Random) -> dict[str, object]:
    values = (*_odd_values(), "--config=a", ["--define=a=1"], *RELEASES, "linux", "../..", 60)
    names = ("commandLine", "workspace", "bazelVersion", "host", "noCache", "maxSeconds")
    return {name: random.choice(values) for name in names if random.random() < 0.3}


def _own(random: Random) -> tuple[str, dict[str, object]]:
    names = ("words", "sections", "rcOnly", "from", "to", "configured", "avoid", "via", "uri")
    values = (*_odd_values(), *LABELS, "//p:a", "//p:b", "//...", ["--config=a"], ["flags"])
    given = {name: random.choice(values) for name in names if random.random() < 0.4}
    if random.random() < 0.5:
        given |= {"from": "//p:a", "to": "//p:b"}
    return random.choice(("explain", "path", "when")), given


def _message(random: Random, number: int) -> dict[str, Any]:
    uri = _uri(random)
    document: dict[str, object] = {"uri": uri}
    kind = random.randrange(12)
    if kind < 5:
        method = f"textDocument/{random.choice(_ASKED_AT)}"
        params: dict[str, object] = {"textDocument": document, "position": _position(random)}
        params["context"] = {"includeDeclaration": random.random() < 0.5, "triggerKind": 1}
        return _request(number, method, params)
    if kind == 5:
        method = f"textDocument/{random.choice(_ASKED)}"
        return _request(number, method, {"textDocument": document})
    if kind == 6:
        method, params = _own(random)
        return _request(number, f"bazelscope/{method}", params)
    if kind == 7:
        changes = [_change(random, uri) for _ in range(random.choice((1, 1, 2, 5)))]
        params = {"textDocument": {**document, "version": number}, "contentChanges": changes}
        return _told("textDocument/didChange", params)
    if kind == 8:
        document |= {"languageId": "bazel", "version": 1, "text": _text(random, uri)}
        return _told("textDocument/didOpen", {"textDocument": document})
    if kind == 9:
        return _told(
            f"textDocument/did{random.choice(('Close', 'Save'))}", {"textDocument": document}
        )
    if kind == 10:
        if random.random() < 0.5:
            return _told("workspace/didChangeConfiguration", {"settings": _settings(random)})
        changes = [{"uri": uri, "type": random.randrange(5)}]
        return _told("workspace/didChangeWatchedFiles", {"changes": changes})
    if random.random() < 0.5:
        return _told("$/cancelRequest", {"id": random.randrange(number + 1)})
    method = random.choice(_OTHERS)
    return _request(number, method, {}) if random.random() < 0.5 else _told(method, {})


def _request(number: int, method: str, params: object) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def _told(method: str, params: object) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "method": method, "params": params}


def _warped(random: Random, message: object) -> object:
    """A message with one of its parts gone, or another."""
    parts: list[tuple[Any, Any]] = []

    def collect(value: object) -> None:
        pairs = value.items() if isinstance(value, dict) else ()
        pairs = enumerate(value) if isinstance(value, list) else pairs
        for key, part in pairs:
            parts.append((value, key))
            collect(part)

    collect(message)
    holder, key = random.choice(parts)
    if random.random() < 0.3 and isinstance(holder, dict):
        del holder[key]
    else:
        holder[key] = json.loads(random.choice(_ODD_TEXTS))
    return message


def _session(random: Random) -> str:
    """The messages of an editor, of which some are warped."""
    first: dict[str, object] = {"processId": None, "rootUri": _ROOT, "capabilities": {}}
    if random.random() < 0.3:
        first["initializationOptions"] = _settings(random)
    messages: list[object] = [_request(0, "initialize", first), _told("initialized", {})]
    opened = random.choice(sorted(WORLD))
    document = {"uri": f"{_ROOT}/{opened}", "languageId": "bazel", "version": 1}
    document["text"] = WORLD[opened]
    messages.append(_told("textDocument/didOpen", {"textDocument": document}))
    messages += [_message(random, number) for number in range(1, random.choice((2, 3, 5, 9)))]
    if random.random() < 0.3:
        at = random.randrange(len(messages))
        messages[at] = _warped(random, messages[at])
    lines = [json.dumps(message) for message in messages]
    if random.random() < 0.1:
        at = random.randrange(len(lines))
        lines[at] = mutated(random, lines, _ODD_TEXTS)
    if random.random() < 0.9:
        return "\n".join(lines)
    return mutated(random, ["".join(map(_framed, lines))], ("Content-Length: 1\r\n", "\r\n\r\n"))


def _framed(line: str) -> str:
    return f"Content-Length: {len(line.encode('utf-8', 'surrogatepass'))}\r\n\r\n{line}"


# ---- The server


class _Reader:
    """The bytes of a session, as a stream that is there at once."""

    def __init__(self, content: bytes) -> None:
        self._content = io.BytesIO(content)

    async def readline(self) -> bytes:
        await asyncio.sleep(0)
        return self._content.readline()

    async def readexactly(self, count: int) -> bytes:
        return self._content.read(count)


class _Writer:
    """Keeps what the server sends."""

    def __init__(self) -> None:
        self.sent = bytearray()

    def write(self, data: bytes) -> None:
        self.sent += data

    def close(self) -> None:
        pass


def _read_session(text: str) -> None:
    """Has a server read a session; raises what is a crash."""
    from lsprotocol import types  # noqa: F401  An extra: only who asks for the subject needs it.

    text = text.replace(_ROOT, Path(usual_world()).as_uri())
    if not text.startswith("Content-Length"):
        lines = text.split("\n")
        expected = _requests(lines)
        text = "".join(map(_framed, lines))
    else:
        expected = set()
    writer, faults = _Writer(), list[str]()
    logging.disable(logging.CRITICAL)
    is_left = False
    try:
        asyncio.run(_serve(text.encode("utf-8", "surrogatepass"), writer, faults))
    except SystemExit:
        is_left = True  # The editor has said `exit`.
    sent = writer.sent.decode()
    if OWN_FAULT in sent or faults:
        raise CrashError("\n".join((*faults, sent[-3000:])))
    answered = _answered(sent)
    if not is_left and expected - answered:
        raise CrashError(f"no answer to {expected - answered}")


async def _serve(content: bytes, writer: _Writer, faults: list[str]) -> None:
    from pygls.io_ import run_async

    from bazelscope.editor import server as server_module
    from bazelscope.editor.features import register
    from bazelscope.editor.settings import ClientSettings
    from bazelscope.editor.work import Steps, Worker

    class AtOnce(Worker):
        """Works without a thread, so that a session is the same each time."""

        def ask(self, work: Callable[[], _T]) -> Future[_T]:
            future: Future[_T] = Future()
            self._answer(future, work)
            if future.exception() is not None:
                self._report(future.exception())  # type: ignore[arg-type]
            return future

        def in_background(self, name: str, steps: Steps) -> None:
            try:
                for _ in steps():
                    pass
            except Exception as error:
                # As a worker does: whatever it is, it is reported, not raised.
                self._report(error)

    class Server(server_module.EditorServer):
        @staticmethod
        def _faulty(error: Exception) -> Any:
            faults.append(f"{type(error).__name__}: {error} ({_place(error)})")
            return server_module.EditorServer._faulty(error)

    asyncio.get_running_loop().set_exception_handler(
        lambda loop, context: faults.append(f"{context.get('message')} {context.get('exception')}")
    )
    settings = replace(ClientSettings(no_cache=True), max_seconds=20)
    server = Server(settings, {}, None, "linux")
    server.protocol._converter = server.protocol.fm.converter = _converter()
    server.worker = AtOnce(server._note)
    server._is_frozen = True
    register(server)
    server.protocol.set_writer(writer)  # type: ignore[arg-type]
    server_module._SETTLE = 0
    await run_async(threading.Event(), _Reader(content), server.protocol)  # type: ignore[arg-type]
    for _ in range(4):
        others = asyncio.all_tasks() - {asyncio.current_task()}
        await asyncio.wait(others, timeout=20) if others else await asyncio.sleep(0.001)


@cache
def _converter() -> Any:
    """pygls's converter of messages, which is slow to make."""
    from pygls.protocol import default_converter

    return default_converter()


def _place(error: Exception) -> str:
    trace, place = error.__traceback__, ""
    while trace is not None:
        place = f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}"
        trace = trace.tb_next
    return place


def _requests(lines: list[str]) -> set[object]:
    """The numbers of what is a whole request after the first, and has to be answered."""
    found: set[object] = set()
    for number, line in enumerate(lines):
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            continue
        if number == 0 and message.get("method") != "initialize":
            return set()
        if message.get("method") in ("shutdown", "exit"):
            break
        identity = message.get("id")
        is_request = isinstance(message.get("method"), str) and "error" not in message
        if is_request and isinstance(identity, int | str) and not isinstance(identity, bool):
            found.add(identity)
    return found


def _answered(sent: str) -> set[object]:
    found: set[object] = set()
    for part in sent.split("Content-Length: ")[1:]:
        message = json.loads(part.partition("\r\n\r\n")[2])
        if "method" not in message:
            found.add(message.get("id"))
        error = message.get("error")
        if error and error.get("code") == _INTERNAL:
            raise CrashError(f"an answer is an internal error: {error}")
    return found


EDITOR = (Subject("editor", 3, _session, _read_session),)
