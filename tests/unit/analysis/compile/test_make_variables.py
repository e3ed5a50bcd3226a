"""Make variables, and strings cut as a shell cuts them."""

from __future__ import annotations

import pytest

from bazelscope.bazel.native_texts import TemplateError, expand, tokenize


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("-DX -DY", ("-DX", "-DY")),
        ("'-DS=a b'", ("-DS=a b",)),
        (r"-DQ=\"a\"", ('-DQ="a"',)),
        ('"a \\" b"', ('a " b',)),
        (r'"a\n"', (r"a\n",)),
        ("", ()),
        ("''", ("",)),
        ("a'b'\"c\"", ("abc",)),
    ],
)
def test_words_of_a_shell(text: str, words: tuple[str, ...]) -> None:
    assert tokenize(text) == words


@pytest.mark.parametrize("text", ["'a", '"a', "a\\"])
def test_texts_that_do_not_end(text: str) -> None:
    with pytest.raises(TemplateError):
        tokenize(text)


def _known(name: str, argument: str | None) -> str | None:
    return {"A": "x", "@": "out", "location": f"<{argument}>"}.get(name)


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("-D$(A)", "-Dx"),
        ("$$(A)", "$(A)"),
        ("$@", "out"),
        ("$(location :f) $(A)", "<:f> x"),
        ("plain", "plain"),
    ],
)
def test_make_variables(text: str, made: str) -> None:
    assert expand(text, _known) == made


@pytest.mark.parametrize("text", ["$(B)", "$(A", "a$", "$b"])
def test_make_variables_that_bazel_refuses(text: str) -> None:
    with pytest.raises(TemplateError):
        expand(text, _known)
