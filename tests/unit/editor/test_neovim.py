"""Neovim, without a screen, as a client: what `docs/editor.md` says about it works."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.parts import CHECKOUT, need_neovim
from tests.unit.editor.editor_world import make_workspace

pytest.importorskip("pygls")

_SCRIPT = """
local told = {}
local function finish()
  vim.fn.writefile({ vim.fn.json_encode(told) }, "%(answers)s")
  vim.cmd("qa!")
end
local client = vim.lsp.start_client({
  name = "bazelscope",
  cmd = { "%(python)s", "-m", "bazelscope", "lsp", "--no-cache" },
  cmd_env = { PYTHONPATH = "%(checkout)s" },
  root_dir = "%(root)s",
  init_options = { commandLine = "--config=fast" },
})
vim.cmd("edit %(root)s/app/BUILD")
local buffer = vim.api.nvim_get_current_buf()
vim.lsp.buf_attach_client(buffer, client)
local function ask(method, line, character, context)
  local params = {
    textDocument = { uri = vim.uri_from_bufnr(buffer) },
    position = { line = line, character = character },
    context = context,
  }
  local answers = vim.lsp.buf_request_sync(buffer, method, params, 60000)
  for _, answer in pairs(answers or {}) do
    return answer.result
  end
end
vim.wait(60000, function() return vim.lsp.get_client_by_id(client).initialized end)
told.hover = ask("textDocument/hover", 5, 12)
told.definition = ask("textDocument/definition", 5, 32)
told.references = ask("textDocument/references", 5, 32, { includeDeclaration = false })
told.completion = ask("textDocument/completion", 5, 36)
vim.api.nvim_buf_set_lines(buffer, 0, 0, false, { "cc_library(name = 'é😀'," })
local function is_broken()
  for _, one in ipairs(vim.diagnostic.get(buffer)) do
    if one.severity == vim.diagnostic.severity.ERROR then return true end
  end
  return false
end
vim.wait(60000, is_broken)
told.broken = is_broken()
vim.api.nvim_buf_set_lines(buffer, 0, 1, false, {})
vim.wait(60000, function() return not is_broken() end)
told.mended = not is_broken()
finish()
"""


def test_neovim_shows_what_the_server_answers(tmp_path: Path) -> None:
    neovim = need_neovim()
    root = make_workspace(tmp_path / "tree")
    answers = tmp_path / "answers.json"
    script = tmp_path / "client.lua"
    script.write_text(
        _SCRIPT
        % {
            "answers": answers,
            "python": sys.executable,
            "checkout": CHECKOUT,
            "root": root,
        }
    )
    done = subprocess.run(
        [str(neovim), "--headless", "--clean", "-c", f"luafile {script}"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert answers.exists(), done.stderr
    told = json.loads(answers.read_text())
    assert "**`//settings:fast`** holds." in told["hover"]["contents"]["value"]
    assert told["definition"][0]["uri"] == (root / "base/BUILD").as_uri()
    assert len(told["references"]) == 2
    assert "//base:quick" in [item["label"] for item in told["completion"]["items"]]
    assert told["broken"] and told["mended"]
