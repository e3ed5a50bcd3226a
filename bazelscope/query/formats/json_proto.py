"""`--output=jsonproto` and `streamed_jsonproto`: Bazel's messages as JSON text.

Bazel: `ProtoOutputFormatter`, and protobuf's `JsonFormat` for the layout.
"""

from __future__ import annotations

import json

from bazelscope.query.formats.message_schema import fields_of
from bazelscope.query.formats.messages import result_message, target_messages
from bazelscope.query.formats.results import OutputOptions, Result, TargetResults

# What a JSON text may not hold inside of HTML. Gson: `HTML_SAFE_REPLACEMENT_CHARS`.
_HTML_SAFE = str.maketrans({char: f"\\u{ord(char):04x}" for char in "<>&='"})


def to_json_proto(result: Result, options: OutputOptions) -> str:
    """The result of cquery as one document; that of query as one for each target, with nothing
    between them. Bazel: `ProtoOutputFormatterCallback`, `JSONProtoOutputFormatter`."""
    if isinstance(result, TargetResults):
        return "".join(_layout("Target", m, 0) for _, m in target_messages(result, options))
    type, message = result_message(result, options)
    return _layout(type, message, 0) + "\n"


def to_streamed_json_proto(result: Result, options: OutputOptions) -> str:
    """One target on each line."""
    return "".join(f"{_line('Target', m)}\n" for _, m in target_messages(result, options))


def _scalar(value: object) -> str:
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).translate(_HTML_SAFE)
    return json.dumps(value)


def _layout(type: str, value: object, depth: int) -> str:
    """JSON as protobuf lays it out: lists in line, members of objects on lines of their own."""
    if isinstance(value, list):
        return f"[{', '.join(_layout(type, element, depth) for element in value)}]"
    if not isinstance(value, dict):
        return _scalar(value)
    if not value:
        return "{\n" + "  " * depth + "}"
    indent = "  " * (depth + 1)
    members = [
        f"{indent}{json.dumps(name)}: {_layout(field.type, value[name], depth + 1)}"
        for name, field, _ in fields_of(type, value)
    ]
    return "{\n" + ",\n".join(members) + "\n" + "  " * depth + "}"


def _line(type: str, value: object) -> str:
    if isinstance(value, list):
        return f"[{','.join(_line(type, element) for element in value)}]"
    if not isinstance(value, dict):
        return _scalar(value)
    members = (
        f"{json.dumps(name)}:{_line(field.type, value[name])}"
        for name, field, _ in fields_of(type, value)
    )
    return "{" + ",".join(members) + "}"
