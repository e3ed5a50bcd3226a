"""What `docs/editor.md` tells of requests, settings and editors is what the server does."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from bazelscope.base.errors import UsageError
from bazelscope.editor.custom import MAY_TAKE_LONG, REQUESTS
from bazelscope.editor.settings import ClientSettings
from tests.support.parts import CHECKOUT, need_neovim
from tests.unit.editor.editor_world import FILES, make_workspace, state_of

_PAGE = (CHECKOUT / "docs" / "editor.md").read_text()
_CODE = (CHECKOUT / "bazelscope" / "editor" / "custom.py").read_text()
_ROWS = {
    row[1]: (row[2], row[3])
    for row in re.finditer(r"^\| `(.*?)`.*? \| (.*) \| (.*) \|$", _PAGE, re.M)
}
_SETTINGS = re.findall(r"`bazelscope\.(\w+)`", _PAGE)


def test_the_page_has_each_request_and_no_other() -> None:
    assert {name for name in _ROWS if "/" in name} == set(REQUESTS)
    slow = re.search(r"^(`bazelscope.*) may take long", _PAGE, re.M)
    assert slow is not None
    assert set(re.findall(r"`(.*?)`", slow[1])) == MAY_TAKE_LONG


@pytest.mark.parametrize("name", REQUESTS)
def test_the_page_has_each_parameter_and_no_other(name: str) -> None:
    """A parameter of a wrong kind is refused by name; one that is not read would be let be."""
    told = set(re.findall(r"`(\w+)`", _ROWS[name][0])) - {"commandLine"}
    function = re.search(rf"def {name.partition('/')[2]}\(.*?(?=\n\n\n)", _CODE, re.S)
    assert function is not None
    read = set(re.findall(r'_(?:texts?|flag)\(given, "(\w+)"', function[0]))
    assert told == read | {"words"}


@pytest.mark.parametrize("name", REQUESTS)
def test_a_parameter_of_a_wrong_kind_is_named(name: str, tmp_path: Path) -> None:
    state = state_of(make_workspace(tmp_path))
    for parameter in set(re.findall(r"`(\w+)`", _ROWS[name][0])) - {"commandLine"}:
        given = {"from": "//app", "to": "//base", parameter: 7}
        with state.asking(), pytest.raises(UsageError, match=f"the parameter `{parameter}` is not"):
            REQUESTS[name](state, given)


@pytest.mark.parametrize("setting", sorted(set(_SETTINGS)))
def test_a_setting_of_the_page_is_taken(setting: str) -> None:
    with pytest.raises(UsageError, match=setting):
        ClientSettings().changed_by({setting: {}})


_NEOVIM_7 = """
if not vim.lsp.start then -- by the two functions that the page names
  vim.lsp.start = function(config)
    vim.lsp.buf_attach_client(0, vim.lsp.start_client(config))
  end
  vim.fs = {
    dirname = function(path) return vim.fn.fnamemodify(path, ":h") end,
    find = function(names)
      return { vim.fn.fnamemodify(vim.fn.findfile(names[1], ".;"), ":p") }
    end,
  }
end
"""
_ASK = """
vim.cmd("edit app/BUILD")
local buffer = vim.api.nvim_get_current_buf()
local clients = vim.lsp.get_clients or vim.lsp.get_active_clients
vim.wait(60000, function()
  for _, client in pairs(clients()) do
    return client.initialized
  end
end)
local params = {
  textDocument = { uri = vim.uri_from_bufnr(buffer) },
  position = { line = 5, character = 12 },
}
local told
local answers = vim.lsp.buf_request_sync(buffer, "textDocument/hover", params, 60000)
for _, answer in pairs(answers or {}) do
  told = answer.result and answer.result.contents.value
end
vim.fn.writefile({ vim.fn.json_encode({ told = told }) }, "told.json")
vim.cmd("qa!")
"""


def test_the_lines_for_neovim_work_as_they_are_written(tmp_path: Path) -> None:
    neovim = need_neovim()
    lines = re.search(r"```lua\n(.*?)```", _PAGE, re.S)
    assert lines is not None and 'commandLine = "--config=opt"' in lines[1]
    rc = FILES[".bazelrc"] + "build:opt --config=fast\n"
    root = make_workspace(tmp_path / "w", {**FILES, ".bazelrc": rc})
    (root / "client.lua").write_text(_NEOVIM_7 + lines[1] + _ASK)
    program = tmp_path / "bin" / "bazelscope"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m bazelscope "$@" --no-cache\n')
    program.chmod(0o755)
    path = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [str(neovim), "--headless", "--clean", "-c", "luafile client.lua"],
        cwd=root,
        env={**os.environ, "PATH": path, "PYTHONPATH": str(CHECKOUT)},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert (root / "told.json").exists(), done.stderr
    assert "**`//settings:fast`** holds." in json.loads((root / "told.json").read_text())["told"]
