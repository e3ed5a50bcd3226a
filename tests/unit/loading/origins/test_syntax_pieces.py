"""A piece of a long file costs what the piece is long, wherever it stands."""

from __future__ import annotations

from bazelscope.base.source import SourceFile
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
