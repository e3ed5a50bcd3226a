"""The page's JavaScript has the types that its comments say."""

from __future__ import annotations

import json
import subprocess

import pytest

from bazelscope.render.page import html
from tests.support.parts import CHECKOUT, need_typescript

pytestmark = pytest.mark.browser

FOLDER = CHECKOUT / "bazelscope" / "render" / "page"


def test_types() -> None:
    node, compiler = need_typescript()
    done = subprocess.run(
        [str(node), str(compiler), "-p", str(FOLDER)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


def test_every_part_is_checked_and_written() -> None:
    checked = json.loads((FOLDER / "tsconfig.json").read_text())["files"]
    parts = {file.name for file in FOLDER.glob("*.js")}
    assert {name for name in checked if name.endswith(".js")} == parts == set(html.SCRIPTS)
    assert all(file.read_text().startswith("// @ts-check\n") for file in FOLDER.glob("*.js"))
    assert all("</" not in file.read_text() for file in FOLDER.glob("*.js"))
