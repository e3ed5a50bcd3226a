"""Drawings written to files that the user names, or to standard output."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from bazelscope.cli.bazel_line import together
from bazelscope.render.format_names import FORMATS

if TYPE_CHECKING:
    from bazelscope.base.source import Location
    from bazelscope.cli.session import Session
    from bazelscope.questions.shared.envelope import Answer
    from bazelscope.render.document import Document
    from bazelscope.render.drawing import Drawing

_A = TypeVar("_A", bound="Answer")

_ENDINGS = ", ".join(f".{name}" for name in FORMATS)
_BINARY = ("png", "pdf")


drawing_options = together(
    click.option("-o", "output", metavar="FILE", help=f"A picture: FILE with one of {_ENDINGS}."),
    click.option(
        "--as", "drawn_as", type=click.Choice(FORMATS), help="Whatever the file is called."
    ),
    click.option(
        "--boxes",
        type=click.IntRange(2),
        default=30,
        show_default=True,
        help="Fold what is more, so that it can be read.",
    ),
    click.option(
        "--link",
        metavar="URL",
        default="none",
        help="Boxes lead there: vscode://file/{path}:{line}, or a URL of the web.",
    ),
    click.option(
        "--every-edge", is_flag=True, help="Every arrow and box of its own, however many."
    ),
)
"""The options that every picture takes."""


class Picture(NamedTuple):
    """The picture that a command line asks for beside its answer, if it asks for one; `how` it is
    drawn."""

    output: str | None
    file_format: str | None
    link: str
    how: dict[str, Any]

    @classmethod
    def taken_from(cls, options: dict[str, Any], always: bool = False, **how: Any) -> Picture:
        """Takes what `drawing_options` added out of a command's options. `always`: a picture is
        drawn where no option asks for one."""
        output, drawn_as = options.pop("output"), options.pop("drawn_as")
        output = None if output == "-" else output
        is_wanted = always or output is not None or drawn_as is not None
        file_format = drawing_format(output, drawn_as) if is_wanted else None
        how |= {name: options.pop(name) for name in ("boxes", "every_edge")}
        return cls(output, file_format, options.pop("link"), how)

    def tell(
        self,
        session: Session,
        kind: str,
        answer: _A,
        document: Callable[[_A, bool], Document],
        drawing: Callable[[_A, Callable[[Location | None], str]], Drawing] | None,
        beside: Callable[[_A, bool], Document] | None = None,
    ) -> int:
        """Prints an answer, and draws it where that is asked for: into the file, or instead of the
        text; what stands `beside` a drawing on standard output goes to standard error. Without
        `drawing` there is nothing to draw. Returns the exit code."""
        if self.file_format is None or drawing is None:
            return session.tell(kind, answer, document)
        root = session.workspace.root
        how = {**self.how, "keep_out": root}
        if self.output is None and session.is_json:
            return session.tell(kind, answer, document)
        from bazelscope.render.links import Links

        drawn = drawing(answer, Links(self.link, root).to)
        if self.output is not None:
            write_drawing(self.output, drawn, self.file_format, **how)
            return session.tell(kind, answer, document)
        from bazelscope.render.formats import draw

        session.write_data(draw(drawn, self.file_format, **how))
        session.note_refusals(answer.envelope.refusals)
        if beside is not None:
            session.note(beside(answer, session.full))
        return session.close(answer)


def drawing_format(output: str | None, wanted: str | None) -> str:
    """The format that `--as` says, or else the file name; DOT without either. Raises
    `UsageError` if no drawing can be made for that file name, and `click.UsageError` if the
    drawing would go to a terminal that cannot show it, or cannot be written."""
    if wanted is None:
        wanted = "dot" if output is None else _format_of(Path(output))
    if output is None and wanted in _BINARY and sys.stdout.isatty():
        raise click.UsageError(f"a terminal shows no {wanted.upper()}: say -o FILE.{wanted}")
    if output is not None:
        check_writable(Path(output))
    return wanted


def _format_of(file: Path) -> str:
    from bazelscope.render.formats import format_of

    return format_of(file.suffix.removeprefix("."))


def check_writable(file: Path) -> None:
    """Whether a file could be written there, before work is done for it."""
    from bazelscope.base.paths import is_folder, is_there

    if is_folder(file):
        raise click.FileError(str(file), os.strerror(errno.EISDIR))
    if not is_folder(file.parent):
        raise click.FileError(str(file), os.strerror(errno.ENOENT))
    at = file if is_there(file) else file.parent
    if not os.access(at, os.W_OK):
        is_read_only = hasattr(os, "statvfs") and os.statvfs(at).f_flag & os.ST_RDONLY
        why = errno.EROFS if is_read_only else errno.EACCES
        raise click.FileError(str(file), os.strerror(why))


def write_drawing(output: str, drawing: Drawing, file_format: str, **how: Any) -> None:
    """Draws into a file as `bazelscope.render.formats.draw` is told to; raises `UsageError` if it
    cannot be drawn, and `click.FileError` if it cannot be written."""
    from bazelscope.render.formats import draw

    write_file(output, draw(drawing, file_format, **how))


def write_file(output: str, data: bytes) -> None:
    """Writes the file that a command line names. Raises `click.FileError` if it cannot."""
    try:
        Path(output).write_bytes(data)
    except OSError as error:
        raise click.FileError(output, error.strerror) from error
