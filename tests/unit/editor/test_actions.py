"""What an editor offers to do about a problem."""

from __future__ import annotations

import asyncio
from pathlib import Path

from bazelscope.base.edits import edited
from bazelscope.base.source import SourceFile
from bazelscope.editor.actions import actions
from bazelscope.editor.problems import problems
from bazelscope.editor.state import EditorState
from tests.unit.editor.client import editing, types
from tests.unit.editor.editor_world import make_workspace, show, state_of

_RC = "build --jobs=1\nbuild --jbos=1\nbuild --jobs=1\n"


def _offered(state: EditorState, path: str, text: str, line: int) -> list[tuple[str, str]]:
    """The titles of what is offered on a line, each with the text that it makes."""
    show(state, path, text)
    source = state.source(path)
    assert source is not None
    offered = actions(state, source, line, line)
    return [(one.title, edited(SourceFile(path, text), one.edits)) for one in offered]


def test_fixes_and_waivers_are_offered_where_the_problem_is(tmp_path: Path) -> None:
    state = state_of(make_workspace(tmp_path))
    assert _offered(state, ".bazelrc", _RC, 1) == [
        ("Delete `--jobs=1`", _RC.partition("\n")[2]),
        (
            "Ignore BZS104 here by a comment",
            _RC.replace("\n", "  # bazelscope: ignore[BZS104]\n", 1),
        ),
        ("Make all safe fixes of bazelscope", _RC.partition("\n")[2]),
    ]
    assert _offered(state, ".bazelrc", _RC, 2) == [
        ("Write `jobs`", _RC.replace("jbos", "jobs")),
        ("Make all safe fixes of bazelscope", _RC.partition("\n")[2]),
    ]


def test_the_comment_that_is_offered_waives(tmp_path: Path) -> None:
    state = state_of(make_workspace(tmp_path))
    rc = "build --jobs=1\nbuild --jobs=1\n"
    (_, waived) = _offered(state, ".bazelrc", rc, 1)[1]
    assert _offered(state, ".bazelrc", waived, 1) == []


def test_a_line_that_goes_on_takes_no_comment(tmp_path: Path) -> None:
    state = state_of(make_workspace(tmp_path))
    rc = "build --jobs=1 \\\n  -s\nbuild --jobs=1\n"
    titles = [title for title, _ in _offered(state, ".bazelrc", rc, 1)]
    assert titles == ["Delete `--jobs=1`", "Make all safe fixes of bazelscope"]


def test_a_misspelled_name_of_a_build_file(tmp_path: Path) -> None:
    state = state_of(make_workspace(tmp_path))
    text = 'cc_libary(name = "é"); cc_libary(name = "x")\n'
    offered = _offered(state, "base/BUILD", text, 1)
    assert offered == [("Write `cc_library`", text.replace("cc_libary", "cc_library", 1))]


def test_a_load_of_a_misspelled_symbol(tmp_path: Path) -> None:
    state = state_of(make_workspace(tmp_path))
    text = 'load(":rules.bzl", lib = "libary")\nlib(name = "x")\n'
    offered = _offered(state, "app/BUILD", text, 1)
    assert offered == [("Load `library`", text.replace("libary", "library"))]


def test_the_server_answers_with_edits(tmp_path: Path) -> None:
    root = make_workspace(tmp_path)

    async def talk() -> None:
        async with editing(root) as client:
            client.open(".bazelrc", _RC)

            async def asked(only: list[str] | None) -> list[types.CodeAction]:
                context = types.CodeActionContext([], only=only)
                start = types.Position(0, 0)
                params = types.CodeActionParams(
                    client.id(".bazelrc"), types.Range(start, start), context
                )
                return list(await client.lsp.text_document_code_action_async(params))

            first, second, every = await asked(None)
            assert (first.kind, second.kind) == ("quickfix", "quickfix")
            assert every.kind == "source.fixAll.bazelscope"
            assert first.is_preferred and not second.is_preferred
            (told,) = first.diagnostics
            assert told.code == "BZS104"
            start, end = types.Position(0, 0), types.Position(1, 0)
            edit = types.TextEdit(types.Range(start, end), "")
            assert first.edit.changes == {client.uri(".bazelrc"): (edit,)}
            assert [one.title for one in await asked(["source"])] == [every.title]
            assert [one.kind for one in await asked(["quickfix"])] == ["quickfix", "quickfix"]
            assert await asked(["refactor"]) == []

    asyncio.run(talk())


def test_a_label_that_names_nothing_is_told_where_it_is_written(tmp_path: Path) -> None:
    state = state_of(make_workspace(tmp_path))
    text = """
cc_library(name = "near_here")
cc_library(
    name = "asks",
    srcs = ["gone.cc"],
    deps = [":near_hear", "//nowhere"],
)
"""
    show(state, "base/BUILD", text)
    found = problems(state, "base/BUILD")
    told = [(one.span.line, one.span.column, one.code) for one in found if one.span is not None]
    assert told == [(5, 14, "BZS007"), (6, 14, "BZS007"), (6, 28, "BZS006")]
    (fix, *_) = _offered(state, "base/BUILD", text, 6)
    assert fix == ("Write `:near_here`", text.replace(":near_hear", ":near_here"))
