"""Java's regular expressions, searched with Python's.

What 4.2.3 answers to most of these patterns is in the oracle tier (`random_queries`).
"""

from __future__ import annotations

import pytest

from bazelscope.query.language.query_evaluation import compile_pattern
from bazelscope.query.language.query_parser import QueryError, query_source
from bazelscope.query.language.query_syntax import Word


def _found(pattern: str, text: str) -> bool:
    word = Word(pattern, query_source(pattern).span(0, len(pattern)))
    return compile_pattern("filter", word).search(text)


@pytest.mark.parametrize(
    ("pattern", "matches", "does_not"),
    [
        (r"\Q.t\E", "a.t", "axt"),
        (r"\Qa+", "a+", "aa"),
        (r"\Qab\E+$", "abb", "abab."),
        (r"^\p{Lower}+$", "abc", "aBc"),
        (r"\p{Lu}", "aB", "ab"),
        (r"^\P{L}+$", "12", "1a"),
        (r"\p{IsLatin}", "a", "1"),
        (r"\p{javaUpperCase}", "A", "a"),
        (r"\pL", "a", "1"),
        ("[a-z&&[^b]]$", "a", "b"),
        ("^[a-c[x-z]]+$", "ax", "ad"),
        (r"[^a\d]$", "b", "a"),
        ("[]a]", "]", "b"),
        (r"[a\-z]", "-", "b"),
        (r"[\Qa-c\E]", "-", "b"),
        ("(?<n>a)b\\k<n>", "aba", "abb"),
        (r"(a)(b)?c\1", "aca", "acb"),
        (r"x|\1a", "x", "1a"),
        ("a(?i)B|C", "ac", "Bd"),
        ("(?i:a)b", "Ab", "AB"),
        ("(?x) a  b # no more", "ab", "a b"),
        ("(?m)^b$", "a\nb\nc", "ab"),
        ("a.b", "axb", "a\rb"),
        ("(?s)a.b", "a\nb", "ab"),
        ("a$", "a\n", "a\nb"),
        (r"a\z", "a", "a\n"),
        (r"\x61\u0062\0143", "abc", "ab"),
        (r"\h\H", "\tx", "x\t"),
        (r"a\Rb", "a\r\nb", "ab"),
        (r"\ca", "!", "a"),
        (r"\e", "\x1b", "e"),
        ("a{2}", "aa", "a"),
        ("^$", "", "a"),
    ],
)
def test_finds(pattern: str, matches: str, does_not: str) -> None:
    assert _found(pattern, matches)
    assert not _found(pattern, does_not)


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        ("(", "Unclosed group"),
        ("a)", r"Unmatched closing '\)'"),
        ("[a", "Unclosed character class"),
        ("[z-a]", "Illegal character range"),
        ("*", r"Dangling meta character '\*'"),
        ("a**", r"Dangling meta character '\*'"),
        ("{}", "Illegal repetition"),
        ("a{2,1}", "Illegal repetition range"),
        (r"\p{Foo}", "Unknown character property name {Foo}"),
        (r"\k<n>", "named capturing group <n> does not exist"),
        (r"\y", "Illegal/unsupported escape sequence"),
        (r"\x6", "Illegal hexadecimal escape sequence"),
        ("(?P<n>a)", "Unknown inline modifier"),
        ("a\\", "Unexpected end"),
    ],
)
def test_refuses(pattern: str, why: str) -> None:
    with pytest.raises(QueryError, match=why):
        _found(pattern, "")
