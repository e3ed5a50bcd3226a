"""Many edits leave nothing behind: neither in the server's memory nor in the kept cache.

    BAZELSCOPE_EDITS=10000 python -m pytest tests/unit/editor/test_memory.py

`scripts/measure_editor.py` does the same on a real tree.
"""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from tests.unit.editor.client import editing
from tests.unit.editor.editor_world import FILES, make_workspace

EDITS = int(os.environ.get("BAZELSCOPE_EDITS", "400"))
_GROWTH = 12 << 20
"""What allocators may take besides, in bytes; each edit of a kept text would add 30 KB."""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="tells memory by /proc")
def test_memory_is_flat_over_many_edits(tmp_path: Path) -> None:
    root = make_workspace(tmp_path)
    rows = "".join(f'cc_library(name = "r{n}", deps = [":base"])\n' for n in range(100))

    async def talk() -> tuple[int, int]:
        async with editing(root) as client:
            memory = Path(f"/proc/{client.lsp._server.pid}/statm")
            page = os.sysconf("SC_PAGE_SIZE")
            client.open("base/BUILD")
            early = 0
            for number in range(EDITS):
                end = "" if number % 3 else "cc_library("
                text = f"{FILES['base/BUILD']}{rows}# {number}\n{end}"
                client.type("base/BUILD", text)
                found = await client.hover("app/BUILD", 5, 32)
                assert found is not None and "cc_library, base/BUILD:4" in found
                if number == EDITS // 4:
                    early = int(memory.read_text().split()[1]) * page
            return early, int(memory.read_text().split()[1]) * page

    early, late = asyncio.run(talk())
    assert late - early < _GROWTH, f"{(late - early) >> 20} MB more"
