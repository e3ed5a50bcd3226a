"""The query language's syntax: what is read, and what is said of what cannot be."""

from __future__ import annotations

import pytest

from bazelscope.query.language.query_parser import QueryError, parse
from bazelscope.query.language.query_syntax import patterns_of, quoted
from bazelscope.query.language.signatures import Command


def _read(text: str, command: Command = Command.QUERY, version: str = "4.2.3") -> str:
    return str(parse(text, command, version))


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("//a:b", "//a:b"),
        (" //a:b\t", "//a:b"),
        ("a + b - c ^ d", "(((a + b) - c) ^ d)"),
        ("a union b except c intersect d", "(((a + b) - c) ^ d)"),
        ("a + (b ^ c)", "(a + (b ^ c))"),
        ("a+b", "(a + b)"),
        ("a-b", "a-b"),
        ("a -b", "(a - b)"),
        ("deps(a)", "deps(a)"),
        ("deps( a , 3 )", "deps(a, 3)"),
        ("deps(a, '3')", "deps(a, 3)"),
        ("'deps'(a)", "deps(a)"),
        ("set()", "set()"),
        ("set(a 'b c' //d/...)", "set(a 'b c' //d/...)"),
        ("settings", "settings"),
        ("'set'", "'set'"),
        ("let x = a in $x + b", "let x = a in ($x + b)"),
        ("a + let x = b in $x + c", "(a + let x = b in ($x + c))"),
        ('kind("it\'s a rule", a)', 'kind("it\'s a rule", a)'),
        ("attr(deps, '^a+$', b)", "attr(deps, '^a+$', b)"),
        ("@@rules+1//a:b", "'@@rules+1//a:b'"),
        ("@r//:x", "@r//:x"),
        ("[x", "[x"),
        ("%x", "'%x'"),
    ],
)
def test_reads(text: str, meaning: str) -> None:
    assert _read(text) == meaning


def test_a_word_with_brackets_is_quoted_before_bazel_6() -> None:
    assert str(parse("//a:[x]~1", Command.QUERY, "6.0.0")) == "//a:[x]~1"
    assert str(parse("'//a:[x]~1'", Command.QUERY, "5.4.1")) == "//a:[x]~1"
    with pytest.raises(QueryError, match="a word with brackets is quoted") as raised:
        parse("deps(//a:[x]~1)", Command.QUERY, "5.4.1")
    assert raised.value.diagnostic.code == "query-syntax"


@pytest.mark.parametrize(
    ("text", "column", "code", "said"),
    [
        ("", 1, "query-syntax", "unexpected end of the query"),
        ("a +", 4, "query-syntax", "unexpected end of the query"),
        ("deps(a", 7, "query-syntax", "unexpected end of the query"),
        ("a b", 3, "query-syntax", "unexpected `b`"),
        ("a )", 3, "query-syntax", "unexpected `)`"),
        ("a % b", 3, "query-syntax", "unexpected `%`"),
        ("a + 'b", 5, "query-syntax", "no closing `'`"),
        ("*", 1, "query-syntax", "cannot begin with `*`"),
        ("'-a'", 1, "query-syntax", "cannot begin with `-`"),
        ("set(a, b)", 6, "query-syntax", "unexpected `,`"),
        ("depz(a)", 1, "unknown-query-function", "no query function `depz`"),
        ("deps()", 1, "query-arguments", "1 or 2 arguments, but none are given"),
        ("deps(a, 1, 2)", 12, "query-arguments", "3 are given"),
        ("deps(a, x)", 9, "query-arguments", "a number here, not `x`"),
        ("deps(a, 99999999999)", 9, "query-arguments", "a number here"),
        ("kind(a + b, c)", 6, "query-arguments", "a word here"),
        ("some(a, 2)", 9, "query-arguments", "one argument, but 2 are given"),
        ("config(a, target)", 1, "unknown-query-function", "no function of `query`"),
        ("executables(a)", 1, "unknown-query-function", "Bazel 4.2.3 has no"),
        ("allrdeps(a)", 1, "query-needs-universe", "none is given"),
    ],
)
def test_refuses(text: str, column: int, code: str, said: str) -> None:
    with pytest.raises(QueryError) as caught:
        _read(text)
    found = caught.value.diagnostic
    assert found.code == code
    assert said in found.message
    assert found.span is not None
    assert (found.span.line, found.span.column) == (1, column)


def test_says_what_was_expected() -> None:
    with pytest.raises(QueryError) as caught:
        _read("deps(//a:b")
    assert caught.value.diagnostic.hint == "expected `)` or `,`"


def test_names_the_nearest_function() -> None:
    with pytest.raises(QueryError) as caught:
        _read("rdepz(a, b)")
    hint = caught.value.diagnostic.hint
    assert hint is not None and hint.startswith("did you mean `rdeps`")


def test_versions_and_commands() -> None:
    assert _read("some(a, 2)", version="5.0.0") == "some(a, 2)"
    assert _read("executables(a)", version="9.0.0") == "executables(a)"
    assert _read("config(a, target)", Command.CQUERY) == "config(a, target)"
    assert str(parse("allrdeps(a)", Command.QUERY, "4.2.3", universe=True)) == "allrdeps(a)"
    with pytest.raises(QueryError):
        parse("allrdeps(a)", Command.CQUERY, "4.2.3", universe=True)


def test_nesting_is_bounded_and_chains_are_not() -> None:
    with pytest.raises(QueryError) as caught:
        _read("deps(" * 1000 + "a" + ")" * 1000)
    assert caught.value.diagnostic.code == "query-syntax"
    chain = parse(" + ".join(["a"] * 5000), Command.QUERY, "4.2.3")
    assert len(patterns_of(chain)) == 5000


def test_patterns() -> None:
    tree = parse("let x = deps(a) in $x + set(b c) - kind(d, e)", Command.QUERY, "4.2.3")
    assert [literal.text for literal in patterns_of(tree)] == ["a", "b", "c", "e"]


@pytest.mark.parametrize("word", ["a", "-a", "*", "let", "it's", "", "a b"])
def test_quoted_words_are_read_as_they_were(word: str) -> None:
    assert _read(f"kind({quoted(word)}, a)") == f"kind({quoted(word)}, a)"
