"""Every answer as text, DOT and JSON, against golden files (see golden.py)."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from bazelscope.json_format.answer_json import to_json
from bazelscope.json_format.answer_schema import shipped_schema
from bazelscope.questions.configs.text import configs_document
from bazelscope.questions.explain.text import explanation_document
from bazelscope.questions.flag.text import flag_document
from bazelscope.questions.graph.text import graph_document
from bazelscope.questions.path.text import path_document
from bazelscope.questions.path.text_all_paths import paths_document
from bazelscope.questions.why.text import why_document
from bazelscope.render.console import to_text
from bazelscope.render.document import Document, name, row
from scripts.make_answer_schema import derive_schema
from tests.unit.questions.golden import check_golden
from tests.unit.questions.json_schema import violations
from tests.unit.questions.samples import (
    AMBIGUOUS,
    ANSWERS,
    CLASHING,
    CONFIGS,
    CUT,
    EXPLANATION,
    FLAG,
    GRAPH,
    NO_FLAG,
    PATH,
    PATHS,
    WHY,
    WHY_NOT,
)

_DEFINED = replace(EXPLANATION, envelope=replace(EXPLANATION.envelope, undefined_configs=()))
"""The same line, as if its configs were all defined."""

DOCUMENTS: dict[str, Callable[[], Document]] = {
    "explain": lambda: explanation_document(_DEFINED),
    "explain-undefined": lambda: explanation_document(EXPLANATION),
    "explain-full": lambda: explanation_document(EXPLANATION, full=True),
    "why": lambda: why_document(WHY),
    "why-unknown": lambda: why_document(WHY_NOT),
    "path": lambda: path_document(PATH),
    "path-cut": lambda: path_document(CUT),
    "path-clash": lambda: path_document(CLASHING),
    "paths": lambda: paths_document(PATHS),
    "path-ambiguous": lambda: path_document(AMBIGUOUS),
    "graph": lambda: graph_document(GRAPH, "x.svg"),
    "flag": lambda: flag_document(FLAG),
    "flag-unknown": lambda: flag_document(NO_FLAG),
    "configs": lambda: configs_document(CONFIGS),
}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_text(name: str) -> None:
    check_golden(f"{name}.txt", to_text(DOCUMENTS[name]()))


@pytest.mark.parametrize("name", ["explain", "path"])
def test_text_in_a_narrow_terminal(name: str) -> None:
    text = to_text(DOCUMENTS[name](), width=60)
    check_golden(f"{name}-60-columns.txt", text)
    longest_word = max(len(word) for word in text.split())
    assert max(len(line) for line in text.splitlines()) <= max(60, longest_word + 30)


@pytest.mark.parametrize("name", DOCUMENTS)
@pytest.mark.parametrize("width", [1, 20, 40, 80, 200])
def test_every_width_shows_every_word(name: str, width: int) -> None:
    whole = to_text(DOCUMENTS[name]())
    assert to_text(DOCUMENTS[name](), width=width).split() == whole.split()


@pytest.mark.parametrize("name", DOCUMENTS)
def test_colours_only_add_escape_codes(name: str) -> None:
    import re

    colored = to_text(DOCUMENTS[name](), color=True)
    assert "\x1b[" in colored
    assert re.sub(r"\x1b\[[\d;]*m", "", colored) == to_text(DOCUMENTS[name]())


@pytest.mark.parametrize("kind", ANSWERS)
def test_json_keeps_to_its_schema(kind: str) -> None:
    schema = json.loads(shipped_schema())
    for answer in ANSWERS[kind]:
        document = json.loads(to_json(kind, answer))
        assert document["schema"] == "bazelscope/2"
        assert violations(document, schema, schema) == []


def test_schema_refuses_what_is_none_of_ours() -> None:
    schema = json.loads(shipped_schema())
    document = json.loads(to_json("flag", FLAG))
    document["values"] = "opt"
    assert violations(document, schema, schema)


def test_shipped_schema_is_that_of_the_types() -> None:
    assert shipped_schema() == derive_schema(), (
        "the answer types have changed: write json_format/answers.schema.json anew with\n"
        "python -m scripts.make_answer_schema"
    )


@pytest.mark.parametrize("name", sorted(DOCUMENTS))
def test_on_forty_columns_only_words_that_are_longer_run_over(name: str) -> None:
    for line in to_text(DOCUMENTS[name](), width=40).splitlines():
        assert len(line) <= 40 or len(line.split()) == 1 or "|" in line, line


def test_a_column_is_not_torn_apart() -> None:
    document = Document()
    document.add([row("//pkg:a_name", name("  data <- SOME_CONSTANT (x.bzl:1)"))])
    assert to_text(document, width=40).splitlines() == [
        "//pkg:a_name",
        "    data <- SOME_CONSTANT (x.bzl:1)",
    ]
    assert to_text(document, width=50).splitlines() == [
        "//pkg:a_name  data <- SOME_CONSTANT (x.bzl:1)"
    ]


def test_a_long_word_moves_to_the_left_by_whole_indents() -> None:
    document = Document()
    document.add([row("is wanted by a target:", " ", "//a/long/package/name:target")], "Title")
    assert to_text(document, width=31).splitlines() == [
        "Title",
        "  is wanted by a target:",
        "  //a/long/package/name:target",
    ]


def test_an_aside_that_is_too_long_for_its_column_stands_beside_its_row() -> None:
    document = Document()
    document.add([row("x" * 20, aside="b:1"), row("short", aside="some/package/BUILD:123")])
    assert to_text(document, width=40).splitlines() == [
        "xxxxxxxxxxxxxxxxxxxx  b:1",
        "short  some/package/BUILD:123",
    ]


def test_a_word_that_is_broken_anyway_stays_behind_what_it_belongs_to() -> None:
    url = "https://example.org/" + "x" * 30
    document = Document()
    document.add([row("from ", url), row("behind quite a few more words ", "of it ", url)])
    assert to_text(document, width=40).splitlines() == [
        f"from {url}",
        "behind quite a few more words of it",
        f"    {url}",
    ]
    assert to_text(document, width=52).splitlines()[-1] == f"  {url}"
    indented = Document()
    indented.add([row("--flag=", url, indent=1)])
    assert to_text(indented, width=40).splitlines() == [f"  --flag={url}"]
