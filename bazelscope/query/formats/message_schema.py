"""The protobuf messages that Bazel's query writes: their fields, with numbers and types, as
`build.proto` has them.

Fields have the names that protobuf gives them in JSON. Numbers order the fields in every encoding,
so that a message can be built in any order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from bazelscope.base.lazy_dataclass import dataclass

Message = dict[str, object]
"""A message by its fields' JSON names: texts, numbers, truth values, messages, or lists of them.
Values of enumerations are their names."""


@dataclass(frozen=True, slots=True)
class Field:
    """A field's number and type: `string`, `int32`, `bool`, an enumeration or a message."""

    number: int
    type: str


@cache
def _definitions() -> Mapping[str, Mapping[str, Field]]:
    """Enumerations and messages alike; the values of an enumeration have no type."""
    text = Path(__file__).with_name("build.proto").read_text(encoding="utf-8")
    found: dict[str, dict[str, Field]] = {}
    for line in text.splitlines():
        words = line.rstrip(";").split()
        if line.startswith(("enum ", "message ")):
            found[words[1]] = inside = {}
        elif line.startswith("  "):
            *type, name, _, number = words
            shown = re.sub("_(.)", lambda match: match[1].upper(), name) if type else name
            inside[shown] = Field(int(number), "".join(type))
    return found


def number_of(type: str, word: str) -> int:
    """The number of a value of an enumeration."""
    return _definitions()[type][word].number


def fields_of(type: str, message: Message) -> Iterator[tuple[str, Field, list[object]]]:
    """The fields that are set in a message, by number; a single value is a list of one."""
    fields = _definitions()[type]
    for name in sorted(message, key=lambda name: fields[name].number):
        value = message[name]
        yield name, fields[name], value if isinstance(value, list) else [value]
