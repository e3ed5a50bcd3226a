"""ARCHITECTURE.md and CONTRIBUTING.md name only what is there."""

from __future__ import annotations

import re

import pytest

from tests.support.parts import CHECKOUT

_PATH = re.compile(r"`((?:bazelscope|tests|scripts|\.ci)/[\w./-]+|\.ci/\w+)`")


@pytest.mark.parametrize("page", ["ARCHITECTURE.md", "CONTRIBUTING.md"])
def test_every_path_of_the_page_is_there(page: str) -> None:
    text = (CHECKOUT / page).read_text(encoding="utf-8")
    paths = set(_PATH.findall(text))
    assert len(paths) > 5
    assert [path for path in sorted(paths) if not (CHECKOUT / path).exists()] == []


def test_the_map_names_every_folder_at_the_top() -> None:
    text = (CHECKOUT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    folders = [path.name for path in (CHECKOUT / "bazelscope").iterdir() if path.is_dir()]
    code = [name for name in folders if (CHECKOUT / "bazelscope" / name / "__init__.py").exists()]
    assert len(code) > 10
    assert [name for name in sorted(code) if f"`bazelscope/{name}`" not in text] == []
