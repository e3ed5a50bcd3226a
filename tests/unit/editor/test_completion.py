"""What may be written at a place."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.editor.completion import complete
from bazelscope.editor.state import EditorState
from tests.unit.editor.editor_world import make_workspace, marked, state_of


@pytest.fixture
def state(tmp_path: Path) -> EditorState:
    state = state_of(make_workspace(tmp_path))
    for _ in state.select_uses.count(state.build.loader):
        pass
    return state


def offered(state: EditorState, path: str, text: str) -> list[str]:
    return [candidate.text for candidate in complete(state, *marked(state, path, text))]


def test_options_of_the_lines_command(state: EditorState) -> None:
    assert "--compilation_mode=" in offered(state, ".bazelrc", "build --compila‸")
    assert "--nokeep_going" in offered(state, ".bazelrc", "build --nokeep‸")
    assert offered(state, ".bazelrc", "build --compilation_mode=‸") == ["fastbuild", "dbg", "opt"]
    assert offered(state, ".bazelrc", "# --comp‸") == []


def test_configs_behind_a_head_and_behind_the_option(state: EditorState) -> None:
    text = "build:fast -c opt\nbuild:‸"
    assert offered(state, ".bazelrc", text) == ["fast"]
    assert offered(state, ".bazelrc", "build:fast -c opt\nbuild --config=f‸") == ["fast"]
    assert offered(state, "ci.sh", "bazel build --config=‸ //app\n") == ["fast"]


def test_labels_of_packages_and_of_their_targets(state: EditorState) -> None:
    text = 'cc_library(name = "x", deps = ["{}‸'
    assert offered(state, "app/BUILD", text.format("//ba")) == ["//base"]
    assert offered(state, "app/BUILD", text.format("//base:q")) == ["//base:quick"]
    assert offered(state, "settings/BUILD", text.format(":")) == [":BUILD", ":fast"]


def test_keys_of_a_select_say_whether_they_hold(state: EditorState) -> None:
    text = 'cc_library(\n    name = "x",\n    deps = select({\n        "‸\n'
    found = complete(state, *marked(state, "app/BUILD", text))
    told = {candidate.text: candidate.detail for candidate in found}
    assert told["//settings:fast"] == "does not hold"
    assert "//conditions:default" in told


def test_attributes_of_a_rule_and_arguments_of_a_macro(state: EditorState) -> None:
    found = offered(state, "base/BUILD", 'cc_library(\n    name = "x",\n    ‸\n)\n')
    assert "linkstatic = " in found
    assert not [name for name in found if name.startswith(("generator_", "transitive_configs"))]
    text = 'load(":rules.bzl", "library")\nlibrary(\n    ‸\n)\n'
    assert offered(state, "app/BUILD", text)[:2] == ["name = ", "deps = "]


def test_symbols_and_files_of_a_load(state: EditorState) -> None:
    assert offered(state, "app/BUILD", 'load(":rules.bzl", "‸') == ["library", "other"]
    assert offered(state, "app/BUILD", 'load(":ru‸') == [":rules.bzl"]
    assert offered(state, "app/BUILD", 'load(\n    ":‸') == [":rules.bzl"]
    assert offered(state, "base/BUILD", 'load("//a‸') == ["//app"]


def test_statements_begin_with_rules_and_what_is_loaded(state: EditorState) -> None:
    text = 'load(":rules.bzl", "library")\nli‸'
    assert offered(state, "app/BUILD", text)[0] == "library"
    assert "cc_library" in offered(state, "app/BUILD", "cc_li‸")


def test_nothing_in_an_unterminated_string_of_anything_breaks_it(state: EditorState) -> None:
    for text in ('"‸', "‸", "(((‸", "]]]‸", 'load("‸', "x = '\\‸", "‸\n" * 1):
        complete(state, *marked(state, "app/BUILD", text))
