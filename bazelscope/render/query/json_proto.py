"""`--output=jsonproto` and `streamed_jsonproto`: Bazel's `Target` messages as JSON text.

Bazel: `ProtoOutputFormatter`, `build.proto`, and protobuf's `JsonFormat` for the layout. The
fields of an attribute stand in the order of their numbers.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from bazelscope.analysis.query.attribute_values import flattened, is_list
from bazelscope.analysis.query.visibility import visibility_of
from bazelscope.loading.targets import InputFile, OutputFile, PackageGroup, Rule
from bazelscope.loading.values import Attribute, AttributeType, DictValue
from bazelscope.render.query.attribute_order import attribute_names, is_sorted
from bazelscope.render.query.results import (
    Item,
    OutputOptions,
    Result,
    shown_location,
)

Message = dict[str, object]

_NODEP = frozenset({"visibility", "transitive_configs"})
_WITH_NODEP = frozenset(
    {
        AttributeType.DISTRIBUTION_SET,
        AttributeType.LABEL,
        AttributeType.LABEL_KEYED_STRING_DICT,
        AttributeType.LABEL_LIST,
        AttributeType.OUTPUT,
        AttributeType.OUTPUT_LIST,
        AttributeType.STRING,
        AttributeType.STRING_LIST,
    }
)
_PAIRS = {
    AttributeType.LABEL_DICT_UNARY: "labelDictUnaryValue",
    AttributeType.LABEL_KEYED_STRING_DICT: "labelKeyedStringDictValue",
    AttributeType.STRING_DICT: "stringDictValue",
    AttributeType.STRING_LIST_DICT: "stringListDictValue",
}
_AFTER_EXPLICIT = frozenset({"intListValue", "labelKeyedStringDictValue", "labelDictUnaryValue"})
# What a JSON text may not hold inside of HTML. Gson: `HTML_SAFE_REPLACEMENT_CHARS`.
_HTML_SAFE = str.maketrans({char: f"\\u{ord(char):04x}" for char in "<>&='"})


def to_json_proto(result: Result, options: OutputOptions) -> str:
    """The result as one document: a `QueryResult`, or a `CqueryResult`."""
    if any(item.configuration for item in result.items):
        results = [
            {
                "target": message,
                **({"configuration": {"checksum": item.configuration}} if _wanted(options) else {}),
            }
            for item, message in _targets(result, options)
        ]
        document: Message = {"results": results} if results else {}
    else:
        targets = [message for _, message in _targets(result, options)]
        document = {"target": targets} if targets else {}
    return _layout(document, 0) + "\n"


def to_streamed_json_proto(result: Result, options: OutputOptions) -> str:
    """One target on each line."""
    return "".join(f"{_line(message)}\n" for _, message in _targets(result, options))


def _wanted(options: OutputOptions) -> bool:
    return options.proto_configurations


def _targets(result: Result, options: OutputOptions) -> Iterator[tuple[Item, Message]]:
    for index, item in enumerate(result.items):
        message = _target(result, index, item, options)
        if message is not None:
            yield item, message


def _target(result: Result, index: int, item: Item, options: OutputOptions) -> Message | None:
    target = item.target
    place = shown_location(item, options) if options.proto_locations else None
    where: Message = {"location": place} if place is not None else {}
    name = {"name": str(item.label)}
    if isinstance(target, Rule):
        return {"type": "RULE", "rule": _rule(result, index, target, where, options)}
    if isinstance(target, OutputFile):
        made_by = {"generatingRule": str(target.generating_rule)}
        return {"type": "GENERATED_FILE", "generatedFile": {**name, **made_by, **where}}
    if isinstance(target, PackageGroup):
        group: Message = {**name}
        if target.packages:
            group["containedPackage"] = list(target.packages)
        if target.includes:
            group["includedPackageGroup"] = [str(label) for label in target.includes]
        return {"type": "PACKAGE_GROUP", "packageGroup": group}
    if isinstance(target, InputFile):
        return {
            "type": "SOURCE_FILE",
            "sourceFile": {**name, **where, **_file(result, item, options)},
        }
    return None


def _file(result: Result, item: Item, options: OutputOptions) -> Message:
    file, package = item.target, item.package
    if package is None or item.is_stand_in or not isinstance(file, InputFile):
        return {}
    message: Message = {}
    is_build_file = item.is_build_file
    if is_build_file and package.loads:
        message["subinclude"] = [str(label) for label in result.loads(package)]
    visibility = visibility_of(file, package, options.bazel_version)
    message["visibilityLabel"] = [str(label) for label in visibility]
    if is_build_file:
        message["packageContainsErrors"] = bool(package.diagnostics)
    return message


def _rule(
    result: Result, index: int, rule: Rule, where: Message, options: OutputOptions
) -> Message:
    message: Message = {"name": str(result.items[index].label), "ruleClass": rule.rule_class.name}
    message.update(where)
    attributes = []
    for name in sorted(attribute_names(rule)):
        attribute = result.attribute(index, name)
        chosen = options.proto_attributes
        if attribute is None or ("all" not in chosen and name not in chosen):
            continue
        if attribute.is_explicit or options.proto_default_values:
            attributes.append(_attribute(rule, attribute))
    if attributes:
        message["attribute"] = attributes
    if options.proto_inputs_and_outputs:
        inputs = [str(label) for label in result.inputs(index)]
        if inputs:
            message["ruleInput"] = inputs
        if rule.outputs:
            message["ruleOutput"] = [str(label) for label in rule.outputs]
    return message


def _attribute(rule: Rule, attribute: Attribute) -> Message:
    name = attribute.name
    type = attribute.type
    definition = rule.rule_class.attributes.get(name)
    is_visibility = name in _NODEP or (definition is not None and definition.nodep)
    kind = type.value.upper()
    if is_visibility:
        kind = "STRING" if type is AttributeType.LABEL else "STRING_LIST"
    message: Message = {
        "name": name,
        "type": kind,
    }
    values = flattened(attribute.value)
    if name == "visibility":
        said = rule.attributes.get(name)
        values = flattened(said.value) if said is not None and said.is_explicit else []
    later: Message = {}
    for key, value in _values(rule, name, type, values).items():
        (later if key in _AFTER_EXPLICIT or key == "booleanValue" else message)[key] = value
    message["explicitlySpecified"] = attribute.is_explicit
    for key in ("booleanValue", "tristateValue", "intListValue"):
        if key in later:
            message[key] = later[key]
    if type in _WITH_NODEP or is_visibility:
        message["nodep"] = is_visibility
    for key in ("labelDictUnaryValue", "labelKeyedStringDictValue"):
        if key in later:
            message[key] = later[key]
    return message


def _values(rule: Rule, name: str, type: AttributeType, values: list[object]) -> Message:
    if type in _PAIRS:
        entries: dict[object, object] = {}
        for value in values:
            if isinstance(value, DictValue):
                entries.update(value.items)
        pairs = [{"key": str(key), "value": _pair_value(item)} for key, item in entries.items()]
        return {_PAIRS[type]: pairs} if pairs else {}
    if type is AttributeType.LICENSE:
        kinds = [str(item).upper() for v in values if is_list(v) for item in v]
        return {"license": {"licenseType": kinds or ["NONE"]}}
    lists = [value for value in values if is_list(value)]
    if lists or type in (AttributeType.LABEL_LIST, AttributeType.STRING_LIST):
        items = list(dict.fromkeys(item for value in lists for item in value))
        if len(lists) == 1:
            items = list(lists[0])
        if is_sorted(rule, name):
            items.sort(key=str)
        if type is AttributeType.INTEGER_LIST:
            return {"intListValue": items} if items else {}
        return {"stringListValue": [str(item) for item in items]} if items else {}
    distinct = list(dict.fromkeys(values))
    if len(distinct) != 1:
        return {}
    return _single(type, distinct[0])


def _single(type: AttributeType, value: object) -> Message:
    if type is AttributeType.BOOLEAN:
        on = bool(value)
        return {"intValue": int(on), "stringValue": "true" if on else "false", "booleanValue": on}
    if type is AttributeType.TRISTATE and isinstance(value, int):
        word = {-1: "auto", 0: "no", 1: "yes"}.get(int(value), "auto")
        return {"intValue": int(value), "stringValue": word, "tristateValue": word.upper()}
    if type is AttributeType.INTEGER:
        return {"intValue": value}
    return {"stringValue": str(value)}


def _pair_value(value: object) -> object:
    if isinstance(value, tuple):
        return [str(item) for item in value]
    return str(value)


def _scalar(value: object) -> str:
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).translate(_HTML_SAFE)
    return json.dumps(value)


def _layout(value: object, depth: int) -> str:
    """JSON as protobuf lays it out: lists in line, members of objects on lines of their own."""
    if isinstance(value, dict):
        if not value:
            return "{\n" + "  " * depth + "}"
        indent = "  " * (depth + 1)
        members = [
            f"{indent}{json.dumps(key)}: {_layout(item, depth + 1)}" for key, item in value.items()
        ]
        return "{\n" + ",\n".join(members) + "\n" + "  " * depth + "}"
    if isinstance(value, list):
        return f"[{', '.join(_layout(item, depth) for item in value)}]"
    return _scalar(value)


def _line(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(k)}:{_line(item)}" for k, item in value.items()) + "}"
    if isinstance(value, list):
        return f"[{','.join(map(_line, value))}]"
    return _scalar(value)
