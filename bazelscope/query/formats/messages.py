"""The targets of a result as the messages that Bazel writes about them.

Bazel: `ProtoOutputFormatter`, `AttributeFormatter`, `build.proto`. What a select can become is
flattened into one value, or told branch by branch with `--noproto:flatten_selects`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bazelscope.analysis.conditions.visibility import groups_of, visibility_of
from bazelscope.base.errors import is_severe
from bazelscope.bazel.attribute_types import (
    DEFAULT_CONDITION,
    AspectAttribute,
    Attribute,
    AttributeType,
    Branch,
    DictValue,
    Selector,
    SelectorList,
)
from bazelscope.loading.packages.targets import (
    EnvironmentGroup,
    InputFile,
    OutputFile,
    PackageGroup,
    Rule,
    unknown_of,
)
from bazelscope.query.formats.attribute_names import attribute_names
from bazelscope.query.formats.message_schema import Message
from bazelscope.query.formats.results import (
    OutputOptions,
    Result,
    Row,
    relative_frames_of,
    shown_location,
    shown_packages,
)
from bazelscope.query.graphs.unknown_marks import MARK, unknown_parts
from bazelscope.query.language.attribute_values import (
    flattened,
    is_list,
    possible_values,
    told_stack,
)

_NODEP = frozenset({"visibility", "transitive_configs"})
_WITH_NODEP = frozenset(
    {
        AttributeType.DISTRIBUTION_SET,
        AttributeType.LABEL,
        AttributeType.LABEL_DICT_UNARY,
        AttributeType.LABEL_KEYED_STRING_DICT,
        AttributeType.LABEL_LIST,
        AttributeType.OUTPUT,
        AttributeType.OUTPUT_LIST,
        AttributeType.STRING,
        AttributeType.STRING_LIST,
    }
)
_LABELS = frozenset({AttributeType.LABEL_LIST, AttributeType.OUTPUT_LIST})
_LISTS = frozenset(
    {AttributeType.STRING_LIST, AttributeType.INTEGER_LIST, AttributeType.DISTRIBUTION_SET}
)
_PAIRS = {
    AttributeType.LABEL_DICT_UNARY: "labelDictUnaryValue",
    AttributeType.LABEL_KEYED_STRING_DICT: "labelKeyedStringDictValue",
    AttributeType.STRING_DICT: "stringDictValue",
    AttributeType.STRING_LIST_DICT: "stringListDictValue",
}


def result_message(result: Result, options: OutputOptions) -> tuple[str, Message]:
    """The whole result and its type: a `QueryResult`, or, if the targets are configured and
    `--proto:include_configurations` holds, a `CqueryResult`."""
    configured = any(row.configuration for row in result.rows)
    if configured and options.proto_configurations:
        results: list[object] = [
            _configured(row, message) for row, message in target_messages(result, options)
        ]
        return "CqueryResult", {"results": results} if results else {}
    targets: list[object] = [message for _, message in target_messages(result, options)]
    return "QueryResult", {"target": targets} if targets else {}


def as_result(row: Row, message: Message, options: OutputOptions) -> tuple[str, Message]:
    """The message about one target and its type, as a stream has it: by itself, or, if it is
    configured, as a result of its own."""
    if row.configuration is None:
        return "Target", message
    if options.proto_configurations:
        return "CqueryResult", {"results": [_configured(row, message)]}
    return "QueryResult", {"target": [message]}


def _configured(row: Row, message: Message) -> Message:
    return {"target": message, "configuration": {"checksum": row.configuration}}


def target_messages(result: Result, options: OutputOptions) -> Iterator[tuple[Row, Message]]:
    """A `Target` for every row that is there; one for what nobody can tell, too."""
    for index, row in enumerate(result.rows):
        message = _target(result, index, row, options)
        if message is not None:
            yield row, message


def _target(result: Result, index: int, row: Row, options: OutputOptions) -> Message | None:
    target = row.target
    place = shown_location(row, options) if options.proto_locations else None
    where: Message = {"location": place} if place is not None else {}
    name = {"name": options.label_text(row.label)}
    if isinstance(target, Rule):
        return {"type": "RULE", "rule": _rule(result, index, target, where, options)}
    if isinstance(target, OutputFile):
        made_by = {"generatingRule": options.label_text(target.generating_rule)}
        return {"type": "GENERATED_FILE", "generatedFile": {**name, **made_by, **where}}
    if isinstance(target, PackageGroup):
        group: Message = {**name}
        if target.packages:
            group["containedPackage"] = shown_packages(target, options)
        if target.includes:
            group["includedPackageGroup"] = options.texts(target.includes)
        return {"type": "PACKAGE_GROUP", "packageGroup": group}
    if isinstance(target, EnvironmentGroup):
        environments: Message = {**name, "environment": options.texts(target.environments)}
        if target.defaults:
            environments["default"] = options.texts(target.defaults)
        return {"type": "ENVIRONMENT_GROUP", "environmentGroup": environments}
    if isinstance(target, InputFile):
        return {
            "type": "SOURCE_FILE",
            "sourceFile": {**name, **where, **_file(result, row, options)},
        }
    why = unknown_of(target)
    if why is not None:
        # There is no type for what nobody can tell; as a rule it can say why.
        rule: Message = {**name, "ruleClass": "", "attribute": [_marked([str(why)])]}
        return {"type": "RULE", "rule": rule}
    return None


def _marked(texts: list[str]) -> Message:
    return {"name": MARK, "type": "STRING_LIST", "stringListValue": texts}


def _file(result: Result, row: Row, options: OutputOptions) -> Message:
    file, package = row.target, row.package
    if package is None or row.is_stand_in or not isinstance(file, InputFile):
        return {}
    message: Message = {}
    if row.is_plain_build_file and package.loads:
        message["subinclude"] = options.texts(result.loads(package))
    if row.is_plain_build_file and package.features:
        message["feature"] = list(package.features)
    visibility = visibility_of(file, package, options.release)
    groups = groups_of(visibility)
    if groups:
        message["packageGroup"] = options.texts(groups)
    message["visibilityLabel"] = options.texts(visibility)
    if row.is_plain_build_file:
        message["packageContainsErrors"] = any(map(is_severe, package.diagnostics))
    return message


def _rule(
    result: Result, index: int, rule: Rule, where: Message, options: OutputOptions
) -> Message:
    row = result.rows[index]
    message: Message = {"name": options.label_text(rule.label), "ruleClass": rule.rule_class.name}
    message.update(where)
    attributes: list[object] = []
    for name in sorted(attribute_names(rule)):
        attribute = result.attribute(index, name)
        chosen = options.proto_attributes
        if attribute is None or (chosen != ("all",) and name not in chosen):
            continue
        if attribute.is_explicit or options.proto_default_values:
            flatten = options.proto_flatten_selects
            configured = row.configuration is not None
            attributes.append(_attribute(rule, options.shown(attribute), flatten, configured))
    digest = result.rule_digest(rule)
    if digest is not None:
        hashed = {"name": "$rule_implementation_hash", "type": "STRING", "stringValue": digest}
        attributes.append(hashed)
    aspects = result.aspect_attributes(index)
    attributes += _of_aspects(rule, aspects, options)
    marks = [f"{name}: {why}" if name else why for name, why in unknown_parts(rule)]
    if marks:
        attributes.append(_marked(marks))
    if attributes:
        message["attribute"] = attributes
    if options.proto_inputs_and_outputs:
        of_aspects = dict.fromkeys(label for one in aspects for label in one.labels)
        inputs = options.texts((*of_aspects, *result.inputs(index)))
        if inputs:
            message["ruleInput"] = inputs
        if rule.outputs:
            message["ruleOutput"] = options.texts(rule.outputs)
    if row.package is not None and row.package.features:
        message["defaultSetting"] = list(row.package.features)
    if options.proto_instantiation_stack:
        message["instantiationStack"] = relative_frames_of(
            told_stack(rule, row.package, options.release), row, options
        )
    if options.proto_definition_stack and rule.rule_class.defined_at:
        message["definitionStack"] = relative_frames_of(rule.rule_class.defined_at, row, options)
    return message


def _of_aspects(
    rule: Rule, aspects: Sequence[AspectAttribute], options: OutputOptions
) -> list[Message]:
    """The attributes of aspects, by name; those of native rules' aspects have none here."""
    messages: list[Message] = []
    for name, kind, labels, _ in sorted(aspects, key=lambda one: one.name):
        value = labels if kind is AttributeType.LABEL_LIST else labels[0]
        private = f"${name[1:]}" if name.startswith("_") else name
        attribute = options.shown(Attribute(private, kind, value, is_explicit=False))
        message = _attribute(rule, attribute, flatten=True, configured=False)
        if name and message not in messages:
            messages.append(message)
    return messages


