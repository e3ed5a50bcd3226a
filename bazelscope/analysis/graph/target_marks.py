"""What one can ask of a target without decoding it, as bits that are kept with its edges."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bazelscope.analysis.conditions.visibility import PUBLIC
from bazelscope.base.unknown import Unknown
from bazelscope.bazel.encoded_values import Encoded, holds_unknown, selects_in
from bazelscope.bazel.native_texts import may_be_refused
from bazelscope.loading.packages.encoded_targets import (
    RULE,
    TargetData,
    computed_values,
    explicit_values,
    shape_of,
    stack_of,
)
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.package_data import OF_ENVIRONMENTS, RESTRICTED

HAS_SELECTS = 1
"""A rule was written with a select(), or loading has worked one out for it."""
UNKNOWNS = 2
"""Something of a rule may be unknown: to look at its attributes is dear, and few have any."""
VISIBILITY = 4
"""`visibility` is written for the rule itself."""
LOOKED_AT = 8
"""A rule was given a text that Bazel may refuse: one with a `$`, which it has to expand, or what
`native_texts` says of attributes."""
TEST_ONLY = 16
"""A rule is written as `testonly`, or its class or its package is and it does not say otherwise."""
WRITTEN_PUBLIC = 32
"""A rule says that everybody may see it, or its package says so for it."""
ASKS_PLATFORM = 64
"""A rule has a `target_compatible_with`, or its package has one for it."""

HAS_ENVIRONMENTS = 128
"""A rule says for which environments it is, or its package says so for it; or it is one."""

_PUBLIC_TEXT = str(PUBLIC)


def is_marked(package: Package, target: TargetData, mark: int) -> bool:
    """Returns whether a target of a package has a mark; what is no rule has none."""
    return shape_of(target) == RULE and _LOOKS[mark](package, target)


def marks_of(package: Package, target: TargetData) -> int:
    """Returns all marks of a target of a package."""
    if shape_of(target) != RULE:
        return 0
    return sum([mark for mark, has in _LOOKS.items() if has(package, target)])


def _values(rule: TargetData) -> Iterator[Encoded]:
    for part in (explicit_values(rule), computed_values(rule)):
        for _, value in part:
            yield value


def _has_selects(package: Package, rule: TargetData) -> bool:
    return any(True for value in _values(rule) for _ in selects_in(value))


def _may_hold_unknowns(package: Package, rule: TargetData) -> bool:
    toolchains = package.targets.class_of(rule).toolchains
    return holds_unknown(_values(rule)) or any(isinstance(one, Unknown) for one in toolchains)


def _writes_visibility(package: Package, rule: TargetData) -> bool:
    return any(name == "visibility" for name, _ in explicit_values(rule))


def _has_to_be_looked_at(package: Package, rule: TargetData) -> bool:
    return any(
        may_be_refused(name, value, package.id.package)
        for part in (explicit_values(rule), computed_values(rule))
        for name, value in part
    )


def _is_test_only(package: Package, rule: TargetData) -> bool:
    for name, value in explicit_values(rule):
        if name == "testonly":
            return value is True or value == 1
    rule_class = package.targets.class_of(rule)
    if rule_class.is_test or rule_class.name == "test_suite":
        return True
    return bool(package.targets.inherited(rule).get("testonly"))


def _is_written_public(package: Package, rule: TargetData) -> bool:
    for name, value in explicit_values(rule):
        if name == "visibility":
            return type(value) is tuple and _PUBLIC_TEXT in value
    return PUBLIC in package.default_visibility and stack_of(rule) not in package.homes


def _asks_platform(package: Package, rule: TargetData) -> bool:
    name = "target_compatible_with"
    return any(given == name for given, _ in explicit_values(rule)) or bool(
        package.targets.inherited(rule).get(name)
    )


def _has_environments(package: Package, rule: TargetData) -> bool:
    rule_class = package.targets.class_of(rule)
    return (
        rule_class.name == "environment"
        or (bool(package.environments) and OF_ENVIRONMENTS[0] in rule_class.attributes)
        or any(
            # Many a rule is compatible with nothing in particular; restricted to nothing is wrong.
            name in OF_ENVIRONMENTS and (value or name == RESTRICTED)
            for name, value in explicit_values(rule)
        )
    )


_LOOKS: dict[int, Callable[[Package, TargetData], bool]] = {
    HAS_SELECTS: _has_selects,
    UNKNOWNS: _may_hold_unknowns,
    VISIBILITY: _writes_visibility,
    LOOKED_AT: _has_to_be_looked_at,
    TEST_ONLY: _is_test_only,
    WRITTEN_PUBLIC: _is_written_public,
    ASKS_PLATFORM: _asks_platform,
    HAS_ENVIRONMENTS: _has_environments,
}
