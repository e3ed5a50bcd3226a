"""Unit tests stand where the code stands that they test."""

from __future__ import annotations

from tests.support.parts import CHECKOUT

TESTS = CHECKOUT / "tests" / "unit"
DATA = {"cases", "golden", "__pycache__"}
"""Folders below a folder of tests that hold inputs and outputs of theirs."""


def test_each_folder_of_unit_tests_has_the_name_of_a_folder_of_the_code() -> None:
    folders = [path.relative_to(TESTS) for path in TESTS.rglob("*") if path.is_dir()]
    folders = [path for path in folders if not DATA.intersection(path.parts)]
    assert len(folders) > 20
    strangers = [
        str(path)
        for path in folders
        if path.parts[0] != "support" and not (CHECKOUT / "bazelscope" / path).is_dir()
    ]
    assert strangers == []
