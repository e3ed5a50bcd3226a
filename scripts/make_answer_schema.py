"""Writes the JSON Schema of the answers, derived from the answer types themselves.

    scripts/make_answer_schema.py

A test compares `answers.schema.json`, which users get, with what is derived here, so that no
change of an answer type goes unseen.
"""

from __future__ import annotations

import dataclasses
import enum
import json
import types
import typing
from pathlib import Path

from bazelscope.base.label import Label, PackageId
from bazelscope.base.source import Frame, Location, Span
from bazelscope.check.answer import CheckAnswer
from bazelscope.json_format.answer_json import NO_ANSWER, SCHEMA, TAGS, NoAnswer
from bazelscope.query.query_answer import QueryAnswer
from bazelscope.questions.affected.answer import AffectedAnswer
from bazelscope.questions.canonicalize.answer import CanonicalAnswer
from bazelscope.questions.compile.answer import CompileAnswer
from bazelscope.questions.configs.answer import ConfigsAnswer
from bazelscope.questions.deps.answer import DependenciesAnswer
from bazelscope.questions.diff.answer import DifferenceAnswer
from bazelscope.questions.effects.answer import EffectsAnswer
from bazelscope.questions.explain.answer import Explanation
from bazelscope.questions.flag.answer import FlagAnswer
from bazelscope.questions.graph.answer import GraphAnswer
from bazelscope.questions.matrix.answer import MatrixAnswer
from bazelscope.questions.mod.answer import ModulesAnswer
from bazelscope.questions.page.answer import PageAnswer
from bazelscope.questions.path.answer import PathAnswer, PathsAnswer
from bazelscope.questions.repos.answer import RepositoriesAnswer
from bazelscope.questions.select.answer import SelectsAnswer
from bazelscope.questions.settings.answer import SettingsAnswer
from bazelscope.questions.shared.envelope import Answer, Envelope, ExitCode
from bazelscope.questions.when.answer import RepositoryConditionsAnswer, WhenAnswer
from bazelscope.questions.why.answer import WhyAnswer

Schema = dict[str, object]

PATH = Path(__file__).parents[1] / "bazelscope/json_format/answers.schema.json"

ANSWERS: dict[str, type[Answer]] = {
    "explain": Explanation,
    "check": CheckAnswer,
    "when": WhenAnswer,
    "when-repositories": RepositoryConditionsAnswer,
    "effects": EffectsAnswer,
    "why": WhyAnswer,
    "flag": FlagAnswer,
    "canonicalize-flags": CanonicalAnswer,
    "compile": CompileAnswer,
    "configs": ConfigsAnswer,
    "path": PathAnswer,
    "paths": PathsAnswer,
    "graph": GraphAnswer,
    "page": PageAnswer,
    "select": SelectsAnswer,
    "settings": SettingsAnswer,
    "deps": DependenciesAnswer,
    "diff": DifferenceAnswer,
    "query": QueryAnswer,
    "repos": RepositoriesAnswer,
    "mod": ModulesAnswer,
    "affected": AffectedAnswer,
    "matrix": MatrixAnswer,
}

_TEXT: Schema = {"type": "string"}
_NUMBER: Schema = {"type": "integer", "minimum": 1}


class _Definitions(dict[str, Schema]):
    """The definitions by name, and the type that each is of."""

    def __init__(self) -> None:
        super().__init__()
        self.owners: dict[str, type] = {}


def derive_schema() -> str:
    """The JSON Schema that the answer types amount to, as text."""
    definitions = _Definitions()
    point: dict[str, Schema] = {"path": _TEXT, "line": _NUMBER, "column": _NUMBER}
    definitions["Location"] = _object(point)
    definitions["Frame"] = _object({"function": _TEXT, **point})
    definitions["Span"] = _object({**point, "end_line": _NUMBER, "end_column": _NUMBER})
    answers: list[Schema] = []
    for kind, answer in ANSWERS.items():
        members = {**_members(Envelope, definitions), **_members(answer, definitions)}
        del members["envelope"]
        head: dict[str, Schema] = {
            "schema": {"const": SCHEMA},
            "answer": {"const": kind},
            "exit_code": _schema_of(ExitCode, definitions),
        }
        definitions[answer.__name__] = _object({**head, **members}, answer)
        answers.append(_reference(answer.__name__))
    head = {
        "schema": {"const": SCHEMA},
        "answer": {"const": NO_ANSWER},
        "exit_code": {"type": "integer"},
    }
    definitions[NoAnswer.__name__] = _object({**head, **_members(NoAnswer, definitions)}, NoAnswer)
    answers.append(_reference(NoAnswer.__name__))
    schema: Schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": SCHEMA,
        "description": "What `bazelscope ... --format json` prints.",
        "oneOf": answers,
        "$defs": dict(sorted(definitions.items())),
    }
    return json.dumps(schema, indent=2) + "\n"


def _members(answer: type, definitions: _Definitions) -> dict[str, Schema]:
    hints = typing.get_type_hints(answer)
    return {
        field.name: _schema_of(hints[field.name], definitions)
        for field in dataclasses.fields(answer)
    }


def _schema_of(hint: typing.Any, definitions: _Definitions) -> Schema:
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
    name = hint.__name__
    if name not in definitions:
        definitions[name] = {}  # Stands in for itself while a type holds its own kind.
        definitions.owners[name] = hint
        tag: dict[str, Schema] = {"type": {"const": TAGS[hint]}} if hint in TAGS else {}
        definitions[name] = _object({**tag, **_members(hint, definitions)}, hint)
    assert definitions.owners[name] is hint, f"two types are called {name}"
    return _reference(name)


def _reference(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _object(members: dict[str, Schema], described: type | None = None) -> Schema:
    """Every member is always there; new ones may come, so others are allowed."""
    description = " ".join((described.__doc__ or "").split()) if described else ""
    head: Schema = {"description": description} if description else {}
    return {**head, "type": "object", "properties": members, "required": list(members)}


if __name__ == "__main__":
    PATH.write_text(derive_schema(), "utf-8")
