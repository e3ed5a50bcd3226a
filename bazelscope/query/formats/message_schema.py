"""The protobuf messages that Bazel's query writes: their fields, with numbers and types.

Bazel: `build.proto`, `analysis.proto`. Fields have the names that protobuf gives them in JSON.
Numbers order the fields in every encoding, so that a message can be built in any order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bazelscope.base.lazy_dataclass import dataclass

Message = dict[str, object]
"""A message by its fields' JSON names: texts, numbers, truth values, messages, or lists of them.
Values of enumerations are their names."""


@dataclass(frozen=True, slots=True)
class Field:
    """A field's number and type: `string`, `int32`, `bool`, an enumeration or a message."""

    number: int
    type: str


ENUMS: Mapping[str, Mapping[str, int]] = {
    "AttributeType": {
        "INTEGER": 1,
        "STRING": 2,
        "LABEL": 3,
        "OUTPUT": 4,
        "STRING_LIST": 5,
        "LABEL_LIST": 6,
        "OUTPUT_LIST": 7,
        "DISTRIBUTION_SET": 8,
        "LICENSE": 9,
        "STRING_DICT": 10,
        "FILESET_ENTRY_LIST": 11,
        "LABEL_LIST_DICT": 12,
        "STRING_LIST_DICT": 13,
        "BOOLEAN": 14,
        "TRISTATE": 15,
        "INTEGER_LIST": 16,
        "UNKNOWN": 18,
        "LABEL_DICT_UNARY": 19,
        "SELECTOR_LIST": 20,
        "LABEL_KEYED_STRING_DICT": 21,
    },
    "TargetType": {
        "RULE": 1,
        "SOURCE_FILE": 2,
        "GENERATED_FILE": 3,
        "PACKAGE_GROUP": 4,
        "ENVIRONMENT_GROUP": 5,
    },
    "Tristate": {"NO": 0, "YES": 1, "AUTO": 2},
}

_PAIR = {"key": Field(1, "string"), "value": Field(2, "string")}

# The values of an attribute and of a select's branch have the same names and other numbers.
_ATTRIBUTE_NUMBERS = (3, 5, 14, 15, 6, 7, 8, 11, 17, 19, 22)
_BRANCH_NUMBERS = (2, 3, 4, 5, 6, 7, 8, 11, 13, 15, 17)
_VALUE_FIELDS = (
    ("intValue", "int32"),
    ("stringValue", "string"),
    ("booleanValue", "bool"),
    ("tristateValue", "Tristate"),
    ("stringListValue", "string"),
    ("license", "License"),
    ("stringDictValue", "Pair"),
    ("stringListDictValue", "Pair"),
    ("intListValue", "int32"),
    ("labelDictUnaryValue", "Pair"),
    ("labelKeyedStringDictValue", "Pair"),
)


def _values(numbers: tuple[int, ...]) -> dict[str, Field]:
    return {
        name: Field(number, type)
        for (name, type), number in zip(_VALUE_FIELDS, numbers, strict=True)
    }


MESSAGES: Mapping[str, Mapping[str, Field]] = {
    "License": {"licenseType": Field(1, "string"), "exception": Field(2, "string")},
    "Pair": _PAIR,
    "SelectorEntry": {
        "label": Field(1, "string"),
        **_values(_BRANCH_NUMBERS),
        "isDefaultValue": Field(16, "bool"),
    },
    "Selector": {
        "entries": Field(1, "SelectorEntry"),
        "hasDefaultValue": Field(2, "bool"),
        "noMatchError": Field(3, "string"),
    },
    "SelectorList": {"type": Field(1, "AttributeType"), "elements": Field(2, "Selector")},
    "Attribute": {
        "name": Field(1, "string"),
        "type": Field(2, "AttributeType"),
        **_values(_ATTRIBUTE_NUMBERS),
        "explicitlySpecified": Field(13, "bool"),
        "nodep": Field(20, "bool"),
        "selectorList": Field(21, "SelectorList"),
    },
    "Rule": {
        "name": Field(1, "string"),
        "ruleClass": Field(2, "string"),
        "location": Field(3, "string"),
        "attribute": Field(4, "Attribute"),
        "ruleInput": Field(5, "string"),
        "ruleOutput": Field(6, "string"),
        "defaultSetting": Field(7, "string"),
        "instantiationStack": Field(13, "string"),
        "definitionStack": Field(14, "string"),
    },
    "PackageGroup": {
        "name": Field(1, "string"),
        "containedPackage": Field(2, "string"),
        "includedPackageGroup": Field(3, "string"),
    },
    "EnvironmentGroup": {
        "name": Field(1, "string"),
        "environment": Field(2, "string"),
        "default": Field(3, "string"),
    },
    "SourceFile": {
        "name": Field(1, "string"),
        "location": Field(2, "string"),
        "subinclude": Field(3, "string"),
        "packageGroup": Field(4, "string"),
        "visibilityLabel": Field(5, "string"),
        "feature": Field(6, "string"),
        "packageContainsErrors": Field(9, "bool"),
    },
    "GeneratedFile": {
        "name": Field(1, "string"),
        "generatingRule": Field(2, "string"),
        "location": Field(3, "string"),
    },
    "Target": {
        "type": Field(1, "TargetType"),
        "rule": Field(2, "Rule"),
        "sourceFile": Field(3, "SourceFile"),
        "generatedFile": Field(4, "GeneratedFile"),
        "packageGroup": Field(5, "PackageGroup"),
        "environmentGroup": Field(6, "EnvironmentGroup"),
    },
    "QueryResult": {"target": Field(1, "Target")},
    "Configuration": {"checksum": Field(4, "string")},
    "ConfiguredTarget": {"target": Field(1, "Target"), "configuration": Field(2, "Configuration")},
    "CqueryResult": {"results": Field(1, "ConfiguredTarget")},
}


def fields_of(type: str, message: Message) -> Iterator[tuple[str, Field, list[object]]]:
    """The fields that are set in a message, by number; a single value is a list of one."""
    fields = MESSAGES[type]
    for name in sorted(message, key=lambda name: fields[name].number):
        value = message[name]
        yield name, fields[name], value if isinstance(value, list) else [value]
