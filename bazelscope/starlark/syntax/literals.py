"""The values of number and string literals."""

from __future__ import annotations

import re

from bazelscope.base.lazy_pattern import lazy_pattern

_ESCAPE = lazy_pattern(
    r"\\(?:\r?\n|[0-7]{1,3}|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)", re.DOTALL
)
_SIMPLE = {
    "a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v",
    "\\": "\\", "'": "'", '"': '"', "\n": "", "\r": "",
}  # fmt: skip


class LiteralError(ValueError):
    """A literal that means nothing; `offset` and `length` place it inside the literal."""

    def __init__(self, message: str, offset: int, length: int) -> None:
        super().__init__(message)
        self.offset = offset
        self.length = length


def integer(text: str) -> int:
    """The value of an integer literal; LiteralError for C's octal or an absurd length."""
    if len(text) > 4000:
        raise LiteralError("integer literal is too long", 0, len(text))
    if len(text) > 1 and text[0] == "0" and text[1].isdigit():
        # As in C, and in Bazel before 1.0; a host refuses it that has none.
        if text.strip("01234567"):
            message = f"invalid octal number: use `0o{text.lstrip('0')}`"
            raise LiteralError(message, 0, len(text))
        return int(text, 8)
    return int(text, 0)


def string(text: str) -> str:
    """The value of a string literal, prefix and quotes included in `text`."""
    raw = text[0] == "r"
    start = 1 if raw else 0
    quote = 3 if text.startswith(('"""', "'''"), start) and len(text) - start >= 6 else 1
    body = text[start + quote : -quote]
    if "\r" in body:
        body = body.replace("\r\n", "\n")
    return body if raw or "\\" not in body else _unescape(body, start + quote)


def _unescape(body: str, offset: int) -> str:
    def replace(match: re.Match[str]) -> str:
        escape = match[0]
        character = escape[1]
        simple = _SIMPLE.get(character)
        if simple is not None:
            return simple
        if character in "01234567":
            value = int(escape[1:], 8)
            if value > 0o377:
                message = f"octal escape `{escape}` is out of range (at most \\377)"
                raise LiteralError(message, offset + match.start(), len(escape))
            return chr(value)
        if character in "xuU" and len(escape) > 2:
            value = int(escape[2:], 16)
            if value > 0x10FFFF or 0xD800 <= value <= 0xDFFF:
                message = f"escape `{escape}` names no Unicode character"
                raise LiteralError(message, offset + match.start(), len(escape))
            return chr(value)
        # Bazel before 3.0 kept the backslash of an escape that it did not know, and build
        # files of that time rely on it ("\.").
        return escape

    return _ESCAPE.sub(replace, body)


def bytes_literal(text: str) -> bytes:
    """The value of a bytes literal: `string` of it, in UTF-8, with \\x as single bytes."""
    prefix = 2 if text[1] in "rb" and text[1] not in "\"'" else 1
    raw = "r" in text[:prefix]
    quote = 3 if text.startswith(('"""', "'''"), prefix) and len(text) - prefix >= 6 else 1
    body = text[prefix + quote : -quote]
    if raw or "\\" not in body:
        return body.encode("utf-8")
    out = bytearray()
    position = 0
    for match in _ESCAPE.finditer(body):
        out += body[position : match.start()].encode("utf-8")
        position = match.end()
        escape = match[0]
        if escape[1] in "01234567":
            out.append(int(escape[1:], 8) & 0xFF)
        elif escape[1] == "x" and len(escape) > 2:
            out.append(int(escape[2:], 16))
        else:
            out += _unescape(escape, prefix + quote + match.start()).encode("utf-8")
    return bytes(out + body[position:].encode("utf-8"))


def floating(text: str) -> float:
    """The value of a float literal; LiteralError if it is too large for one."""
    value = float(text)
    if value == float("inf"):
        raise LiteralError("floating-point literal is too large", 0, len(text))
    return value
