"""What is open where the cursor stands in a Starlark text: a string, a key of a select(), a call.

The text before it decides, since what is being typed seldom parses.
"""

from __future__ import annotations

import re

from bazelscope.base.lazy_pattern import lazy_pattern

BACK = 20_000
"""So far back the call around the cursor is looked for."""

_CALL = lazy_pattern(r"([A-Za-z_][\w.]*)\s*$")


def open_string(before: str) -> str | None:
    """What stands of the string that the cursor is in; None outside of strings."""
    quote, begin = "", 0
    position = 0
    while position < len(before):
        character = before[position]
        if quote:
            if character == "\\":
                position += 1
            elif character == quote:
                quote = ""
        elif character in "\"'":
            quote, begin = character, position + 1
        elif character == "#":
            return None
        position += 1
    return before[begin:] if quote else None


def is_key(text: str, quote: int) -> bool:
    """Whether a string is a key of a select(): it begins an entry of the dict of one."""
    head = text[max(0, quote - BACK) : quote].rstrip()
    if not head.endswith(("{", ",")):
        return False
    opening = _opening(text, quote)
    if opening is None or text[opening] != "{":
        return False
    return bool(re.search(r"(?:\bselect|with_or)\s*\(\s*$", text[max(0, opening - 80) : opening]))


def call_around(text: str, offset: int) -> str | None:
    """The function whose argument's name may begin here; None where it is no such place."""
    opening = _opening(text, offset)
    if opening is None or text[opening] != "(":
        return None
    head = text[:offset].rstrip()[-1:]
    if head not in ("(", ","):
        return None
    match = _CALL.search(text[max(0, opening - 200) : opening])
    return match[1] if match is not None else None


def _opening(text: str, offset: int) -> int | None:
    """The bracket that is open at an offset; strings on the way may have brackets of their own."""
    depth = 0
    start = max(0, offset - BACK)
    inside = ""
    for position in range(offset - 1, start - 1, -1):
        character = text[position]
        if inside:
            if character == inside:
                inside = ""
        elif character in "\"'":
            inside = character
        elif character in ")]}":
            depth += 1
        elif character in "([{":
            if not depth:
                return position
            depth -= 1
    return None
