"""Answers as JSON. The answer types are the format: each dataclass is an object with one
member per field, in snake_case; `scripts/make_answer_schema.py` derives the JSON Schema from them.
"""

from __future__ import annotations

import dataclasses
import enum
import json
from collections.abc import Iterator
from typing import Any

from bazelscope.analysis.compile.words import (
    FromAttribute,
    FromBazel,
    FromDependency,
    FromEnvironment,
    FromOption,
    FromToolchain,
)
from bazelscope.analysis.conditions.match_result import Match, NoMatch, UnknownMatch
from bazelscope.base.errors import Diagnostic
from bazelscope.base.label import Label, PackageId
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import Frame, Location, Span
from bazelscope.flags.flag_values import (
    ConfigExpansion,
    FlagInstance,
    FromCommandLine,
    FromDefault,
    FromRc,
)
from bazelscope.questions.shared.envelope import Answer
from bazelscope.render.visible import visible_json

SCHEMA = "bazelscope/2"
"""Changes when a consumer of the old format could break; new members do not change it."""

NO_ANSWER = "error"
"""The member `answer` of a document that says why there is none."""

TAGS: dict[type, str] = {
    ConfigExpansion: "config",
    FlagInstance: "option",
    FromCommandLine: "command-line",
    FromDefault: "default",
    FromRc: "rc-file",
    FromAttribute: "attribute",
    FromBazel: "bazel",
    FromDependency: "dependency",
    FromEnvironment: "environment",
    FromOption: "option-value",
    FromToolchain: "toolchain",
    Match: "holds",
    NoMatch: "does-not-hold",
    UnknownMatch: "unknown",
}
"""Types that stand in one place of the format carry a member `type` to tell them apart."""


def to_json(kind: str, answer: Answer) -> str:
    """The answer to a question as one JSON document that names its schema: the members of
    its envelope, then its own."""
    return visible_json(json.dumps(_document(kind, answer), indent=2, ensure_ascii=False)) + "\n"


def _document(kind: str, answer: Answer) -> dict[str, object]:
    members = _members(answer)
    del members["envelope"]
    head = {"schema": SCHEMA, "answer": kind, "exit_code": answer.exit_code.value}
    return {**head, **_members(answer.envelope), **members}


LISTS = {
    "affected": "targets",
    "check": "findings",
    "configs": "configs",
    "cquery": "targets",
    "deps": "dependencies",
    "matrix": "cells",
    "paths": "paths",
    "query": "targets",
    "repos": "repositories",
    "select": "selects",
    "settings": "settings",
}
"""The member of an answer that is long: `--format jsonl` gives each of its elements a line."""


def to_json_lines(kind: str, answer: Answer) -> Iterator[str]:
    """The answer line by line: first the document without its long list, then a line for each
    element of that, as the document would hold it."""
    document = _document(kind, answer)
    elements = document.pop(LISTS.get(kind, ""), [])
    for line in (document, *(elements if isinstance(elements, list) else ())):
        yield visible_json(json.dumps(line, ensure_ascii=False)) + "\n"


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """Stands in place of an answer to a question that cannot be asked (`exit_code` 2) or that
    bazelscope cannot answer (3: a limit was reached; 70: a defect of its own), and says why."""

    diagnostics: tuple[Diagnostic, ...]


def error_to_json(diagnostic: Diagnostic, exit_code: int, in_a_line: bool = False) -> bytes:
    """Why there is no answer, as one JSON document."""
    head = {"schema": SCHEMA, "answer": NO_ANSWER, "exit_code": exit_code}
    document = {**head, **_members(NoAnswer((diagnostic,)))}
    text = json.dumps(document, indent=None if in_a_line else 2, ensure_ascii=False)
    return f"{visible_json(text)}\n".encode("utf-8", "surrogateescape")


def _members(value: object) -> dict[str, object]:
    assert dataclasses.is_dataclass(value)
    return {field.name: _encode(getattr(value, field.name)) for field in dataclasses.fields(value)}


def _encode(value: Any) -> object:
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (Label, PackageId)):
        return str(value)
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, (Location, Span)):
        return value._asdict()
    if isinstance(value, Frame):
        return {"function": value.function, **value.location._asdict()}
    if isinstance(value, (tuple, list)):
        return [_encode(element) for element in value]
    if dataclasses.is_dataclass(value):
        tag = TAGS.get(type(value))
        members = _members(value)
        return {"type": tag, **members} if tag else members
    raise TypeError(f"no JSON form for {type(value).__name__}")
