"""Drawings written to files that the user names, or to standard output."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from bazelscope.render.format_names import FORMATS

if TYPE_CHECKING:
    from bazelscope.base.source import Location
    from bazelscope.cli.session import Session
    from bazelscope.questions.shared.envelope import Answer
    from bazelscope.render.document import Document
    from bazelscope.render.drawing import Drawing

_Command = TypeVar("_Command", bound=Callable[..., Any])

_ENDINGS = ", ".join(f".{name}" for name in FORMATS)
_BINARY = ("png", "pdf")


def drawing_options(command: _Command) -> _Command:
    """The options that every picture takes."""
    for option in reversed(
        (
            click.option(
                "-o",
                "output",
                metavar="FILE",
                help=f"A picture: FILE with one of {_ENDINGS}.",
            ),
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
    ):
        command = option(command)
    return command


class Picture(NamedTuple):
    """The picture that a command line asks for beside its answer, if it asks for one."""

    output: str | None
    file_format: str | None
    link: str
    boxes: int
    every_edge: bool

    @classmethod
    def taken_from(cls, options: dict[str, Any]) -> Picture:
        """Takes what `drawing_options` added out of a command's options."""
        output, drawn_as = options.pop("output"), options.pop("drawn_as")
        output = None if output == "-" else output
        is_wanted = output is not None or drawn_as is not None
        return cls(
            output,
            drawing_format(output, drawn_as) if is_wanted else None,
            options.pop("link"),
            options.pop("boxes"),
            options.pop("every_edge"),
        )

    def show(
        self,
        session: Session,
        kind: str,
        answer: Answer,
        document: Callable[[], Document],
        drawing: Callable[[Callable[[Location | None], str]], Drawing] | None,
    ) -> None:
        """Shows an answer, and draws it where that is asked for: into the file, or instead of the
        text. Without `drawing` there is nothing to draw."""
        if self.file_format is None or drawing is None:
            session.show(kind, answer, document)
            return
        from bazelscope.render.formats import draw
        from bazelscope.render.links import Links

        root = session.workspace.root
        drawn = drawing(Links(self.link, root).to)
        how: dict[str, Any] = {
            "boxes": self.boxes,
            "every_edge": self.every_edge,
            "keep_out": root,
        }
        if self.output is not None:
            write_drawing(self.output, drawn, self.file_format, **how)
            session.show(kind, answer, document)
        elif session.is_json:
            session.show(kind, answer, document)
        else:
            session.write_data(draw(drawn, self.file_format, **how))
            session.note_refusals(answer.envelope.refusals)


def drawing_format(output: str | None, wanted: str | None) -> str:
    """The format that `--as` says, or else the file name; DOT without either. Raises
    `UsageError` if no drawing can be made for that file name, and `click.UsageError` if the
    drawing would go to a terminal that cannot show it, or cannot be written."""
    if wanted is None:
        wanted = "dot" if output is None else _format_of(Path(output))
    if output is None and wanted in _BINARY and sys.stdout.isatty():
        raise click.UsageError(f"a terminal shows no {wanted.upper()}: say -o FILE.{wanted}")
    if output is not None:
        _check(Path(output))
    return wanted


def _format_of(file: Path) -> str:
    from bazelscope.render.formats import format_of

    return format_of(file.suffix.removeprefix("."))


def _check(file: Path) -> None:
    """Whether a drawing could be written there, before work is done for it."""
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


def write_drawing(
    output: str,
    drawing: Drawing,
    file_format: str,
    **how: Any,
) -> None:
    """Draws into a file as `bazelscope.render.formats.draw` is told to; raises `UsageError` if it
    cannot be drawn, and `click.FileError` if it cannot be written."""
    from bazelscope.render.formats import draw

    drawn = draw(drawing, file_format, **how)
    try:
        Path(output).write_bytes(drawn)
    except OSError as error:
        raise click.FileError(output, error.strerror) from error