def _attribute(rule: Rule, attribute: Attribute, flatten: bool, configured: bool) -> Message:
    name, type, value = attribute.name, attribute.type, attribute.value
    definition = rule.rule_class.attributes.get(name)
    is_nodep = name in _NODEP or (definition is not None and definition.nodep)
    kind = type.value.upper()
    if is_nodep:
        kind = "STRING" if type is AttributeType.LABEL else "STRING_LIST"
    message: Message = {"name": name, "type": kind, "explicitlySpecified": attribute.is_explicit}
    if type in _WITH_NODEP or is_nodep:
        message["nodep"] = is_nodep
    if isinstance(value, SelectorList) and not flatten:
        message["type"] = "SELECTOR_LIST"
        elements = [_selector(rule, name, type, part) for part in value.parts]
        message["selectorList"] = {"type": kind, "elements": elements}
        return message
    if name == "visibility" and configured and not attribute.is_explicit:
        value = None  # What the package says is no part of a configured rule.
    message.update(_values(type, value))
    if type is AttributeType.BOOLEAN and "booleanValue" in message:
        on = bool(message["booleanValue"])
        message |= {"intValue": int(on), "stringValue": "true" if on else "false"}
    if type is AttributeType.TRISTATE and "tristateValue" in message:
        word = str(message["tristateValue"])
        numbers = {"AUTO": -1, "NO": 0, "YES": 1}
        message |= {"intValue": numbers[word], "stringValue": word.lower()}
    return message


