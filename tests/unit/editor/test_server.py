"""The server behind a client: its answers, its settings, and rubbish that it lives through."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.files import write_files
from tests.unit.editor.client import SECONDS, editing, types
from tests.unit.editor.editor_world import FILES, make_workspace


def test_it_answers_tells_problems_and_takes_settings(tmp_path: Path) -> None:
    root = make_workspace(tmp_path)

    async def talk() -> None:
        async with editing(root) as client:
            found = await client.hover("app/BUILD", 5, 12)
            assert found is not None and "does not hold" in found
            client.lsp.workspace_did_change_configuration(
                types.DidChangeConfigurationParams({"bazelscope": {"commandLine": "--config=fast"}})
            )
            found = await client.hover("app/BUILD", 5, 12)
            assert found is not None and "holds" in found
            client.open("base/BUILD")
            assert await client.diagnostics("base/BUILD") == []
            client.type("base/BUILD", 'cc_library(name = "é", deps = [1])\ncc_library(\n')
            (told,) = await client.diagnostics("base/BUILD")
            assert told.source == "bazelscope"
            assert told.range.start == types.Position(1, 10)
            client.type("base/BUILD", 'cc_library(name = "quick")\nnothing()\n')
            (told,) = await client.diagnostics("base/BUILD")
            assert "nothing" in told.message
            params = types.DefinitionParams(client.id("app/BUILD"), types.Position(5, 32))
            (place,) = await client.lsp.text_document_definition_async(params)
            assert place.uri == client.uri("base/BUILD")

    asyncio.run(talk())


def test_an_edited_bzl_file_has_the_problems_of_open_files_told_anew(tmp_path: Path) -> None:
    root = tmp_path / "w"
    defs = "def made(name):\n    native.filegroup(name = name)\n"
    files = {
        "WORKSPACE": "",
        ".bazelversion": "6.5.0\n",
        "mine/defs.bzl": defs,
        "mine/BUILD": 'load(":defs.bzl", "made")\nmade(name = "x")\n',
    }
    write_files(root, files)

    async def talk() -> None:
        async with editing(root) as client:

            def told() -> list[str] | None:
                all_told = client.lsp.diagnostics.get(client.uri("mine/BUILD"))
                return None if all_told is None else [one.message for one in all_told]

            async def until(*messages: str) -> None:
                async with asyncio.timeout(SECONDS):
                    while told() != [*messages]:
                        await asyncio.sleep(0.05)

            client.open("mine/BUILD")
            client.open("mine/defs.bzl")
            await until()
            client.type("mine/defs.bzl", defs.replace("made", "other"))
            await until("`//mine:defs.bzl` does not define `made`")
            client.type("mine/defs.bzl", defs)
            await until()

    asyncio.run(talk())


def test_the_command_line_can_be_given_at_the_start(tmp_path: Path) -> None:
    root = make_workspace(tmp_path)

    async def talk() -> None:
        async with editing(root, options={"commandLine": ["--config=fast"]}) as client:
            found = await client.hover("app/BUILD", 5, 12)
            assert found is not None and "holds" in found

    asyncio.run(talk())


def test_rubbish_gets_an_error_and_the_server_lives_on(tmp_path: Path) -> None:
    root = make_workspace(tmp_path / "tree")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "BUILD").write_text('cc_library(name = "x", deps = [":y"])\n')

    async def talk() -> None:
        async with editing(root) as client:
            for uri, line, character in (
                (client.uri("nowhere/BUILD"), 0, 0),
                ("untitled:Untitled-1", 0, 0),
                ("file://%00", 0, 0),
                ("http://[", 0, 0),
                (client.uri("app/BUILD"), 9_999_999, 0),
                (client.uri("app"), 0, 0),
                ("file:///dev/zero", 0, 0),
            ):
                place = types.Position(line, character)
                params = types.HoverParams(types.TextDocumentIdentifier(uri), place)
                with pytest.raises(Exception) as refused:
                    await client.ask(types.TEXT_DOCUMENT_HOVER, params)
                assert "Traceback" not in str(refused.value)
                assert getattr(refused.value, "data", None) is None
            asked = client.expect("77")
            client.send(
                {"jsonrpc": "2.0", "id": "77", "method": "textDocument/hover", "params": [5]}
            )
            with pytest.raises(Exception, match="parameters of a wrong kind"):
                await asked
            with pytest.raises(Exception, match="Method Not Found"):
                await client.ask("bazelscope/nothing", {})
            asked = client.expect("79")
            again = {"processId": None, "rootUri": "file://[", "capabilities": {}}
            client.send({"jsonrpc": "2.0", "id": "79", "method": "initialize", "params": again})
            with pytest.raises(Exception, match="`file://\\[` is no URI"):
                await asked
            asked = client.expect("78")
            client.send({"jsonrpc": "2.0", "id": "78", "method": 5})
            with pytest.raises(Exception, match="`method` is not a string"):
                await asked
            for message in (
                {"jsonrpc": "2.0", "method": "textDocument/didChange", "params": {"rubbish": [1]}},
                [1, 2, 3],
                {"jsonrpc": "1.0", "id": 7, "method": 8},
                {"jsonrpc": "2.0", "method": "workspace/didChangeConfiguration", "params": {}},
                {"jsonrpc": "2.0", "id": {}, "method": "textDocument/hover", "params": {}},
            ):
                client.send(message)
            with pytest.raises(Exception, match="cannot be read"):
                await client.hover("../elsewhere/BUILD", 0, 36)
            client.open("../elsewhere/BUILD")
            assert await client.hover("../elsewhere/BUILD", 0, 36) is None
            (root / "base/BUILD").unlink()
            client.lsp.workspace_did_change_watched_files(
                types.DidChangeWatchedFilesParams(
                    [types.FileEvent(client.uri("base/BUILD"), types.FileChangeType.Deleted)]
                )
            )
            found = await client.hover("app/BUILD", 5, 32)
            assert found is not None and "no such package 'base'" in found

    asyncio.run(talk())


def test_bytes_that_are_no_message_get_an_error_and_the_next_message_its_answer() -> None:
    def framed(body: bytes) -> bytes:
        return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)

    hover = b'{"jsonrpc": "2.0", "id": 1, "method": "textDocument/hover", "params": {}}'
    rubbish = (
        *(framed(body) for body in (b'{"jsonrpc": "2.0", "id"', b"\xff\xfe", b"[" * 20_000)),
        *(framed(body) for body in (b"[1]", b"null", b"5", b"{}")),
        *(b"Content-Length: %b\r\n\r\n" % size for size in (b"9" * 14, b"9" * 5000, b"-5", b"x")),
        bytes(range(256)) + b"\r\n\r\n",
        b"A" * 300_000 + b"\r\n",
    )
    leaving = framed(b'{"jsonrpc": "2.0", "method": "exit"}')
    done = subprocess.run(
        [sys.executable, "-m", "bazelscope", "lsp"],
        input=b"".join(rubbish) + framed(hover).replace(b"Content-L", b"content-l") + leaving,
        capture_output=True,
        timeout=SECONDS,
        check=False,
    )
    assert b"Traceback" not in done.stdout + done.stderr
    told = [json.loads(part) for part in re.findall(rb"\{.*?\}(?=Content|$)", done.stdout)]
    numbers = [(one["id"], one["error"]["code"]) for one in told]
    assert numbers == [*[(None, -32700)] * 3, *[(None, -32600)] * 4, (1, -32602)]


def test_what_comes_before_initialize_is_refused_or_dropped() -> None:
    """The fuzzing: pygls answered with its own traceback."""
    hover = {"textDocument": {"uri": "file:///x/BUILD"}, "position": {"line": 0, "character": 0}}
    opened = {"uri": "file:///x/BUILD", "languageId": "bazel", "version": 1, "text": ""}
    messages = (
        {"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": opened}},
        {"jsonrpc": "2.0", "id": 1, "method": "textDocument/hover", "params": hover},
        {"jsonrpc": "2.0", "method": "exit"},
    )
    bodies = [json.dumps(message) for message in messages]
    done = subprocess.run(
        [sys.executable, "-m", "bazelscope", "lsp"],
        input="".join(f"Content-Length: {len(body)}\r\n\r\n{body}" for body in bodies).encode(),
        capture_output=True,
        timeout=SECONDS,
        check=False,
    )
    assert b"Traceback" not in done.stdout + done.stderr
    told = json.loads(done.stdout.partition(b"\r\n\r\n")[2])
    assert told["id"] == 1 and told["error"]["code"] == -32002
    assert told["error"]["message"] == "`textDocument/hover` was sent before `initialize`"


_PLACE = {"line": 5, "character": 32}


def test_typing_is_not_held_up_by_questions(tmp_path: Path) -> None:
    root = make_workspace(tmp_path)

    async def talk() -> None:
        async with editing(root) as client:
            client.open("base/BUILD")
            asked = []
            for number in range(200):
                client.type("base/BUILD", FILES["base/BUILD"] + f"# {number}\n")
                asked.append(asyncio.ensure_future(client.hover("app/BUILD", 5, 32)))
            await asyncio.sleep(0)  # They are sent, and stand before what is asked now.
            answer = client.expect("88")
            params = {"textDocument": {"uri": client.uri("app/BUILD")}, "position": _PLACE}
            request = {"jsonrpc": "2.0", "id": "88", "method": "textDocument/hover"}
            client.send({**request, "params": params})
            client.send({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": "88"}})
            # It may have been answered before: one reply there is, and no other error.
            (reply,) = await asyncio.gather(answer, return_exceptions=True)
            assert not isinstance(reply, Exception) or "ancel" in str(reply)
            for found in await asyncio.gather(*asked):
                assert found is not None and "cc_library" in found

    asyncio.run(talk())


def test_references_completion_lenses_symbols_and_requests_of_our_own(tmp_path: Path) -> None:
    root = make_workspace(tmp_path)

    async def talk() -> None:
        async with editing(root, "--config=fast") as client:
            place = types.Position(5, 32)
            found = await client.lsp.text_document_references_async(
                types.ReferenceParams(types.ReferenceContext(True), client.id("app/BUILD"), place)
            )
            assert [(one.uri, one.range.start.line) for one in found] == [
                (client.uri("base/BUILD"), 3),
                (client.uri("app/BUILD"), 5),
                (client.uri("base/BUILD"), 3),
            ]
            client.open(".bazelrc", "build --compilation_mode=\n")
            offered = await client.lsp.text_document_completion_async(
                types.CompletionParams(client.id(".bazelrc"), types.Position(0, 25))
            )
            assert [item.label for item in offered.items] == ["fastbuild", "dbg", "opt"]
            client.type(".bazelrc", FILES[".bazelrc"])
            listed = await client.lsp.text_document_document_symbol_async(
                types.DocumentSymbolParams(client.id("app/BUILD"))
            )
            assert [one.name for one in listed] == [":rules.bzl", "app"]
            above: list[str] = []
            while above != ["1 select turns on this; holds"]:  # at first, of what was there before
                lensed = await client.lsp.text_document_code_lens_async(
                    types.CodeLensParams(client.id("settings/BUILD"))
                )
                above = [lens.command.title for lens in lensed]
                await asyncio.sleep(0.1)
            answer = await client.ask(
                "bazelscope/path", {"from": "//app:app", "to": "//base:quick"}
            )
            assert answer["answer"] == "path" and answer["exit_code"] == 0
            answer = await client.ask(
                "bazelscope/explain", {"words": ["-c", "dbg"], "sections": ["flags"]}
            )
            assert answer["schema"] == "bazelscope/2" and answer["answer"] == "explain"
            answer = await client.ask("bazelscope/when", {"from": "//app", "to": "//base:quick"})
            assert answer["answer"] == "when"
            for method, wrong in (
                ("bazelscope/path", {"from": "//app"}),
                ("bazelscope/path", {"from": 1, "to": 2}),
                ("bazelscope/explain", {"words": "--config=fast"}),
                ("bazelscope/explain", {"sections": ["nothing"]}),
                ("bazelscope/when", {}),
                ("bazelscope/when", [1]),
            ):
                with pytest.raises(Exception) as refused:
                    await client.ask(method, wrong)
                assert "Error" not in str(refused.value)

    asyncio.run(talk())


def test_the_log(tmp_path: Path) -> None:
    """It tells of what goes wrong; one that cannot be begun is told, one that is full is let be."""
    root = make_workspace(tmp_path / "w")

    async def talk(log: Path) -> None:
        async with editing(root, "--log", str(log)) as client:
            client.open("app/BUILD")
            assert await client.hover("app/BUILD", 5, 12) is not None

    asyncio.run(talk(tmp_path / "log"))
    assert "starting" in (tmp_path / "log").read_text().lower()
    asyncio.run(talk(Path("/dev/full")))
    for log, why in ((tmp_path, "Is a directory"), (tmp_path / "no/log", "No such file")):
        words = [sys.executable, "-m", "bazelscope", "lsp", "--log", str(log)]
        done = subprocess.run(words, input="", capture_output=True, text=True, check=False)
        assert done.returncode == 2, done.stderr
        assert f"cannot write the log `{log}`: {why}" in done.stderr


def test_a_script_a_broken_file_and_another_line_through_a_client(tmp_path: Path) -> None:
    root = make_workspace(tmp_path)

    async def talk() -> None:
        async with editing(root) as client:
            found = await client.hover("ci.sh", 2, 8)
            assert found is not None and "`--config=fast`** is in force" in found
            found = await client.hover("ci.sh", 2, 18)
            assert found is not None and "It beats `-c fastbuild` (.bazelrc:1), `-c opt`" in found
            broken = "cc_library(\n" + FILES["app/BUILD"]
            client.open("app/BUILD", broken)
            assert [one.severity for one in await client.diagnostics("app/BUILD")]
            found = await client.hover("app/BUILD", 6, 32)
            assert found is not None and "cc_library, base/BUILD:4" in found
            above: list[str] = []
            for line, holds in (("--config=fast", "; holds"), ("", "; does not hold")):
                client.lsp.workspace_did_change_configuration(
                    types.DidChangeConfigurationParams({"commandLine": line})
                )
                async with asyncio.timeout(SECONDS):
                    while not any(text.endswith(holds) for text in above):
                        lensed = await client.lsp.text_document_code_lens_async(
                            types.CodeLensParams(client.id("settings/BUILD"))
                        )
                        above = [lens.command.title for lens in lensed]
                        await asyncio.sleep(0.1)

    asyncio.run(talk())
