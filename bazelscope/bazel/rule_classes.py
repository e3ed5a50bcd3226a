"""The native rule classes of one Bazel version, from the tables that bazelscope ships.

The tables hold what `bazel info build-language` says in 0.24.1, 2.1.0 and 4.2.3, and what those
Bazels were seen to hold (`scripts/measure_native_rules.py`): attributes in the order of their
definition, with computed defaults. Any other version takes the nearest older table (the
oldest for what is older still), with the rules that came until the next one; the rules of
Android are those of 2.1.0 ever since.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from bazelscope.base.label import MAIN_ROOT, Label, parse_label
from bazelscope.base.memoized import memoized
from bazelscope.bazel import android_transitions
from bazelscope.bazel.apple_transitions import SPLIT, is_split, rule_transition
from bazelscope.bazel.attribute_types import (
    DICT_TYPES,
    AspectAttribute,
    AttributeDefinition,
    AttributeType,
    Configured,
    DictValue,
    RuleClass,
)
from bazelscope.bazel.later_rules import changed, gone_rules, later_attributes, later_rules
from bazelscope.bazel.native_rules import is_for_execution
from bazelscope.bazel.release import Release

_FOLDER = Path(__file__).parent / "build_language"
_TABLES = tuple(sorted(Release.of(file.stem) for file in _FOLDER.glob("*.json")))

_PUBLIC = "//visibility:public"

_NODEP_TYPES = {
    AttributeType.STRING: AttributeType.LABEL,
    AttributeType.STRING_LIST: AttributeType.LABEL_LIST,
}

_MANDATORY, _FIXED, _HOST, _NODEP, _EXECUTABLE, _SORTED = 1, 2, 4, 8, 16, 32

_ANDROID = ("aar_import", "android_")

_STARLARK_BASE = "@plain"
_STARLARK_EXECUTABLE = "@executable"
_STARLARK_TEST = "@example_test"
_COVERAGE_SUPPORT = ":coverage_support"
"""The tables' names for what rules of Starlark have besides their own attributes."""


def table_version(release: Release) -> str:
    """Which table serves a release."""
    older = [table for table in _TABLES if table <= release]
    return (older[-1] if older else _TABLES[0]).text


def has_own_table(release: Release) -> bool:
    """Whether a table was made from that very minor version."""
    return any(table.numbers[:2] == release.numbers[:2] for table in _TABLES)


class NativeRules:
    """The native rules of one Bazel version; classes are made when they are asked for."""

    def __init__(self, release: Release | str) -> None:
        self.release = Release.of(release) if isinstance(release, str) else release
        self.table_version = table_version(self.release)
        names = dict.fromkeys(_table(self.table_version)[1], self.table_version)
        for other in reversed(_TABLES):
            for name in _table(other.text)[1]:
                if _is_had(name, other, self.release):
                    names.setdefault(name, other.text)
        self._table_of: Mapping[str, str] = names
        self._later = later_rules(self.release)
        bases = {_STARLARK_BASE, _STARLARK_EXECUTABLE, _STARLARK_TEST}
        self.names = frozenset({*names, *self._later} - bases - gone_rules(self.release))

    def names_of_table(self) -> frozenset[str]:
        """The rules that the version's own table describes."""
        return self.names & _table(self.table_version)[1].keys()

    def base_attributes(
        self, is_executable: bool, is_test: bool
    ) -> Mapping[str, AttributeDefinition]:
        """What every rule of Starlark has besides its own. Bazel: `BaseRuleClasses`."""
        if is_test:
            attributes = dict(self.get(_STARLARK_TEST).attributes)
            # Of native tests it is not a tool. Bazel: `StarlarkRuleClassFunctions`.
            support = attributes.get(_COVERAGE_SUPPORT)
            if support is not None:
                attributes[_COVERAGE_SUPPORT] = replace(support, configured=Configured.HOST)
            return attributes
        return self.get(_STARLARK_EXECUTABLE if is_executable else _STARLARK_BASE).attributes

    @memoized
    def get(self, name: str) -> RuleClass:
        """The rule class `name`; one of unknown class where no table knows it.

        One that the release has lost is told as it was."""
        table = self._table_of.get(name)
        if table is None:
            own = self._later.get(name)
            if own is None:
                return RuleClass(name, {}, is_known=False)
            attributes = {**self.get(_STARLARK_BASE).attributes, **_by_name(own)}
            return RuleClass(name, changed(name, attributes, self.release))
        definitions, rules, aspect_labels = _table(table)
        attributes = {}
        for index in rules[name]:
            attribute, kind, flags, *default = definitions[index]
            made = _definition(attribute, kind, flags, default)
            if is_for_execution(name, attribute, Release.of(table)):
                made = replace(made, configured=Configured.EXEC)
            elif is_split(name, attribute, made.type):
                made = replace(made, configured=Configured.TRANSITION, transition=SPLIT)
            elif android_transitions.is_split(name, attribute, made.type):
                cfg = android_transitions.MULTI_CPU
                made = replace(made, configured=Configured.TRANSITION, transition=cfg)
            attributes[attribute] = made
        came = _by_name(later_attributes(name, attributes, self.release))
        for attribute, later in came.items():
            before = attributes.get(attribute)
            if before is None:
                attributes[attribute] = later
            elif (before.type, later.type) == (AttributeType.BOOLEAN, AttributeType.TRISTATE):
                attributes[attribute] = replace(
                    before, type=later.type, default=int(bool(before.default))
                )
        if name == "config_setting" and self.release.config_settings_default_to_public:
            visible = replace(attributes["visibility"], default=(_native_label(_PUBLIC),))
            attributes["visibility"] = visible
        if table == "0.24.1":
            _borrow_host(name, attributes)
        if Release.of(table) < self.release:
            attributes = changed(name, attributes, self.release)
        return RuleClass(
            name,
            attributes,
            is_executable="args" in attributes,
            is_test="flaky" in attributes,
            is_build_setting=name in ("label_flag", "label_setting"),
            is_flag=name == "label_flag",
            transition=rule_transition(name),
            aspect_attributes=_of_native_aspects(aspect_labels.get(name, ())),
        )