def _selector(rule: Rule, name: str, type: AttributeType, part: object) -> Message:
    """A select, or a part beside selects: one that has nothing but a default."""
    selector = part if isinstance(part, Selector) else Selector((Branch(DEFAULT_CONDITION, part),))
    entries: list[object] = [
        {
            "label": str(branch.condition),
            "isDefaultValue": branch.value is None,
            **_values(type, branch.value),
        }
        for branch in selector.branches
    ]
    return {
        "entries": entries,
        "hasDefaultValue": any(branch.is_default for branch in selector.branches),
        "noMatchError": selector.no_match_error,
    }


def _values(type: AttributeType, value: object) -> Message:
    """The fields that hold a value, or what all branches of a select give together."""
    if type in _PAIRS:
        entries: dict[object, object] = {}
        for possible in possible_values(value, type):
            if isinstance(possible, DictValue):
                entries.update(possible.items)
        pairs = [
            {"key": str(key), "value": _pair_value(element)} for key, element in entries.items()
        ]
        return {_PAIRS[type]: pairs} if pairs else {}
    if type is AttributeType.LICENSE:
        kinds = [str(element).upper() for v in flattened(value) if is_list(v) for element in v]
        return {"license": {"licenseType": kinds or ["NONE"]}}
    if type in _LABELS or type in _LISTS or is_list(value):
        items = _items(type, value)
        if type is AttributeType.DISTRIBUTION_SET:
            return {"stringListValue": [str(one).upper() for one in items]} if items else {}
        if type is AttributeType.INTEGER_LIST:
            return {"intListValue": items} if items else {}
        return {"stringListValue": [str(element) for element in items]} if items else {}
    values = list(flattened(value, type))
    return _single(type, values[0]) if len(values) == 1 else {}


def _items(type: AttributeType, value: object) -> list[object]:
    if not isinstance(value, SelectorList | Selector):
        return list(value) if is_list(value) else []
    if type in _LABELS:
        return list(dict.fromkeys(i for v in flattened(value) if is_list(v) for i in v))
    return [element for v in flattened(value) if is_list(v) for element in v]


def _single(type: AttributeType, value: object) -> Message:
    if type is AttributeType.BOOLEAN:
        return {"booleanValue": bool(value)}
    if type is AttributeType.TRISTATE and isinstance(value, int):
        return {"tristateValue": {0: "NO", 1: "YES"}.get(int(value), "AUTO")}
    if type is AttributeType.INTEGER:
        return {"intValue": value}
    return {"stringValue": str(value)}


def _pair_value(value: object) -> object:
    if isinstance(value, tuple) and is_list(value):
        return [str(element) for element in value]
    return str(value)
