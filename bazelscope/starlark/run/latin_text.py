"""Texts as Bazel's own strings: a character for each byte of the file.

Bazel reads files as Latin-1, so `len("é")` is 2 (measured: 0.26.1, 2.1.0, 4.2.3; the source of
later ones: `ParserInput.fromLatin1`). Here a text is what people read. What counts characters, or
cuts between them, goes by way of `raw`; half a character is a lone surrogate, and two halves that
come together are one again.
"""

from __future__ import annotations


def raw(text: str) -> str:
    """Returns a text with one character for each byte."""
    if text.isascii():
        return text
    try:
        return text.encode("utf-8", "surrogateescape").decode("latin-1")
    except UnicodeEncodeError:  # Half of a pair of an escape sequence.
        return text


def whole(text: str) -> str:
    """Returns the text that `raw` makes such characters of."""
    if text.isascii():
        return text
    try:
        return text.encode("latin-1").decode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text


def joined(text: str) -> str:
    """Returns a text that was put together, with halves that meet as one."""
    if not text.isascii() and any("\udc80" <= character <= "\udcff" for character in text):
        return whole(raw(text))
    return text


def letters(text: str) -> str:
    """Returns a text in which no character but those of ASCII is a letter, a digit or a space."""
    return text if text.isascii() else text.encode("ascii", "replace").decode("ascii")
