"""A command line that is being typed, cut into words as a shell would."""

from __future__ import annotations

from bazelscope.base.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class TypedLine:
    """The words before the one at the cursor, and that one: its text, and as it was typed.

    `quote` is the quotation mark that is still open at the cursor, or empty.
    """

    before: tuple[str, ...]
    current: str
    raw: str
    quote: str


def split(line: str) -> TypedLine:
    """Cuts a line at unquoted spaces. What is not closed is taken as it stands."""
    words: list[str] = []
    text = raw = quote = ""
    position = 0
    while position < len(line):
        char = line[position]
        position += 1
        if not quote and char.isspace():
            if raw:
                words.append(text)
            text = raw = ""
            continue
        raw += char
        if char == quote:
            quote = ""
        elif not quote and char in "'\"":
            quote = char
        elif char == "\\" and quote != "'" and position < len(line):
            text += line[position]
            raw += line[position]
            position += 1
        else:
            text += char
    return TypedLine(tuple(words), text, raw, quote)
