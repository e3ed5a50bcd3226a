"""What an editor shows of a place: the facts, and their words."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.editor.facts import CallFacts, ConditionFacts, OptionFacts, Standing, TargetFacts
from bazelscope.editor.hover import HoverAnswer, hover
from bazelscope.editor.state import EditorState
from bazelscope.editor.wording import to_markdown
from tests.unit.editor.editor_world import cursor, make_workspace, marked, show, state_of


@pytest.fixture
def state(tmp_path: Path) -> EditorState:
    return state_of(make_workspace(tmp_path), "--config=faster")


def told(state: EditorState, path: str, around: str) -> HoverAnswer:
    found = hover(state, *cursor(state, path, around))
    assert found is not None
    return found


def words(state: EditorState, path: str, around: str) -> str:
    return to_markdown(told(state, path, around).facts)


def test_an_rc_word_that_is_beaten_says_by_what(state: EditorState) -> None:
    found = told(state, ".bazelrc", "build -c fast‸build")
    assert isinstance(found.facts, OptionFacts)
    assert found.facts.standing is Standing.BEATEN
    assert (found.span.line, found.span.column) == (1, 10)
    assert "`-c fastbuild`" in to_markdown(found.facts)
    assert "`-c opt` (.bazelrc:2, --config=faster > --config=fast) beats it" in to_markdown(
        found.facts
    )


def test_an_rc_word_of_a_config_names_all_that_bring_it(state: EditorState) -> None:
    found = told(state, ".bazelrc", "--def‸ine=speed")
    assert isinstance(found.facts, OptionFacts)
    assert found.facts.standing is Standing.COUNTS
    assert found.facts.configs == ("--config=fast", "--config=faster")
    assert "is in force" in to_markdown(found.facts)


def test_an_rc_word_of_another_command_does_not_count(state: EditorState) -> None:
    found = told(state, ".bazelrc", "--test_out‸put")
    assert isinstance(found.facts, OptionFacts)
    assert found.facts.standing is Standing.NOT_ASKED_FOR
    assert "It would come with `--config=ci`" in to_markdown(found.facts)


def test_an_option_that_bazel_lacks_has_near_names(state: EditorState) -> None:
    source, offset = marked(state, ".bazelrc", "build --compilation_mod‸=opt\n")
    found = hover(state, source, offset)
    assert found is not None
    assert "`--compilation_mode`" in to_markdown(found.facts)


def test_a_config_says_what_it_sets_and_whether_it_is_on(state: EditorState) -> None:
    text = words(state, ".bazelrc", "build:fas‸t ")
    assert text.startswith("**`--config=fast`** is in force.")
    assert "- `--define=speed=high` .bazelrc:2" in text
    assert "Also comes with `--config=faster`" in text


def test_a_select_key_that_holds_says_why(state: EditorState) -> None:
    text = words(state, "app/BUILD", '"//settings:fa‸st"')
    assert "**`//settings:fast`** holds." in text
    assert "`--define=speed=high` .bazelrc:2, --config=faster > --config=fast" in text
    assert "Its branch is taken." in text


def test_a_select_key_that_does_not_hold_says_what_was_tried(tmp_path: Path) -> None:
    state = state_of(make_workspace(tmp_path))
    found = told(state, "app/BUILD", '"//settings:fa‸st"')
    assert isinstance(found.facts, ConditionFacts)
    assert [way.words for way in found.facts.ways] == [
        ("--config=fast",),
        ("--config=faster",),
        ("--define=speed=high",),
    ]
    text = to_markdown(found.facts)
    assert "wants `--define=speed=high`, which is not set" in text
    assert "Its branch is not taken: `//conditions:default` is taken instead." in text


def test_the_default_key_of_a_select_is_taken_where_no_other_holds(tmp_path: Path) -> None:
    state = state_of(make_workspace(tmp_path))
    assert "Its branch is taken." in words(state, "app/BUILD", '"//conditions:def‸ault"')


def test_a_label_says_what_it_is_and_where(state: EditorState) -> None:
    text = words(state, "app/BUILD", '"//base:quick‸"')
    assert text.startswith("**`//base:quick`** cc_library, base/BUILD:4")


def test_a_label_that_leads_nowhere_says_what_bazel_says(state: EditorState) -> None:
    source, offset = marked(state, "app/BUILD", 'cc_library(name = "a", deps = ["//base:quik‸"])\n')
    found = hover(state, source, offset)
    assert found is not None
    assert isinstance(found.facts, TargetFacts)
    assert "no such target '//base:quik'" in found.facts.problem
    assert found.facts.nearest == ("quick",)


def test_a_macro_call_says_what_targets_it_makes(state: EditorState) -> None:
    found = told(state, "app/BUILD", "\nlibr‸ary(\n")
    assert isinstance(found.facts, CallFacts)
    assert [(str(t.label), t.kind) for t in found.facts.makes] == [
        ("//app:app_files", "filegroup"),
        ("//app:app", "cc_library"),
    ]
    text = to_markdown(found.facts)
    assert "def library(name, deps = [], **kwargs)" in text
    assert "Makes a library and a group of it." in text


def test_a_load_says_what_the_file_defines(state: EditorState) -> None:
    text = words(state, "app/BUILD", '":rules.b‸zl"')
    assert text.startswith("**`//app:rules.bzl`** app/rules.bzl")
    assert "Rules of the demo." in text
    assert "`library`, `other`" in text


def test_an_attribute_says_what_it_takes(state: EditorState) -> None:
    source, offset = marked(state, "base/BUILD", 'cc_library(name = "base", lin‸kstatic = 1)\n')
    found = hover(state, source, offset)
    assert found is not None
    assert "**`linkstatic`** of `cc_library`: boolean" in to_markdown(found.facts)


def test_a_flag_in_a_script_is_told_under_the_line_it_stands_on(state: EditorState) -> None:
    text = words(state, "ci.sh", "-‸c dbg")
    assert text.startswith("**`-c`** is in force.")
    assert "It beats `-c fastbuild` (.bazelrc:1)" in text
    config = words(state, "ci.sh", "--config=f‸ast")
    assert config.startswith("**`--config=fast`** is in force.")


def test_nothing_is_told_of_a_comment_and_of_plain_text(state: EditorState) -> None:
    source, offset = marked(state, ".bazelrc", "# a comment ‸here\n")
    assert hover(state, source, offset) is None
    source, offset = marked(state, "base/BUILD", 'cc_library(name = "a", copts = ["-‸O2"])\n')
    assert hover(state, source, offset) is None


def test_an_unsaved_text_counts_and_the_file_counts_again_when_it_is_closed(
    state: EditorState,
) -> None:
    show(state, "base/BUILD", 'cc_binary(name = "quick")\n')
    assert "cc_binary, base/BUILD:1" in words(state, "app/BUILD", '"//base:quick‸"')
    state.close(f"{state.root}/base/BUILD")
    assert "cc_library, base/BUILD:4" in words(state, "app/BUILD", '"//base:quick‸"')


def test_a_text_that_does_not_parse_keeps_its_last_good_answers(state: EditorState) -> None:
    source = state.source("base/BUILD")
    assert source is not None
    broken = 'cc_library(name = "extra",\n\n' + source.text
    show(state, "base/BUILD", broken)
    assert "cc_library, base/BUILD:6" in words(state, "app/BUILD", '"//base:quick‸"')


def test_an_edit_evaluates_nothing_that_it_does_not_touch(state: EditorState) -> None:
    words(state, "app/BUILD", '"//base:quick‸"')
    loader = state.build.loader
    before = {id: loader.package(id) for id in loader.trees.packages()}
    show(state, "base/BUILD", 'cc_library(name = "quick")\n')
    after = {id: state.build.loader.package(id) for id in loader.trees.packages()}
    changed = {str(id) for id in after if after[id] is not before[id]}
    assert changed == {"//base"}
    show(state, "app/rules.bzl", "def library(name, deps = []):\n    pass\n")
    last = {id: state.build.loader.package(id) for id in loader.trees.packages()}
    assert {str(id) for id in last if last[id] is not after[id]} == {"//app"}


def test_an_edited_rc_file_counts_at_once(state: EditorState) -> None:
    show(state, ".bazelrc", "build:faster --define=speed=low\n")
    assert "does not hold" in words(state, "app/BUILD", '"//settings:fa‸st"')


def test_no_unsaved_text_is_kept_for_later_runs(tmp_path: Path) -> None:
    root = make_workspace(tmp_path / "tree")
    cache = tmp_path / "cache"
    state = state_of(root, cache_dir=cache)
    show(state, "base/BUILD", 'cc_binary(name = "quick")\n')
    assert "cc_binary" in words(state, "app/BUILD", '"//base:quick‸"')
    state.keep()
    later = state_of(root, cache_dir=cache)
    assert "cc_library, base/BUILD:4" in words(later, "app/BUILD", '"//base:quick‸"')
    assert not list(cache.rglob("*.packages"))
