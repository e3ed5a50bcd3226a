"""`--output=xml`, byte for byte as Java's serialiser indents and escapes it.

Bazel: `XmlOutputFormatter`. Selects are flattened: a list is the union of all its branches, a
single value that differs between branches is only said to be configurable.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from bazelscope.analysis.conditions.visibility import groups_of, visibility_of
from bazelscope.base.errors import is_severe
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.bazel.attribute_types import DICT_TYPES, AttributeType, DictValue
from bazelscope.loading.packages.targets import (
    EnvironmentGroup,
    InputFile,
    OutputFile,
    PackageGroup,
    Rule,
    unknown_of,
)
from bazelscope.query.formats.attribute_names import attribute_names
from bazelscope.query.formats.results import (
    OutputOptions,
    Result,
    Row,
    shown_location,
    shown_packages,
)
from bazelscope.query.graphs.unknown_marks import unknown_parts
from bazelscope.query.language.attribute_values import flattened, is_list

_HEAD = '<?xml version="1.1" encoding="UTF-8" standalone="no"?>\n'
_ESCAPES = str.maketrans(
    {
        "&": "&amp;",
        "<": "&lt;",
        ">": "&gt;",
        '"': "&quot;",
        **{chr(code): f"&#{code};" for code in range(32)},
    }
)
_TAGS = {
    AttributeType.BOOLEAN: "boolean",
    AttributeType.INTEGER: "int",
    AttributeType.LABEL: "label",
    AttributeType.OUTPUT: "output",
    AttributeType.TRISTATE: "tristate",
}
_EXCEPTION = "exception="
_ITEMS = {
    AttributeType.DISTRIBUTION_SET: "distribution",
    AttributeType.INTEGER_LIST: "int",
    AttributeType.LABEL_LIST: "label",
    AttributeType.OUTPUT_LIST: "output",
    AttributeType.STRING_LIST: "string",
}


@dataclass(slots=True)
class _Element:
    name: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[_Element] = field(default_factory=list)

    def write(self, depth: int) -> Iterator[str]:
        indent = "    " * depth
        words = "".join(
            f' {key}="{_text(self.attributes[key])}"' for key in sorted(self.attributes)
        )
        if not self.children:
            yield f"{indent}<{self.name}{words}/>\n"
            return
        yield f"{indent}<{self.name}{words}>\n"
        for child in self.children:
            yield from child.write(depth + 1)
        yield f"{indent}</{self.name}>\n"


def to_xml(result: Result, options: OutputOptions) -> str:
    """The result as one document."""
    root = _Element("query", {"version": "2"})
    for index, row in enumerate(result.rows):
        element = _target(result, index, row, options)
        if element is not None:
            root.children.append(element)
    return _HEAD + "".join(root.write(0))


def _text(value: str) -> str:
    # Bazel holds text as bytes, and the serialiser takes each for a character.
    return value.encode("utf-8", "surrogateescape").decode("latin-1").translate(_ESCAPES)


def _target(result: Result, index: int, row: Row, options: OutputOptions) -> _Element | None:
    target = row.target
    head = {"name": options.label_text(row.label)}
    where = shown_location(row, options, options.xml_line_numbers)
    if where is not None:
        head["location"] = where
    if isinstance(target, Rule):
        head["class"] = target.rule_class.name
        return _Element("rule", head, list(_rule(result, index, target, options)))
    if isinstance(target, OutputFile):
        head["generating-rule"] = options.label_text(target.generating_rule)
        return _Element("generated-file", head)
    if isinstance(target, PackageGroup):
        return _Element(
            "package-group",
            head,
            [
                _list("includes", "label", options.texts(target.includes)),
                _list("packages", "string", shown_packages(target, options)),
            ],
        )
    if isinstance(target, EnvironmentGroup):
        return _Element(
            "environment-group",
            head,
            [
                _list("environments", "label", options.texts(target.environments)),
                _list("defaults", "label", options.texts(target.defaults)),
            ],
        )
    if isinstance(target, InputFile):
        return _Element("source-file", head, list(_source_file(result, row, target, head, options)))
    why = unknown_of(target)
    return _Element("unknown-target", head if why is None else {**head, "unknown": str(why)})


def _source_file(
    result: Result, row: Row, file: InputFile, head: dict[str, str], options: OutputOptions
) -> Iterator[_Element]:
    package = row.package
    if package is None or row.is_stand_in:
        return
    if row.is_plain_build_file:
        head["package_contains_errors"] = str(any(map(is_severe, package.diagnostics))).lower()
        for label in result.loads(package):
            yield _Element("load", {"name": options.label_text(label)})
        for feature in package.features:
            yield _Element("feature", {"name": feature})
    visibility = visibility_of(file, package, options.release)
    for label in groups_of(visibility):
        yield _Element("package-group", {"name": options.label_text(label)})
    for label in visibility:
        yield _Element("visibility-label", {"name": options.label_text(label)})


def _rule(result: Result, index: int, rule: Rule, options: OutputOptions) -> Iterator[_Element]:
    for name in attribute_names(rule):
        attribute = result.attribute(index, name)
        if attribute is None or not (attribute.is_explicit or options.xml_default_values):
            continue
        known = flattened(options.shown(attribute).value, attribute.type)
        if name == "name":
            known = [rule.label.name]
        yield _attribute(name, attribute.type, known)
    of_aspects = [label for one in result.aspect_attributes(index) for label in one.labels]
    for label in (*result.inputs(index), *of_aspects):
        yield _Element("rule-input", {"name": options.label_text(label)})
    for label in rule.outputs:
        yield _Element("rule-output", {"name": options.label_text(label)})
    for part, reason in unknown_parts(rule):
        where = {"attribute": part} if part else {}
        yield _Element("unknown", {**where, "reason": reason})
    package = result.rows[index].package
    for feature in package.features if package is not None else ():
        yield _Element("rule-default-setting", {"name": feature})


def _attribute(name: str, type: AttributeType, values: list[object]) -> _Element:
    if type is AttributeType.LICENSE:
        return _license(name, values)
    if type in DICT_TYPES:
        return _dictionary(name, values)
    if type in _ITEMS or any(is_list(value) for value in values):
        items: list[object] = [held for value in values if is_list(value) for held in value]
        # Several branches together name a label once; a visibility that says one twice, twice.
        if len(values) > 1 and any(isinstance(held, Label) for held in items):
            items = list(dict.fromkeys(items))
        kind = _ITEMS.get(type, "string")
        return _Element(
            "list",
            {"name": name},
            [_Element(_item_kind(kind, held), {"value": _item(type, held)}) for held in items],
        )
    element = _Element(_TAGS.get(type, "string"), {"name": name})
    if len(values) == 1:
        element.attributes["value"] = _plain(values[0], type)
    elif values:
        element.attributes["configurable"] = "yes"
    return element


def _item(type: AttributeType, element: object) -> str:
    text = _plain(element)
    return text.upper() if type is AttributeType.DISTRIBUTION_SET else text


def _item_kind(kind: str, element: object) -> str:
    return "label" if isinstance(element, Label) and kind == "string" else kind


def _dictionary(name: str, values: list[object]) -> _Element:
    entries: dict[object, object] = {}
    for value in values:
        if isinstance(value, DictValue):
            for key, value_of_key in value.items:
                entries.setdefault(key, value_of_key)
    return _Element(
        "dict",
        {"name": name},
        [
            _Element("pair", {}, [_single(key), _single(value_of_key)])
            for key, value_of_key in entries.items()
        ],
    )


def _single(value: object) -> _Element:
    if isinstance(value, Label):
        return _Element("label", {"value": str(value)})
    if isinstance(value, tuple):
        return _Element("list", {}, [_single(element) for element in value])
    return _Element("string", {"value": str(value)})


def _license(name: str, values: list[object]) -> _Element:
    words = [str(held) for v in values if is_list(v) for held in v]
    exceptions = [word[len(_EXCEPTION) :] for word in words if word.startswith(_EXCEPTION)]
    kinds = [word.upper() for word in words if not word.startswith(_EXCEPTION)] or ["NONE"]
    return _Element(
        "license",
        {"name": name},
        [_list("exceptions", "string", exceptions), _list("license-types", "string", kinds)],
    )


def _list(name: str, kind: str, values: list[str]) -> _Element:
    return _Element("list", {"name": name}, [_Element(kind, {"value": v}) for v in values])


def _plain(value: object, type: AttributeType | None = None) -> str:
    if type is AttributeType.TRISTATE and isinstance(value, int):
        return {-1: "AUTO", 0: "NO", 1: "YES"}.get(int(value), str(value))
    if type is AttributeType.BOOLEAN or isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
