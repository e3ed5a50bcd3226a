"""Finds the Lark grammars, builds their parsers once, and words Lark's errors as ours.

An installed bazelscope carries `grammars/` inside the package; a checkout has it beside the
package. Nothing else in bazelscope knows the difference.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bazelscope.base.errors import Diagnostic
from bazelscope.base.source import SourceFile

if TYPE_CHECKING:
    from lark import Lark
    from lark.exceptions import UnexpectedInput

_PACKAGE = Path(__file__).resolve().parents[1]
_FOLDERS = (_PACKAGE / "_grammars", _PACKAGE.parent / "grammars")


@cache
def text(name: str) -> str:
    """The text of the grammar `name` (`starlark`); LookupError if none has that name."""
    for folder in _FOLDERS:
        path = folder / f"{name}.lark"
        if path.is_file():
            return path.read_text(encoding="utf-8")
    raise LookupError(f"no grammar named {name}")


@cache
def build(name: str, start: str = "start", **options: Any) -> Lark:
    """The LALR parser of the grammar `name`, built at its first use.

    `options` go to Lark; they must be hashable. Lark is imported here, because most runs
    find everything in a cache and parse nothing.
    """
    from lark import Lark

    settings: dict[str, Any] = {"parser": "lalr", "maybe_placeholders": False, **options}
    return Lark(text(name), start=start, **settings)


def syntax_error(error: UnexpectedInput, source: SourceFile, code: str) -> Diagnostic:
    """What Lark could not read, in our words and with a span in `source`."""
    from lark.exceptions import UnexpectedCharacters, UnexpectedToken

    position = error.pos_in_stream if error.pos_in_stream is not None else len(source.text)
    if isinstance(error, UnexpectedToken) and error.token.type == "$END":
        end = len(source.text)
        return Diagnostic(code, "unexpected end of file", source.span(end, end))
    if isinstance(error, UnexpectedToken):
        token = str(error.token)
        shown = "end of line" if not token.strip() else f"`{token}`"
        span = source.span(position, position + max(1, len(token)))
        return Diagnostic(code, f"unexpected {shown}", span)
    if isinstance(error, UnexpectedCharacters):
        span = source.span(position, position + 1)
        return Diagnostic(code, f"unexpected character `{source.text[position]}`", span)
    return Diagnostic(code, "syntax error", source.span(position, position))
