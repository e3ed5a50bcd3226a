"""`--output=proto`, `streamed_proto` and `textproto`: Bazel's messages as protobuf encodes them.

Bazel: `ProtoOutputFormatter`, `StreamedProtoOutputFormatter`; protobuf's wire format, and its
`TextFormat`.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from bazelscope.query.formats.message_schema import Field, Message, fields_of, number_of
from bazelscope.query.formats.messages import as_result, result_message, target_messages
from bazelscope.query.formats.results import OutputOptions, Result

_VARINT, _DELIMITED = 0, 2
_INT64_MASK = (1 << 64) - 1
_TEXT_ESCAPES = {
    0x07: "\\a",
    0x08: "\\b",
    0x0C: "\\f",
    0x0A: "\\n",
    0x0D: "\\r",
    0x09: "\\t",
    0x0B: "\\v",
    0x5C: "\\\\",
    0x27: "\\'",
    0x22: '\\"',
}


ToBytes = Callable[[str], bytes]


def to_proto(result: Result, options: OutputOptions) -> bytes:
    """The result as one message: a `QueryResult`, or a `CqueryResult`."""
    return encode(*result_message(result, options), _to_bytes(options))


def to_streamed_proto(result: Result, options: OutputOptions) -> bytes:
    """One message after the other, each with its length before it: a `Target`, or, of cquery, a
    result with one target. Bazel: `ProtoOutputFormatterCallback.processOutput`."""
    to_bytes = _to_bytes(options)
    each = target_messages(result, options)
    wrapped = (as_result(row, message, options) for row, message in each)
    messages = (encode(type, message, to_bytes) for type, message in wrapped)
    return b"".join(varint(len(encoded)) + encoded for encoded in messages)


def to_text_proto(result: Result, options: OutputOptions) -> str:
    """The result as protobuf's text format."""
    lines = _text_lines(*result_message(result, options), "", _to_bytes(options))
    return "".join(f"{line}\n" for line in lines)


def encode(type: str, message: Message, to_bytes: ToBytes) -> bytes:
    """A message in the wire format, its fields in the order of their numbers."""
    return b"".join(
        _encoded_field(field, value, to_bytes)
        for _, field, values in fields_of(type, message)
        for value in values
    )


def _to_bytes(options: OutputOptions) -> ToBytes:
    return _unicode if options.release.unicode_protos else _byte_by_byte


def _unicode(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _byte_by_byte(text: str) -> bytes:
    # Bazel holds text as bytes, and older ones give each to protobuf for a character.
    return _unicode(text).decode("latin-1").encode("utf-8")


def _encoded_field(field: Field, value: object, to_bytes: ToBytes) -> bytes:
    if isinstance(value, dict):
        content = encode(field.type, value, to_bytes)
    elif field.type == "string":
        content = to_bytes(str(value))
    else:
        number = value if isinstance(value, int) else number_of(field.type, str(value))
        return varint(field.number << 3 | _VARINT) + varint(number & _INT64_MASK)
    return varint(field.number << 3 | _DELIMITED) + varint(len(content)) + content


def varint(value: int) -> bytes:
    """A number as protocol buffers write it."""
    encoded = bytearray()
    while value > 0x7F:
        encoded.append(value & 0x7F | 0x80)
        value >>= 7
    encoded.append(value)
    return bytes(encoded)


def _text_lines(type: str, message: Message, indent: str, to_bytes: ToBytes) -> list[str]:
    lines: list[str] = []
    for name, field, values in fields_of(type, message):
        shown = re.sub("[A-Z]", lambda match: f"_{match[0].lower()}", name)
        for value in values:
            if isinstance(value, dict):
                inner = _text_lines(field.type, value, f"{indent}  ", to_bytes)
                lines += [f"{indent}{shown} {{", *inner, f"{indent}}}"]
            elif field.type == "string":
                lines.append(f'{indent}{shown}: "{_escaped(to_bytes(str(value)))}"')
            else:
                word = str(value).lower() if isinstance(value, bool) else str(value)
                lines.append(f"{indent}{shown}: {word}")
    return lines


def _escaped(text: bytes) -> str:
    return "".join(
        _TEXT_ESCAPES.get(byte) or (chr(byte) if 0x20 <= byte < 0x7F else f"\\{byte:03o}")
        for byte in text
    )
