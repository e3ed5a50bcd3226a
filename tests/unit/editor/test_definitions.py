"""Where what stands at a place is defined."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.editor.definitions import definitions
from bazelscope.editor.state import EditorState
from tests.unit.editor.editor_world import cursor, make_workspace, state_of


@pytest.fixture
def state(tmp_path: Path) -> EditorState:
    return state_of(make_workspace(tmp_path))


@pytest.mark.parametrize(
    ("path", "around", "places"),
    [
        (".bazelrc", "--config=fa‸st", [".bazelrc:2"]),
        ("app/BUILD", '"//base:qui‸ck"', ["base/BUILD:4"]),
        ("app/BUILD", '"//settings:f‸ast"', ["settings/BUILD:1"]),
        ("app/BUILD", '":rul‸es.bzl"', ["app/rules.bzl:1"]),
        ("app/BUILD", '"lib‸rary", ren', ["app/rules.bzl:3"]),
        ("app/BUILD", "\nlib‸rary(\n", ["app/rules.bzl:3"]),
        ("app/rules.bzl", "    lib‸rary(name)", ["app/rules.bzl:3"]),
        ("ci.sh", "--config=f‸ast", [".bazelrc:2"]),
        (".bazelrc", "-c fast‸build", []),
    ],
)
def test_definition(state: EditorState, path: str, around: str, places: list[str]) -> None:
    found = definitions(state, *cursor(state, path, around))
    assert [place.short for place in found] == places
