"""Every place that names what stands at a place."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.editor.quoted import tokens
from bazelscope.editor.references import references
from bazelscope.editor.state import EditorState
from tests.unit.editor.editor_world import FILES, cursor, make_workspace, show, state_of

_MORE = {
    "WORKSPACE": (
        'workspace(name = "demo")\n'
        'load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")\n'
        'http_archive(name = "zlib", urls = ["https://example.org/zlib.zip"])\n'
    ),
    "uses/BUILD": (
        'load("//app:rules.bzl", lib = "library")\n'
        "# //base:quick is only talked about\n"
        'lib(name = "a", deps = ["//base:quick", "@zlib//:z"])\n'
        'cc_library(name = "quick", deps = ["@demo//base:quick"])\n'
    ),
}


@pytest.fixture
def state(tmp_path: Path) -> EditorState:
    return state_of(make_workspace(tmp_path, {**FILES, **_MORE}))


def found(state: EditorState, path: str, around: str, definitions: bool = False) -> list[str]:
    places = references(state, *cursor(state, path, around), definitions)
    return [f"{place.path}:{place.line}:{place.column}" for place in places]


def test_a_label_is_named_under_every_spelling_and_not_by_comments(state: EditorState) -> None:
    assert found(state, "app/BUILD", '"//base:qui‸ck"') == [
        "app/BUILD:6:30",
        "base/BUILD:4:20",
        "uses/BUILD:3:26",
        "uses/BUILD:4:37",
    ]
    assert found(state, "base/BUILD", '"qui‸ck"')[0] == "app/BUILD:6:30"


def test_the_definition_comes_first_where_it_is_wanted(state: EditorState) -> None:
    assert found(state, "app/BUILD", '"//settings:fa‸st"', True)[0] == "settings/BUILD:1:15"


def test_a_config_is_named_by_heads_words_and_scripts(state: EditorState) -> None:
    assert found(state, ".bazelrc", "build:fas‸t ") == [
        ".bazelrc:2:7",
        ".bazelrc:3:23",
        "ci.sh:3:14",
    ]


def test_a_function_is_used_in_its_file_and_wherever_it_is_loaded(state: EditorState) -> None:
    assert found(state, "app/rules.bzl", "def lib‸rary") == [
        "app/rules.bzl:12:5",
        "app/BUILD:1:21",
        "app/BUILD:3:1",
        "uses/BUILD:1:25",
        "uses/BUILD:1:32",
        "uses/BUILD:3:1",
    ]


def test_a_repository_is_named_by_labels_and_defined_in_workspace(state: EditorState) -> None:
    at = ("WORKSPACE", '"zl‸ib", urls')
    assert found(state, *at) == ["uses/BUILD:3:43"]
    assert found(state, *at, definitions=True) == ["WORKSPACE:3:22", "uses/BUILD:3:43"]


def test_unsaved_texts_are_searched_and_not_their_files(state: EditorState) -> None:
    show(state, "uses/BUILD", 'cc_library(name = "b", deps = ["//base:quick"])\n')
    assert "uses/BUILD:1:33" in found(state, "app/BUILD", '"//base:qui‸ck"')
    assert "uses/BUILD:3:26" not in found(state, "app/BUILD", '"//base:qui‸ck"')


def test_tokens_leave_out_comments_and_long_strings() -> None:
    text = "a = 'x' # 'no'\n'''no 'y' '''\nb(r\"z\")\n"
    assert [(t.text, t.is_string) for t in tokens(text)] == [
        ("a", False),
        ("x", True),
        ("b", False),
        ("z", True),
    ]
