"""A checker for the part of JSON Schema that the answers' schema uses."""

from __future__ import annotations

from typing import Any

_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "boolean": (bool,),
    "null": (type(None),),
    "array": (list,),
    "object": (dict,),
}
_KNOWN_WORDS = {
    "$ref", "anyOf", "oneOf", "const", "enum", "type", "items", "properties", "required",
    "minimum", "description", "$schema", "$defs", "title",
}  # fmt: skip


def violations(value: Any, schema: dict[str, Any], root: dict[str, Any], at: str = "") -> list[str]:
    """Where `value` is not what `schema` says; empty if it is."""
    unknown = set(schema) - _KNOWN_WORDS
    assert not unknown, f"this checker does not know {unknown}"
    if "$ref" in schema:
        return violations(value, root["$defs"][schema["$ref"].rpartition("/")[2]], root, at)
    for word in ("anyOf", "oneOf"):
        if word in schema:
            tries = [violations(value, part, root, at) for part in schema[word]]
            return [] if [] in tries else min(tries, key=len)
    if "const" in schema:
        return [] if value == schema["const"] else [f"{at}: {value!r} is not {schema['const']!r}"]
    if "enum" in schema:
        return [] if value in schema["enum"] else [f"{at}: {value!r} is none of {schema['enum']}"]
    expected = _TYPES[schema["type"]]
    if not isinstance(value, expected) or (isinstance(value, bool) and bool not in expected):
        return [f"{at}: {type(value).__name__} is no {schema['type']}"]
    found = []
    if "minimum" in schema and value < schema["minimum"]:
        found.append(f"{at}: {value} is too small")
    if isinstance(value, list):
        for index, item in enumerate(value):
            found += violations(item, schema["items"], root, f"{at}[{index}]")
    if isinstance(value, dict):
        found += [f"{at}: no member {name}" for name in schema["required"] if name not in value]
        for name, part in schema["properties"].items():
            if name in value:
                found += violations(value[name], part, root, f"{at}.{name}")
    return found
