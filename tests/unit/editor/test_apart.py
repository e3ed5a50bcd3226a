"""Questions that take long: they hold up nothing, tell how far they are, and can be given up."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pygls")

from bazelscope.base import phases
from bazelscope.base.errors import BazelscopeError, Diagnostic
from bazelscope.editor.apart import Apart, can_fork
from bazelscope.editor.server import EditorServer
from bazelscope.editor.settings import ClientSettings
from tests.unit.editor.client import SECONDS, editing, types
from tests.unit.editor.editor_world import make_workspace

pytestmark = pytest.mark.skipif(not can_fork(), reason="processes are copied on Linux")

WHEN = {"from": "//app", "to": "//base:quick"}
EVER = 600


def has_ended(process: int) -> bool:
    """Whether there is no such process any more, or nothing but its exit code."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2][0]
    except OSError:
        return True
    return state in "ZX"


async def until_ended(process: int) -> None:
    async with asyncio.timeout(SECONDS):
        while not has_ended(process):
            await asyncio.sleep(0.02)


def test_a_process_that_searches_holds_up_no_other_question_and_is_given_up(tmp_path: Path) -> None:
    server = EditorServer(ClientSettings(), {}, None, "linux")
    server.workspaces.folder = make_workspace(tmp_path)
    told: list[tuple[str, int | None]] = []

    def searches(state: object) -> dict[str, Any]:
        with phases.phase(f"{os.getpid()}"):
            time.sleep(EVER)
        return {}

    async def talk() -> None:
        asked = [
            asyncio.ensure_future(server.ask_apart(None, searches, lambda *one: told.append(one)))
            for _ in range(3)
        ]
        async with asyncio.timeout(SECONDS):
            while len(told) < 2:
                await asyncio.sleep(0.01)
        assert server.worker.ask(lambda: "at once").result(5) == "at once"
        for one in asked:
            one.cancel()
        await asyncio.gather(*asked, return_exceptions=True)
        for doing, _ in told:
            await until_ended(int(doing))

    asyncio.run(talk())
    assert len(told) == 2, "two search at once, the third waits for its turn"


def test_what_goes_wrong_is_told_and_so_is_a_process_that_dies() -> None:
    def fails() -> dict[str, Any]:
        raise BazelscopeError(Diagnostic("x", "no such thing"))

    def breaks() -> dict[str, Any]:
        raise ValueError("broken")

    def dies() -> dict[str, Any]:
        os.kill(os.getpid(), signal.SIGKILL)
        return {}

    for question, why in (
        (fails, "no such thing"),
        (breaks, "an error of bazelscope, please report: ValueError: broken"),
        (dies, "the process that looked for the answer was ended"),
    ):
        begun = Apart(question, lambda: None)
        with pytest.raises(BazelscopeError, match=why):
            asyncio.run(begun.answer(lambda doing, percent: None))


def test_what_is_told_comes_before_an_answer_of_any_size() -> None:
    def counts() -> dict[str, Any]:
        with phases.phase("counting"):
            time.sleep(0.3)
            phases.count(1, 4)
            time.sleep(0.3)
            phases.count(7)
        return {"all": "x" * 3_000_000}

    told: list[tuple[str, int | None]] = []
    begun = Apart(counts, lambda: None)
    answer = asyncio.run(begun.answer(lambda *one: told.append(one)))
    assert told == [("counting", None), ("counting: 1 of 4", 25), ("counting: 7", None)]
    assert len(answer["all"]) == 3_000_000


def test_a_client_is_told_of_progress_and_may_cancel(tmp_path: Path) -> None:
    root = make_workspace(tmp_path)

    async def talk() -> None:
        async with editing(root) as client:
            client.lsp.progress_reports = {"t": [], 7: []}
            answer = await client.ask("bazelscope/when", {**WHEN, "workDoneToken": "t"})
            assert answer["answer"] == "when"
            begin, *_, end = client.lsp.progress_reports["t"]
            assert isinstance(begin, types.WorkDoneProgressBegin)
            assert begin.title == "bazelscope/when" and begin.cancellable
            assert isinstance(end, types.WorkDoneProgressEnd)
            asked = client.expect("5")
            request = {"jsonrpc": "2.0", "id": "5", "method": "bazelscope/when", "params": WHEN}
            client.send(request)
            client.send({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": "5"}})
            with pytest.raises(Exception, match="cancel"):
                await asked
            again = await client.ask("bazelscope/when", WHEN)
            assert again == answer
            with pytest.raises(Exception, match="`from` is not a string"):
                await client.ask("bazelscope/when", {"workDoneToken": 7})

    asyncio.run(talk())
