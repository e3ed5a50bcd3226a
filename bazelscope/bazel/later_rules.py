"""What became of native rules after the newest table: what each later release added, took away
and changed, as `later_rules.txt` has it, which says where that is from.
"""

from __future__ import annotations

import json
from collections.abc import Container, Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

from bazelscope.base.label import MAIN_ROOT, parse_label
from bazelscope.bazel.attribute_types import AttributeDefinition, AttributeType, Configured
from bazelscope.bazel.facts.fact import Numbers
from bazelscope.bazel.release import Release

_Change = Mapping[str, object]
"""Fields of an `AttributeDefinition`, with their values."""

_WORDS: Mapping[str, _Change] = {
    **{one.value: {"type": one} for one in AttributeType},
    "fixed": {"configurable": False},
    "mandatory": {"mandatory": True},
    "nodep": {"nodep": True},
    "optional": {"mandatory": False},
    "tool": {"configured": Configured.EXEC},
}
_EVERY_RULE = "*"
_OF_NO_TABLE, _GONE = "new", "gone"
_FIRST: Numbers = (5, 0, 0)

_ONLY_WITH: Mapping[str, tuple[str, ...]] = {
    "exec_group_compatible_with": ("exec_compatible_with", "exec_properties"),
    "target_compatible_with": ("compatible_with",),
}
"""What "every rule" leaves out: rules without these. Bazel: `exemptFromConstraintChecking`,
`NativeActionCreatingRule`."""

_DISTRIBS: _Change = {"type": AttributeType.STRING_LIST, "default": ()}
"""What they are from 8 on: they mean nothing any more."""

_OLD_METADATA, _METADATA = "applicable_licenses", "package_metadata"


class _Fact(NamedTuple):
    """What a row says of one attribute: `mark` is `+`, `-` or `~`."""

    mark: str
    name: str
    fields: _Change


class _Row(NamedTuple):
    since: Numbers
    kind: str
    rules: tuple[str, ...]
    facts: list[_Fact]


@cache
def _rows() -> tuple[_Row, ...]:
    rows: list[_Row] = []
    text = Path(__file__).with_name("later_rules.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if line.startswith(" "):
            mark, name, *said = line.split(maxsplit=2)
            rows[-1].facts.append(_Fact(mark, name.rstrip(":"), _fields("".join(said))))
        elif line and not line.startswith("#"):
            head, rules = line.split(": ")
            release, _, kind = head.partition(" ")
            rows.append(_Row(Release.of(release).numbers, kind, tuple(rules.split()), []))
    return tuple(rows)


def _fields(said: str) -> _Change:
    words, _, default = said.partition("= ")
    fields = {name: value for word in words.split() for name, value in _WORDS[word].items()}
    is_label = fields.get("type") is AttributeType.LABEL
    if default:
        value = json.loads(default)
        if isinstance(value, str) and is_label:
            value = parse_label(value, MAIN_ROOT)
        fields["default"] = tuple(value) if isinstance(value, list) else value
    if is_label and "configured" in fields:
        fields["executable"] = True
    return fields


def _in_force(release: Release, kind: str = "") -> Iterator[_Row]:
    if release.numbers >= _FIRST:
        yield from (row for row in _rows() if row.kind == kind and row.since <= release.numbers)


def _facts(rule: str, mark: str, release: Release) -> Iterator[_Fact]:
    for row in _in_force(release):
        if rule in row.rules or _EVERY_RULE in row.rules:
            yield from (fact for fact in row.facts if fact.mark == mark)


def later_attributes(
    rule: str, own: Container[str], release: Release
) -> Iterator[AttributeDefinition]:
    """What a rule of the tables, where it has `own` attributes, has in a release besides."""
    for fact in _facts(rule, "+", release):
        needed = _ONLY_WITH.get(fact.name, ())
        if all(name in own and not is_gone(rule, name, release) for name in needed):
            yield _definition(fact)


def later_rules(release: Release) -> Mapping[str, tuple[AttributeDefinition, ...]]:
    """The rules of a release that no table has, each with its own attributes."""
    return {
        rule: tuple(map(_definition, row.facts))
        for row in _in_force(release, _OF_NO_TABLE)
        for rule in row.rules
    }


def gone_rules(release: Release) -> frozenset[str]:
    """The rules of some table that a release has no more."""
    return frozenset(rule for row in _in_force(release, _GONE) for rule in row.rules)


def is_gone(rule: str, attribute: str, release: Release) -> bool:
    """Whether a rule had an attribute until some release, and lacks it in this one."""
    return any(fact.name == attribute for fact in _facts(rule, "-", release))


def metadata_attribute(release: Release) -> str:
    """What `default_package_metadata` of `package()` sets of each rule. Bazel:
    `RuleClass.APPLICABLE_METADATA_ATTR`; rules may be given it by its old name ever since."""
    return _METADATA if release.metadata_is_of_package else _OLD_METADATA


def is_metadata(attribute: str) -> bool:
    """Whether an attribute is that one, by its old name or by the new."""
    return attribute in (_OLD_METADATA, _METADATA)


def changed(
    rule: str, attributes: Mapping[str, AttributeDefinition], release: Release
) -> dict[str, AttributeDefinition]:
    """The attributes of a rule as they are in a release that is newer than its table."""
    gone = {fact.name for fact in _facts(rule, "-", release)}
    own = {name: definition for name, definition in attributes.items() if name not in gone}
    for fact in _facts(rule, "~", release):
        if fact.name in own:
            own[fact.name] = _with(own[fact.name], fact.fields)
    if not release.metadata_is_of_package:
        return own
    if "distribs" in own:
        own["distribs"] = _with(own["distribs"], _DISTRIBS)
    renamed = (
        replace(definition, name=_METADATA) if name == _OLD_METADATA else definition
        for name, definition in own.items()
    )
    return {definition.name: definition for definition in renamed}


def _definition(fact: _Fact) -> AttributeDefinition:
    return _with(AttributeDefinition(fact.name, AttributeType.UNKNOWN), fact.fields)


def _with(definition: AttributeDefinition, change: _Change) -> AttributeDefinition:
    return replace(definition, **change)  # type: ignore[arg-type]
