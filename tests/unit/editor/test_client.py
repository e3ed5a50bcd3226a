"""What people see through a client: a script, a file that does not parse, another command line."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.unit.editor.client import SECONDS, editing, types
from tests.unit.editor.editor_world import FILES, make_workspace


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
