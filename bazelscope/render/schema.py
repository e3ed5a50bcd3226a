"""The JSON Schema of the answers, derived from the answer types themselves.

`answers.schema.json` beside this file is what users get; a test compares it with what
this module derives, so that no change of an answer type goes unseen.
"""

from __future__ import annotations

import dataclasses
import enum
import json
import types
import typing
from importlib import resources

from bazelscope.explain.dependency_answers import DependenciesAnswer
from bazelscope.explain.explanation import Explanation
from bazelscope.explain.flag_answers import ConfigsAnswer, FlagAnswer
from bazelscope.explain.path_answers import GraphAnswer, PathAnswer
from bazelscope.explain.queries import QueryAnswer
from bazelscope.explain.repository_answers import RepositoriesAnswer
from bazelscope.explain.select_answers import SelectsAnswer, SettingsAnswer
from bazelscope.label import Label, PackageId
from bazelscope.render.json import SCHEMA, TAGS
from bazelscope.source import Frame, Location, Span

Schema = dict[str, object]

ANSWERS: dict[str, type] = {
    "explain": Explanation,
    "flag": FlagAnswer,
    "configs": ConfigsAnswer,
    "path": PathAnswer,
    "graph": GraphAnswer,
    "select": SelectsAnswer,
    "settings": SettingsAnswer,
    "deps": DependenciesAnswer,
    "query": QueryAnswer,
    "repos": RepositoriesAnswer,
}

_TEXT: Schema = {"type": "string"}
_NUMBER: Schema = {"type": "integer", "minimum": 1}


def shipped_schema() -> str:
    """The text of the JSON Schema that is part of the package."""
    return resources.files(__package__).joinpath("answers.schema.json").read_text("utf-8")


def derive_schema() -> str:
    """The JSON Schema that the answer types amount to, as text."""
    definitions: dict[str, Schema] = {
        "Location": _object({"path": _TEXT, "line": _NUMBER, "column": _NUMBER}),
        "Frame": _object({"function": _TEXT, "path": _TEXT, "line": _NUMBER, "column": _NUMBER}),
        "Span": _object(
            {
                "path": _TEXT,
                "line": _NUMBER,
                "column": _NUMBER,
                "end_line": _NUMBER,
                "end_column": _NUMBER,
            }
        ),
    }
    answers: list[Schema] = []
    for kind, answer in ANSWERS.items():
        members = _members(answer, definitions)
        head: dict[str, Schema] = {"schema": {"const": SCHEMA}, "answer": {"const": kind}}
        definitions[answer.__name__] = _object({**head, **members}, answer)
        answers.append(_reference(answer.__name__))
    schema: Schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": SCHEMA,
        "description": "What `bazelscope ... --format json` prints.",
        "oneOf": answers,
        "$defs": dict(sorted(definitions.items())),
    }
    return json.dumps(schema, indent=2) + "\n"


def _members(answer: type, definitions: dict[str, Schema]) -> dict[str, Schema]:
    hints = typing.get_type_hints(answer)
    return {
        field.name: _schema_of(hints[field.name], definitions)
        for field in dataclasses.fields(answer)
    }


def _schema_of(hint: typing.Any, definitions: dict[str, Schema]) -> Schema:
    plain: dict[object, Schema] = {
        str: _TEXT,
        int: {"type": "integer"},
        bool: {"type": "boolean"},
        type(None): {"type": "null"},
        Label: _TEXT,
        PackageId: _TEXT,
        Location: _reference("Location"),
        Span: _reference("Span"),
        Frame: _reference("Frame"),
    }
    if hint in plain:
        return plain[hint]
    origin = typing.get_origin(hint)
    if origin is tuple:
        return {"type": "array", "items": _schema_of(typing.get_args(hint)[0], definitions)}
    if origin in (typing.Union, types.UnionType):
        return {"anyOf": [_schema_of(part, definitions) for part in typing.get_args(hint)]}
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return {"enum": [member.value for member in hint]}
    assert dataclasses.is_dataclass(hint), f"no schema for {hint}"
    assert isinstance(hint, type)
    if hint.__name__ not in definitions:
        definitions[hint.__name__] = {}  # Stands in for itself while a type holds its own kind.
        tag: dict[str, Schema] = {"type": {"const": TAGS[hint]}} if hint in TAGS else {}
        definitions[hint.__name__] = _object({**tag, **_members(hint, definitions)}, hint)
    return _reference(hint.__name__)


def _reference(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _object(members: dict[str, Schema], described: type | None = None) -> Schema:
    """Every member is always there; new ones may come, so others are allowed."""
    description = " ".join((described.__doc__ or "").split()) if described else ""
    head: Schema = {"description": description} if description else {}
    return {**head, "type": "object", "properties": members, "required": list(members)}
