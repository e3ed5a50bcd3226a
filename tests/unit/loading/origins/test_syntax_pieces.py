"""A piece of a long file costs what the piece is long, wherever it stands."""

from __future__ import annotations

import pytest

from bazelscope import starlark
from bazelscope.base.source import Location, SourceFile
from bazelscope.loading.origins.syntax_pieces import SyntaxPieces
from bazelscope.starlark.syntax import tree

TEXT = "\n".join(f"f(\n    name = 'n{number}',\n)\n" for number in range(500))


def test_pieces_of_a_file_are_as_long_as_the_file_all_together() -> None:
    reads: list[str] = []

    def read(path: str) -> SourceFile:
        reads.append(path)
        return SourceFile(path, TEXT)

    pieces = SyntaxPieces(read)
    found = [pieces.at("BUILD", line) for line in range(2, 2001, 4)]
    assert len(found) == 500 and reads == ["BUILD"]
    held = sum(len(piece.file.source.text) for piece in found if piece is not None)
    assert held <= len(TEXT) + 2 * 500


def test_a_piece_tells_places_of_the_file() -> None:
    pieces = SyntaxPieces(lambda path: SourceFile(path, TEXT))
    piece = pieces.at("BUILD", 1999)
    assert piece is not None and isinstance(piece.statement, tree.ExpressionStatement)
    place = piece.location(piece.statement.start)
    assert place == ("BUILD", 1997, 1)
    assert str(piece.file.span(piece.statement)) == "BUILD:1997:1"
    source = piece.file.source
    assert source.offset(place) == piece.statement.start
    assert source.line(1998) == "    name = 'n499',"
    assert (source.line(1996), source.line(1)) == ("", "")
    assert [one.location(one.statement.start).line for one in pieces.every("BUILD")] == [
        *range(1, 2000, 4)
    ]


def test_pieces_one_by_one_where_the_file_does_not_parse() -> None:
    pieces = SyntaxPieces(lambda path: SourceFile(path, f"{TEXT}\nf(])\n\ng()\n"))
    lines = [one.location(one.statement.start).line for one in pieces.every("BUILD")]
    assert lines == [*range(1, 2000, 4), 2003]


def test_a_call_in_a_long_function_is_found_without_parsing_all_of_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = """
def repositories():
    first(
        name = "a",
        urls = [
            "u",
    ])
    if True:
        x = second(name = "b")
        # A comment.
    third(deps = inner(name = "c"),
        name = "d",
    )
"""
    file = SourceFile("f.bzl", text)
    whole = starlark.parse(file, starlark.FileKind.BZL)
    calls = [node for node in tree.walk(whole.statements[0]) if isinstance(node, tree.Call)]
    assert len(calls) == 4
    read: list[int] = []
    parse = starlark.parse

    def noted(source: SourceFile, kind: starlark.FileKind) -> tree.File:
        read.append(source.text.count("\n"))
        return parse(source, kind)

    monkeypatch.setattr(starlark, "parse", noted)
    pieces = SyntaxPieces(lambda path: file)
    for call in calls:
        found = pieces.call_at(whole.location(call.opening))
        assert found is not None
        names = [argument.name for argument in found.arguments]
        assert names == [argument.name for argument in call.arguments]
    assert max(read) < 8
    assert pieces.call_at(Location("f.bzl", 2, 5)) is None
