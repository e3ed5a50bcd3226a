"""Texts of protocol messages, as CROSSTOOL files are written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import field

from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.lazy_pattern import lazy_pattern

_TOKEN = lazy_pattern(
    r'(?P<skipped>\s+|\#[^\n]*)|(?P<text>"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\')'
    r"|(?P<word>[\w.+-]+)|(?P<mark>.)",
    re.DOTALL,
)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}


@dataclass(slots=True)
class Message:
    """The fields of a message by name, each with its values and their lines; words that are not
    in quotes, such as `true`, are texts like the others."""

    line: int = 1
    fields: dict[str, list[tuple[str | Message, int]]] = field(default_factory=dict)

    def lines_of(self, name: str) -> Iterator[tuple[str, int]]:
        """The texts of a field, each with its line."""
        for value, line in self.fields.get(name, ()):
            if isinstance(value, str):
                yield value, line

    def texts(self, name: str) -> tuple[str, ...]:
        """The texts of a field."""
        return tuple(text for text, _ in self.lines_of(name))

    def text(self, name: str) -> str:
        """The last text of a field; nothing for one that is not there."""
        return next(reversed(self.texts(name)), "")

    def messages(self, name: str) -> tuple[Message, ...]:
        """The messages of a field."""
        return tuple(one for one, _ in self.fields.get(name, ()) if isinstance(one, Message))


def message(text: str) -> Message:
    """The message that a text describes; what is no part of one is passed over."""
    stack = [Message()]
    name, last, line = "", "", 1
    for token in _TOKEN.finditer(text):
        shown = token[0]
        if token["skipped"]:
            line += shown.count("\n")
            continue
        values = stack[-1].fields.setdefault(name, []) if name else []
        if shown in ("{", "<"):
            begun = Message(line)
            values.append((begun, line))
            stack.append(begun)
            name = ""
        elif shown in ("}", ">"):
            if len(stack) > 1:
                stack.pop()
            name = ""
        elif token["text"]:
            value = re.sub(r"\\(.)", lambda one: _ESCAPES.get(one[1], one[1]), shown[1:-1])
            if last == "text" and values and isinstance(values[-1][0], str):
                values[-1] = (values[-1][0] + value, values[-1][1])
            else:
                values.append((value, line))
        elif token["word"] and last != ":":
            name = shown
        elif token["word"]:
            values.append((shown, line))
        last = "text" if token["text"] else shown
        line += shown.count("\n")
    return stack[0]
