"""Every place that names what stands at a place."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.base.source import SourceFile
from bazelscope.editor import said_words
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


def test_a_define_of_the_name_of_a_setting_is_no_reference_to_it(tmp_path: Path) -> None:
    build = (
        'config_setting(name = "mkl", define_values = {"mkl": "1"})\n'
        'config_setting(name = "cpu", values = {"cpu": "mkl"})\n'
        'filegroup(name = "f", srcs = select({"mkl": ["cpu"]}))\n'
    )
    state = state_of(make_workspace(tmp_path, {"WORKSPACE": "", "d/BUILD": build}))
    assert found(state, "d/BUILD", 'name = "mk‸l"') == ["d/BUILD:3:39"]
    assert found(state, "d/BUILD", 'name = "cp‸u"') == ["d/BUILD:3:47"]


def test_the_definition_comes_first_where_it_is_wanted(state: EditorState) -> None:
    assert found(state, "app/BUILD", '"//settings:fa‸st"', True)[0] == "settings/BUILD:1:15"


def test_a_config_is_named_by_heads_words_and_scripts(state: EditorState) -> None:
    named = [".bazelrc:3:23", "ci.sh:3:14"]
    assert found(state, ".bazelrc", "build:fas‸t ") == named
    assert found(state, ".bazelrc", "build:fas‸t ", True) == [".bazelrc:2:7", *named]


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


def test_a_file_is_read_again_only_when_it_has_changed(
    state: EditorState, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    words_of = said_words.words_of

    def noted(source: SourceFile) -> said_words.Words:
        read.append(source.path)
        return words_of(source)

    monkeypatch.setattr(said_words, "words_of", noted)
    first = found(state, "base/BUILD", '"qui‸ck"')
    assert {"app/BUILD", "base/BUILD", "uses/BUILD"} <= set(read)
    read.clear()
    assert found(state, "base/BUILD", '"qui‸ck"') == first
    assert not read
    (state.root / "uses/BUILD").write_text('filegroup(name = "u", srcs = ["//base:quick"])\n')
    assert "uses/BUILD:1:32" in found(state, "base/BUILD", '"qui‸ck"')
    assert read == ["uses/BUILD"]


def test_words_are_told_apart_by_kind() -> None:
    text = 'load("//a:b.bzl", "f", g = "h")\nf(name = "x", deps = ["@r//p:q", "//p/s"])\ng = 1\n'
    words = said_words.words_of(SourceFile("BUILD", text))
    assert [(load.module, dict(load.names)) for load in words.loads] == [
        ("//a:b.bzl", {"f": "f", "g": "h"})
    ]
    assert [(said.line, said.is_loaded) for said in words.of("f")] == [(1, True), (2, False)]
    assert [said.text for said in words.of("@r")] == ["@r//p:q"] == [s.text for s in words.of("q")]
    assert [said.column for said in words.of("s")] == [35]
    assert not words.of("deps")
