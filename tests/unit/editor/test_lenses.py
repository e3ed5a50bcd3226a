"""What stands above lines, and the outline of a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.editor.lenses import lenses
from bazelscope.editor.outline import outline
from bazelscope.editor.state import EditorState
from tests.unit.editor.editor_world import FILES, make_workspace, show, state_of


@pytest.fixture
def state(tmp_path: Path) -> EditorState:
    return state_of(make_workspace(tmp_path), "--config=fast")


def told(state: EditorState, path: str) -> list[tuple[int, str]]:
    source = state.source(path)
    assert source is not None
    return [(lens.place.line, lens.text) for lens in lenses(state, source)]


def count(state: EditorState) -> None:
    for _ in state.select_uses.count(state.build.loader):
        pass


def test_settings_and_configs_say_how_many_selects_turn_on_them(state: EditorState) -> None:
    assert told(state, "settings/BUILD") == [(1, "holds")]
    count(state)
    assert told(state, "settings/BUILD") == [(1, "1 select turns on this; holds")]
    assert told(state, ".bazelrc") == [
        (2, "1 select turns on what it sets; in force"),
        (3, "1 select turns on what it sets; not in force"),
        (4, "no select turns on what it sets; not in force"),
    ]


def test_only_edited_packages_are_counted_again(state: EditorState) -> None:
    count(state)
    counted = dict(state.select_uses._counted)
    show(
        state,
        "app/BUILD",
        FILES["app/BUILD"] + FILES["app/BUILD"].partition("\n")[2].replace("app", "b"),
    )
    count(state)
    assert told(state, "settings/BUILD") == [(1, "2 selects turn on this; holds")]
    again = {id for id, entry in state.select_uses._counted.items() if counted[id] is not entry}
    assert {str(id) for id in again} == {"//app"}


def test_the_outline_has_what_parses(state: EditorState) -> None:
    show(
        state,
        "app/BUILD",
        'load(":rules.bzl", "library")\nX = 1\ncc_library(name = "a"\n\nlibrary(name = "b")\n',
    )
    source = state.source("app/BUILD")
    assert source is not None
    found = [(symbol.name, symbol.kind.value, symbol.detail) for symbol in outline(state, source)]
    assert found[:2] == [(":rules.bzl", "load", ""), ("X", "variable", "")]
    assert ("b", "target", "library") in found
    source = state.source(".bazelrc")
    assert source is not None
    assert [symbol.name for symbol in outline(state, source)] == [
        "build",
        "build:fast",
        "build:faster",
        "test:ci",
    ]
