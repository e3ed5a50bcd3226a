"""Texts of a workspace in a hover, as a reader of Markdown takes them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from bazelscope.editor.markdown import code, documentation, fenced, plain

_READER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])

_PIECES = st.sampled_from(
    [
        *("`", "``", "```", "````", "~~~", "~~~~", "<img src=x>", "</b>", "<http://evil/>", "<!--"),
        *("![x](http://evil/)", "[x](command:x)", "[x]: http://evil/", "[x][x]", "|", "|-|", "\\"),
        *("\n", "\r", "\n\n", "    ", "   ", "- ", "> ", "1. ", "\t", "a", "_", "*", "&lt;", "#"),
    ]
)
_TEXTS = st.lists(_PIECES, max_size=24).map("".join)
_MARKUP = {"html_block", "html_inline", "link_open", "image"}


def _tokens(written: str) -> Iterator[Token]:
    for token in _READER.parse(written):
        yield token
        yield from token.children or ()


def _kinds(written: str) -> set[str]:
    return {token.type for token in _tokens(written)}


def _said(written: str) -> str:
    return "".join(
        "\n" if token.type == "softbreak" else token.content
        for token in _tokens(written)
        if token.type != "inline"
    )


@given(_TEXTS)
@settings(deadline=None, max_examples=500)
def test_no_text_makes_markup(text: str) -> None:
    whole = "\n\n".join(
        [
            f"**{code(text)}** {plain(text)}, {code(text)}",
            fenced(text, "starlark"),
            documentation(text),
            f"- {plain(text)}",
        ]
    )
    assert not _kinds(whole) & _MARKUP, whole


@given(_TEXTS)
@settings(deadline=None)
def test_a_text_reads_as_it_is(text: str) -> None:
    flat = " ".join(text.split())
    assert _said(f"x {plain(text)} x").split() == f"x {flat} x".split()
    assert _said(f"x {code(text)} x") == f"x {flat or ' '} x"
    assert _said(fenced(text, "")).split() == text.split()


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("Has `code[1](x)`, *emphasis*.", {"code_inline", "em_open"}),
        ("```\nr(deps = [x](y))\n```\nMore.", {"fence"}),
        ("- one\n- two", {"bullet_list_open"}),
    ],
)
def test_documentation_keeps_its_form(text: str, kinds: set[str]) -> None:
    assert documentation(text) == text
    assert kinds <= _kinds(text)
