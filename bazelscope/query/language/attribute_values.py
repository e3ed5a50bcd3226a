"""The values that an attribute can have, over all branches of its selects, and as the strings
that `attr()` searches.

Bazel: `AggregatingAttributeMapper`, `BlazeTargetAccessor`. Two selects over the same conditions
take the same branch, so their values are combined branch by branch; other selects each with each.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import TypeGuard

from bazelscope.analysis.conditions.visibility import rule_visibility
from bazelscope.base.label import Label
from bazelscope.base.source import CallStack, Frame, Location
from bazelscope.base.unknown import Unknown
from bazelscope.bazel.attribute_types import (
    DEFAULT_CONDITION,
    Attribute,
    AttributeType,
    DictValue,
    Selector,
    SelectorList,
    parts_of,
    selectors_of,
)
from bazelscope.bazel.release import Release
from bazelscope.bazel.rule_classes import zero_of
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import Rule

CONFIG_DEPENDENCIES = "$config_dependencies"
_GENERATORS = ("generator_name", "generator_function", "generator_location")
_MOST_COMBINATIONS = 4096
"""Bazel gives up combining, too, and takes what each branch alone gives."""


def attribute_of(
    rule: Rule, name: str, package: Package | None, release: Release, root: str = ""
) -> Attribute | None:
    """The attribute as Bazel names it: `$x` for the `_x` of a Starlark rule, and those that
    tell which macro made the rule; None if its class has none such. `root` is the directory of
    the workspace."""
    if name in _GENERATORS and name not in rule.attributes:
        made = _generator(rule, name, package, release, root)
        return Attribute(name, AttributeType.STRING, made or "", is_explicit=made is not None)
    if name == "name":
        return Attribute(name, AttributeType.STRING, rule.label.name, is_explicit=True)
    if name.startswith("_"):
        return None
    if name.startswith("$"):
        private = rule.attribute(f"_{name[1:]}")
        if private is not None:
            return Attribute(name, private.type, private.value, private.is_explicit)
    if name == CONFIG_DEPENDENCIES:
        if rule.rule_class.defined_at and not release.starlark_config_dependencies:
            return None
        conditions = tuple(conditions_of(rule))
        return Attribute(name, AttributeType.LABEL_LIST, conditions, is_explicit=False)
    if name == "licenses" and _ignores_licenses(rule, release):
        return Attribute(name, AttributeType.LICENSE, ("none",), is_explicit=False)
    attribute = rule.attribute(name)
    if name == "visibility" and package is not None:
        explicit = attribute is not None and attribute.is_explicit
        value = rule_visibility(rule, package, release)
        return Attribute(name, AttributeType.LABEL_LIST, value, explicit)
    if attribute is None or attribute.is_explicit:
        return attribute
    if name == "licenses" and not attribute.value:
        return Attribute(name, attribute.type, ("none",), is_explicit=False)
    return attribute


def _ignores_licenses(rule: Rule, release: Release) -> bool:
    # 0.24.1 heeds what a config_setting says, 2.1.0 does not (measured).
    return rule.rule_class.name == "config_setting" and release.config_settings_ignore_licenses


def conditions_of(rule: Rule) -> Iterator[Label]:
    """The keys of a rule's selects, in written order."""
    seen: set[Label] = {DEFAULT_CONDITION}
    for attribute in rule.attributes.values():
        for selector in selectors_of(attribute.value):
            for branch in selector.branches:
                if branch.condition not in seen:
                    seen.add(branch.condition)
                    yield branch.condition


def searched_attribute(
    rule: Rule, name: str, package: Package | None, release: Release
) -> Attribute | None:
    """The attribute as `attr()` searches it."""
    held = attribute_of(rule, name, package, release)
    is_given = held is None or name != "visibility" or held.is_explicit
    if is_given or release.attr_knows_package_visibility:
        return held
    return Attribute(name, AttributeType.LABEL_LIST, (), is_explicit=False)


def _generator(
    rule: Rule, name: str, package: Package | None, release: Release, root: str
) -> str | None:
    stack = told_stack(rule, package, release)
    if len(stack) < len(rule.call_stack):
        called, function = rule.label.name, stack[1].function if stack[1:] else None
    else:
        called, function = rule.generator_name or "", rule.generator_function
    if function is None:
        return None
    if name == "generator_function":
        return function
    if name == "generator_name":
        return called
    return _generator_location(rule, stack[0].location, package, release, root)


def told_stack(rule: Rule, package: Package | None, release: Release) -> CallStack:
    """The call stack of a rule, as Bazel tells it: at first, symbolic macros hid their callers."""
    home = None if package is None else package.home(rule.label.name)
    if home is None or release.symbolic_macros_tell_callers:
        return rule.call_stack
    first, *rest = rule.call_stack[home.depth :]
    return (Frame("<toplevel>", first.location), *rest)


