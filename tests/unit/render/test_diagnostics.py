"""Rendered diagnostics, carets included, against golden files (see golden.py)."""

from __future__ import annotations

import pytest

from bazelscope.base.errors import Diagnostic, Note, Severity
from bazelscope.base.source import Frame, Location, SourceFile, Span
from bazelscope.render.console import to_text
from bazelscope.render.diagnostics import add_diagnostics
from bazelscope.render.document import Document
from tests.unit.questions.golden import check_golden

SOURCES = {
    "app/BUILD": SourceFile("app/BUILD", 'cc_library(\n    name = "a",\n\tdeps = ),\n)\n'),
    "long.bzl": SourceFile("long.bzl", "x = [" + '"abcdefgh", ' * 40 + "oops]\n"),
    "wide.bzl": SourceFile("wide.bzl", 'x = "漢字" + 1 + é\n'),
}
CASES = {
    "caret": Diagnostic(
        "syntax-error",
        "unexpected `)`, expected an expression",
        Span("app/BUILD", 3, 9, 3, 10),
        (Note("the bracket was opened here", Span("app/BUILD", 1, 11, 1, 12)),),
        "write a value behind `deps =`",
    ),
    "range-over-lines": Diagnostic("x", "a range", Span("app/BUILD", 1, 1, 4, 2)),
    "end-of-line": Diagnostic("x", "unexpected end", Span("app/BUILD", 1, 12, 1, 12)),
    "past-the-file": Diagnostic("x", "unexpected end of file", Span("app/BUILD", 9, 1, 9, 1)),
    "unknown-file": Diagnostic("x", "gone", Span("other/BUILD", 1, 1, 1, 2)),
    "long-line": Diagnostic("x", "name `oops` is not defined", Span("long.bzl", 1, 486, 1, 490)),
    "wide-characters": Diagnostic("x", "cannot add", Span("wide.bzl", 1, 12, 1, 13)),
    "call-stack": Diagnostic(
        "eval-error",
        "`name` must be a string",
        Span("defs.bzl", 3, 5, 3, 9),
        call_stack=(
            Frame("<toplevel>", Location("app/BUILD", 1, 11)),
            Frame("my_library", Location("defs.bzl", 3, 5)),
        ),
        severity=Severity.WARNING,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_diagnostic(name: str) -> None:
    document = Document()
    add_diagnostics(document, [CASES[name]], SOURCES.get)
    check_golden(f"diagnostic-{name}.txt", to_text(document))


def test_one_problem_met_by_many_calls_is_told_once() -> None:
    document = Document()
    add_diagnostics(document, [CASES["caret"]] * 3, SOURCES.get)
    text = to_text(document)
    assert text.count("unexpected `)`") == 1
    assert "and the same 2 more times" in text


def test_caret_stands_under_the_character() -> None:
    document = Document()
    add_diagnostics(document, [CASES["long-line"]], SOURCES.get)
    lines = to_text(document).splitlines()
    excerpt = next(line for line in lines if "oops]" in line)
    carets = next(line for line in lines if "^^^^" in line)
    assert excerpt[carets.index("^") :].startswith("oops]")


def test_of_many_of_one_kind_the_first_are_shown() -> None:
    many = [Diagnostic("no-command", f"line {number} is none", None) for number in range(1, 152)]
    other = Diagnostic("else", "something else", None)
    document = Document()
    add_diagnostics(document, [*many, other])
    text = to_text(document)
    assert "line 20 is none" in text
    assert "line 21 is none" not in text
    assert "something else" in text
    assert text.endswith("and 131 more like these (--full shows all)\n")
    document = Document()
    add_diagnostics(document, many, full=True)
    assert "line 151 is none" in to_text(document)