def _by_name(definitions: Iterable[AttributeDefinition]) -> dict[str, AttributeDefinition]:
    return {
        definition.name: definition
        if definition.default is not None
        else replace(definition, default=zero_of(definition.type))
        for definition in definitions
    }


def _is_had(name: str, table: Release, release: Release) -> bool:
    """Whether a version may have a rule that another version's table holds."""
    if table < release:
        return name.startswith(_ANDROID)  # Debian's 4.2.3 was built without these
    if release in _TABLES:
        return False
    # Between two tables nobody knows when the rules of the newer one came.
    return table == next(newer for newer in _TABLES if newer > release)


@cache
def _table(version: str) -> tuple[list[list[Any]], dict[str, list[int]], dict[str, list[str]]]:
    file = _FOLDER / f"{version}.json"
    content = json.loads(file.read_text(encoding="utf-8"))
    return content["definitions"], content["rules"], content["aspect_inputs"]


_PYTHON_VERSIONS = ("PY2", "PY3", "_INTERNAL_SENTINEL")
_ALLOWED: Mapping[str, tuple[str, ...]] = {
    "default_python_version": _PYTHON_VERSIONS,
    "python_version": _PYTHON_VERSIONS,
    "srcs_version": ("PY2", "PY3", "PY2AND3", "PY2ONLY", "PY3ONLY"),
}
"""The values that attributes take, by the name of the attribute. Bazel: `PyRuleClasses`."""


def _definition(name: str, kind: str, flags: int, default: list[object]) -> AttributeDefinition:
    attribute_type = AttributeType(kind)
    nodep = bool(flags & _NODEP)
    if nodep:
        attribute_type = _NODEP_TYPES.get(attribute_type, attribute_type)
    configured = Configured.TARGET
    if flags & _HOST and not nodep:
        configured = Configured.HOST
    return AttributeDefinition(
        name,
        attribute_type,
        _default_value(attribute_type, default[0]) if default else zero_of(attribute_type),
        mandatory=bool(flags & _MANDATORY),
        configurable=not flags & _FIXED,
        configured=configured,
        nodep=nodep,
        executable=bool(flags & _EXECUTABLE),
        is_sorted=bool(flags & _SORTED),
        allowed=_ALLOWED.get(name, ()),
    )


def _default_value(attribute_type: AttributeType, default: object) -> object:
    """The default that the table names, as a plain value."""
    if isinstance(default, list):
        if attribute_type is AttributeType.LABEL_LIST:
            return tuple(_native_label(text) for text in default)
        return tuple(default)
    if attribute_type is AttributeType.LABEL and isinstance(default, str):
        return _native_label(default)
    if default == 2**64 - 1:
        return -1  # the table prints integers unsigned
    return default


def zero_of(attribute_type: AttributeType) -> object:
    """The value of an attribute that was not set and has no default."""
    return _ZEROS[attribute_type]


_ZEROS: Mapping[AttributeType, object] = {
    **dict.fromkeys(AttributeType, ()),
    **dict.fromkeys(DICT_TYPES, DictValue(())),
    **dict.fromkeys((AttributeType.LABEL, AttributeType.OUTPUT, AttributeType.UNKNOWN)),
    AttributeType.BOOLEAN: False,
    AttributeType.INTEGER: 0,
    AttributeType.STRING: "",
    AttributeType.TRISTATE: -1,
}


def _of_native_aspects(labels: Iterable[str]) -> tuple[AspectAttribute, ...]:
    """What is known of the aspects of a native rule: `labels`, each in some attribute."""
    return tuple(AspectAttribute("", AttributeType.LABEL, (_native_label(t),)) for t in labels)


def _native_label(text: str) -> Label:
    return parse_label(text, MAIN_ROOT)


def _borrow_host(rule: str, attributes: dict[str, AttributeDefinition]) -> None:
    """0.24.1 does not say which attributes are built for the host: take 2.1.0's word."""
    definitions, rules, _ = _table("2.1.0")
    for index in rules.get(rule, ()):
        name, flags = str(definitions[index][0]), definitions[index][2]
        definition = attributes.get(name)
        if (
            definition is not None
            and isinstance(flags, int)
            and flags & _HOST
            and not definition.nodep
        ):
            attributes[name] = replace(definition, configured=Configured.HOST)
