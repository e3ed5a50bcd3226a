"""YAML as `yq` prints it, read without the program that would.

What programs spell in ways of their own (anchors, tags, dates, numbers that are spelled otherwise
than they are printed) ends in None: nothing is said rather than what may be otherwise.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator

import yaml

_NUMBER_LIKE = re.compile(r"[-+.]?[0-9][0-9_]*(\.[0-9_]*)?([eE][-+]?[0-9]+)?|0[xob][0-9a-fA-F_]+")
_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,17}")
_FLOAT = re.compile(r"-?(0|[1-9][0-9]{0,7})\.[0-9]{0,7}[1-9]")
_DATE_LIKE = re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt\s].*)?", re.DOTALL)
_CONSTANTS: dict[str, object] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_LAST_DOCUMENT = ["eval-all", ". as $d ireduce (null; $d)"]
"""Makes yq print the last document of a file alone."""


class _OtherYamlError(Exception):
    """Something that is not told."""


def documents(text: str) -> list[object] | None:
    """The values of the documents of a YAML text; None if they are not told."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        return list(_values(yaml.parse(text, Loader=loader))) or [None]
    except (yaml.YAMLError, _OtherYamlError):
        return None


def read_by_yq(arguments: list[str]) -> str | None:
    """The path of the file that yq is to print as JSON; None of other arguments."""
    paths = [word for word in _without_filter(arguments) if word != "-o=json"]
    return paths[0] if len(paths) == 1 and len(arguments) > 1 else None


def printed_by_yq(arguments: list[str], text: str) -> str | None:
    """What yq prints of that file, of this text; None if it is not told."""
    found = documents(text)
    takes_last = _without_filter(arguments) != arguments
    if found is None or (len(found) > 1 and not takes_last):
        return None
    try:
        return json.dumps(found[-1], indent=2, ensure_ascii=False) + "\n"
    except RecursionError:
        return None


def _without_filter(arguments: list[str]) -> list[str]:
    return arguments[2:] if arguments[:2] == _LAST_DOCUMENT else arguments


def _values(events: Iterable[yaml.Event]) -> Iterator[object]:
    """The value of each document, put together from its inside out."""
    parts: list[list[object]] = []
    for event in events:
        if isinstance(event, yaml.NodeEvent) and (event.anchor or getattr(event, "tag", None)):
            raise _OtherYamlError
        if isinstance(event, yaml.DocumentStartEvent | yaml.CollectionStartEvent):
            parts.append([])
        elif isinstance(event, yaml.ScalarEvent):
            parts[-1].append(_plain(event.value) if event.implicit[0] else event.value)
        elif isinstance(event, yaml.SequenceEndEvent):
            sequence = parts.pop()
            parts[-1].append(sequence)
        elif isinstance(event, yaml.MappingEndEvent):
            mapping = _mapping(parts.pop())
            parts[-1].append(mapping)
        elif isinstance(event, yaml.DocumentEndEvent):
            yield from parts.pop()


def _mapping(parts: list[object]) -> dict[str, object]:
    """A mapping of keys and values by turns."""
    mapping: dict[str, object] = {}
    for key, value in zip(parts[::2], parts[1::2], strict=True):
        if not isinstance(key, str) or key in mapping:
            raise _OtherYamlError
        mapping[key] = value
    return mapping


def _plain(text: str) -> object:
    """The value of a scalar without quotation marks."""
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if _INTEGER.fullmatch(text):
        return int(text)
    if _FLOAT.fullmatch(text):
        return float(text)
    is_other = _NUMBER_LIKE.fullmatch(text) or _DATE_LIKE.fullmatch(text) or text == "<<"
    if is_other or text.lower().lstrip("+-") in (".inf", ".nan"):
        raise _OtherYamlError
    return text
