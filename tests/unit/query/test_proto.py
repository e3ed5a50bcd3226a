"""The encodings of Bazel's messages, beside bytes worked out by hand."""

from __future__ import annotations

import pytest

from bazelscope.query.formats.message_schema import Message
from bazelscope.query.formats.proto import encode


def _utf8(text: str) -> bytes:
    return text.encode()


@pytest.mark.parametrize(
    ("type", "message", "encoded"),
    [
        ("QueryResult", {}, ""),
        ("Pair", {"value": "b", "key": "a"}, "0a 01 61 12 01 62"),  # By number, not as written.
        ("License", {"licenseType": ["A", ""]}, "0a 01 41 0a 00"),
        ("Attribute", {"name": "x", "type": "BOOLEAN"}, "0a 01 78 10 0e"),
        ("Attribute", {"name": "", "nodep": False}, "0a 00 a0 01 00"),
        ("Attribute", {"intValue": 300}, "18 ac 02"),
        ("Attribute", {"intValue": -1}, "18 ff ff ff ff ff ff ff ff ff 01"),
        ("Attribute", {"intListValue": [1, 128]}, "88 01 01 88 01 80 01"),
        ("Attribute", {"tristateValue": "AUTO"}, "78 02"),
        ("Target", {"type": "RULE", "rule": {"name": "n"}}, "08 01 12 03 0a 01 6e"),
    ],
)
def test_encoding(type: str, message: Message, encoded: str) -> None:
    assert encode(type, message, _utf8) == bytes.fromhex(encoded)
