"""Text of a workspace as it may reach a terminal: what would command the terminal is spelled out.

Names, messages and values come out of files that somebody else wrote. An escape sequence in
one of them could recolour, erase or retitle the screen, and a character that turns the writing
direction could make a line read as what it is not.
"""

from __future__ import annotations

import re

from bazelscope.base.lazy_pattern import lazy_pattern

_COMMANDS = (
    "\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f"  # C0 without tab and newline, DEL, C1
    "\\udc80-\\udc9f"  # a byte of C1 that was no UTF-8
    "\\ud800-\\udbff\\udd00-\\udfff"  # halves of characters, which no encoding takes
    "\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069"  # line ends and writing directions
    "\\xad\\u200b\\u2060\\ufeff"  # nothing to be seen, like a byte order mark
)
_COMMAND = lazy_pattern(f"[{_COMMANDS}]")
_NOT_IN_JSON = lazy_pattern(f"[{_COMMANDS}\\udc00-\\udfff]")


def visible(text: str) -> str:
    """`text` with control characters as `\\x1b` and the like; tabs and newlines stay."""
    return text if text.isprintable() else _COMMAND.sub(_spelled, text)


def visible_json(document: str) -> str:
    """A JSON document of the same content that commands no terminal and is valid UTF-8."""
    if document.isascii() and "\x7f" not in document:
        return document
    return _NOT_IN_JSON.sub(lambda match: f"\\u{ord(match[0]):04x}", document)


def _spelled(match: re.Match[str]) -> str:
    code = ord(match[0])
    if 0xDC80 <= code <= 0xDCFF:
        code -= 0xDC00  # Python keeps such a byte so.
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