def _generator_location(
    rule: Rule, place: Location, package: Package | None, release: Release, root: str
) -> str | None:
    """Where the macro was called, from the first place on at which the absolute path holds the
    name of the package, even if that is above the workspace.

    Bazel: `RuleFactory.maybeGetRelativeLocation`.
    """
    repository, name = rule.label.package_id
    path = place.path
    if repository and package is not None and path == package.path:
        path = rule.label.sibling(package.build_file.name).source_path
    elif not repository and not path.startswith("/"):
        path = f"{root}/{path}" if root else path
    start = path.find(name)
    if start < 0:
        return None
    column = "" if release.calls_lie_where_they_begin else f":{place.column}"
    return f"{path[start:]}:{place.line}{column}"


def possible_values(value: object, type: AttributeType) -> Iterator[object]:
    """Each value that an attribute can take; see `zero_of_branch` for a branch of None."""
    if not isinstance(value, SelectorList | Selector):
        yield value
        return
    zero = zero_of_branch(type)
    parts = tuple(_with_zero(part, zero) for part in parts_of(value))
    combinations = list(islice(_combinations(parts, 0, {}), _MOST_COMBINATIONS + 1))
    if len(combinations) <= _MOST_COMBINATIONS:
        for choice in combinations:
            joined = _joined(choice)
            if isinstance(joined, SelectorList):
                yield from possible_values(joined, type)
            elif joined is not None:
                yield joined
        return
    for part in parts:
        for piece in _pieces(part):
            if piece is not None:
                yield piece


def _with_zero(part: object, zero: object) -> object:
    if not isinstance(part, Selector):
        return part
    branches = (b if b.value is not None else replace(b, value=zero) for b in part.branches)
    return replace(part, branches=tuple(branches))


def _pieces(part: object) -> Iterator[object]:
    if isinstance(part, Selector):
        for branch in part.branches:
            yield branch.value
    else:
        yield part


def _combinations(
    parts: tuple[object, ...], index: int, bound: Mapping[frozenset[Label], Label]
) -> Iterator[tuple[object, ...]]:
    if index == len(parts):
        yield ()
        return
    part = parts[index]
    if not isinstance(part, Selector):
        for rest in _combinations(parts, index + 1, bound):
            yield (part, *rest)
        return
    keys = frozenset(branch.condition for branch in part.branches)
    taken = bound.get(keys)
    for branch in part.branches:
        if taken is None or branch.condition == taken:
            further = {**bound, keys: branch.condition}
            for rest in _combinations(parts, index + 1, further):
                yield (branch.value, *rest)


def _joined(choice: tuple[object, ...]) -> object:
    if len(choice) == 1:
        return choice[0]
    first = next((part for part in choice if part is not None), None)
    if is_list(first):
        return tuple(i for part in choice if is_list(part) for i in part)
    if isinstance(first, DictValue):
        merged: dict[str | Label, object] = {}
        for part in choice:
            if isinstance(part, DictValue):
                merged.update(part.items)
        return DictValue(tuple(merged.items()))
    if isinstance(first, str) and not isinstance(first, Label):
        return "".join(part for part in choice if isinstance(part, str))
    if isinstance(first, int) and not isinstance(first, bool):
        return sum(part for part in choice if isinstance(part, int))
    return first


def is_list(value: object) -> TypeGuard[tuple[object, ...]]:
    """Whether a plain value is a list (a label is a tuple, too)."""
    return isinstance(value, tuple) and not isinstance(value, Label)


def flattened(value: object, type: AttributeType = AttributeType.UNKNOWN) -> list[object]:
    """What the parts and branches of a value of that type are, one after the other; no None."""
    if not isinstance(value, SelectorList | Selector):
        return [] if value is None else [value]
    parts, zero = parts_of(value), zero_of_branch(type)
    pieces = (zero if piece is None else piece for part in parts for piece in _pieces(part))
    return [plain for piece in pieces for plain in flattened(piece, type)]


def zero_of_branch(type: AttributeType) -> object:
    """What a query shows for a branch that is None: the type's zero, whatever the attribute's
    default is. Bazel: `BuildType.Selector`."""
    return False if type is AttributeType.TRISTATE else zero_of(type)


def searchable(value: object, type: AttributeType) -> str | None:
    """The text of a value that `attr()` matches; None for none."""
    if value is None:
        return None
    if type is AttributeType.BOOLEAN:
        return "1" if value else "0"
    if type is AttributeType.TRISTATE and isinstance(value, int):
        return str(int(value))
    return java_text(value)


def java_text(value: object) -> str:
    """A value as Java prints its collections: `[a, b]`, `{a=b}`."""
    if isinstance(value, Label):
        return str(value)
    if isinstance(value, tuple):
        return f"[{', '.join(java_text(element) for element in value)}]"
    if isinstance(value, DictValue):
        return "{" + ", ".join(f"{java_text(k)}={java_text(v)}" for k, v in value.items) + "}"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Unknown):
        return f"<unknown: {value.subject}>"
    return str(value)
