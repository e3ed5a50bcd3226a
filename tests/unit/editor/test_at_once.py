"""Answers right after an edit: of what was evaluated before it, where more would have to be."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest

from bazelscope.base.budget import GaveWayError
from bazelscope.editor.definitions import definitions
from bazelscope.editor.hover import hover
from bazelscope.editor.state import EditorState
from bazelscope.editor.wording import to_markdown
from tests.unit.editor.editor_world import FILES, cursor, make_workspace, show, state_of

_T = TypeVar("_T")
RULES = FILES["app/rules.bzl"]
BINARY = RULES.replace("native.cc_library", "native.cc_binary")


@pytest.fixture
def state(tmp_path: Path) -> EditorState:
    uses = 'cc_library(name = "u", deps = ["//app:app"])\n'
    state = state_of(make_workspace(tmp_path, {**FILES, "uses/BUILD": uses}))
    evaluate_all(state)
    return state


def evaluate_all(state: EditorState) -> None:
    for _ in state.select_uses.count(state.build.loader):
        pass
    state.settle()


def asked(state: EditorState, path: str, question: Callable[[], _T]) -> tuple[_T, tuple[str, ...]]:
    """The answer, and which edits it does not see."""
    with state.asking():
        return state.at_once(path, lambda: (question(), state.behind))


def said(state: EditorState, path: str, around: str) -> tuple[str, tuple[str, ...]]:
    source, offset = cursor(state, path, around)

    def question() -> str:
        told = hover(state, source, offset)
        assert told is not None
        return to_markdown(told.facts)

    return asked(state, path, question)


def test_a_hover_right_after_an_edit_waits_for_no_package(state: EditorState) -> None:
    at = ("uses/BUILD", '"//app:a‸pp"')
    show(state, "app/rules.bzl", BINARY)
    told, behind = said(state, *at)
    assert "cc_library, " in told
    assert behind == ("app/rules.bzl",)
    evaluate_all(state)
    told, behind = said(state, *at)
    assert "cc_binary, " in told
    assert behind == ()


def test_what_is_evaluated_again_is_told_as_it_is(state: EditorState) -> None:
    show(state, "app/rules.bzl", BINARY)
    assert said(state, "base/BUILD", 'cc_library(name = "qu‸ick")')[1] == ()
    assert said(state, "uses/BUILD", 'deps = ["//a‸pp:app"]')[1] == ("app/rules.bzl",)
    label = next(id for id in state.build.loader.trees.packages() if id.package == "app")
    state.build.loader.package(label)
    told, behind = said(state, "uses/BUILD", 'deps = ["//a‸pp:app"]')
    assert "cc_binary, " in told
    assert behind == ()


def test_the_file_that_was_edited_itself_is_told_as_it_is(state: EditorState) -> None:
    show(state, "app/rules.bzl", BINARY)
    assert said(state, "app/rules.bzl", "    lib‸rary(name)")[1] == ()
    show(state, "app/BUILD", f"\n{FILES['app/BUILD']}")
    told, behind = said(state, "app/BUILD", 'name = "a‸pp"')
    assert "(cc_binary)" in told
    assert behind == ()


def test_places_are_those_of_the_held_packages(state: EditorState) -> None:
    show(state, "app/rules.bzl", BINARY)
    source, offset = cursor(state, "uses/BUILD", '"//app:a‸pp"')
    places, _ = asked(state, "uses/BUILD", lambda: definitions(state, source, offset))
    assert [place.short for place in places] == ["app/BUILD:3"]


def test_other_edits_hold_nothing(state: EditorState) -> None:
    show(state, "app/rules.bzl", BINARY)
    show(state, ".bazelrc", f"{FILES['.bazelrc']}build -c opt\n")
    assert said(state, "uses/BUILD", '"//app:a‸pp"')[1] == ()
    show(state, "base/BUILD", f"\n{FILES['base/BUILD']}")
    assert said(state, "uses/BUILD", '"//app:a‸pp"')[1] == ()


def test_a_line_that_was_asked_about_stays_warm_until_files_change(state: EditorState) -> None:
    words = ("--config=fast",)
    line = state.line(words)
    assert state.line(words) is line
    for number in range(9):
        state.line((f"--define=n={number}",))
    assert state.line(words) is not line
    line = state.line(words)
    show(state, "app/rules.bzl", BINARY)
    assert state.line(words) is not line


def test_a_package_that_is_left_half_evaluated_is_evaluated_whole_thereafter(
    state: EditorState,
) -> None:
    show(state, "app/rules.bzl", BINARY)
    looks = iter(range(100))
    show(state, "app/BUILD", f"[len([x]) for x in range(100000)]\n{FILES['app/BUILD']}")
    with pytest.raises(GaveWayError), state.asking(lambda: next(looks) == 2):
        list(state.select_uses.count(state.build.loader))
    assert next(looks) > 2
    evaluate_all(state)
    told, behind = said(state, "uses/BUILD", '"//app:a‸pp"')
    assert "cc_binary, " in told
    assert behind == ()
