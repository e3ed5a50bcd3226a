"""What one can ask of a target without decoding it, as bits that are kept with its edges."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

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


class _TakenApart:
    """A rule as its package keeps it, taken apart once for all that is asked of it."""

    def __init__(self, package: Package, rule: TargetData) -> None:
        self.package, self.rule = package, rule
        self.written = dict(explicit_values(rule))
        self.given = (*self.written.items(), *computed_values(rule))
        self.values = [value for _, value in self.given]
        self.rule_class = package.targets.class_of(rule)

    @cached_property
    def inherited(self) -> dict[str, Encoded]:
        return self.package.targets.inherited(self.rule)


def is_marked(package: Package, target: TargetData, mark: int) -> bool:
    """Returns whether a target of a package has a mark; what is no rule has none."""
    return shape_of(target) == RULE and _LOOKS[mark](_TakenApart(package, target))


def marks_of(package: Package, target: TargetData) -> int:
    """Returns all marks of a target of a package."""
    if shape_of(target) != RULE:
        return 0
    rule = _TakenApart(package, target)
    return sum([mark for mark, has in _LOOKS.items() if has(rule)])


def _has_selects(of: _TakenApart) -> bool:
    return any(True for value in of.values if type(value) is list for _ in selects_in(value))


def _may_hold_unknowns(of: _TakenApart) -> bool:
    toolchains = of.rule_class.toolchains
    return holds_unknown(of.values) or any(isinstance(one, Unknown) for one in toolchains)


def _writes_visibility(of: _TakenApart) -> bool:
    return "visibility" in of.written


def _has_to_be_looked_at(of: _TakenApart) -> bool:
    package = of.package.id.package
    return any(may_be_refused(name, value, package) for name, value in of.given)


def _is_test_only(of: _TakenApart) -> bool:
    if "testonly" in of.written:
        value = of.written["testonly"]
        return value is True or value == 1
    if of.rule_class.is_test or of.rule_class.name == "test_suite":
        return True
    return bool(of.inherited.get("testonly"))


def _is_written_public(of: _TakenApart) -> bool:
    if "visibility" in of.written:
        value = of.written["visibility"]
        return type(value) is tuple and _PUBLIC_TEXT in value
    package = of.package
    return PUBLIC in package.default_visibility and stack_of(of.rule) not in package.homes


def _asks_platform(of: _TakenApart) -> bool:
    name = "target_compatible_with"
    return name in of.written or bool(of.inherited.get(name))


def _has_environments(of: _TakenApart) -> bool:
    return (
        of.rule_class.name == "environment"
        or (bool(of.package.environments) and OF_ENVIRONMENTS[0] in of.rule_class.attributes)
        # Many a rule is compatible with nothing in particular; restricted to nothing is wrong.
        or any(of.written.get(name) for name in OF_ENVIRONMENTS)
        or RESTRICTED in of.written
    )


_LOOKS: dict[int, Callable[[_TakenApart], bool]] = {
    HAS_SELECTS: _has_selects,
    UNKNOWNS: _may_hold_unknowns,
    VISIBILITY: _writes_visibility,
    LOOKED_AT: _has_to_be_looked_at,
    TEST_ONLY: _is_test_only,
    WRITTEN_PUBLIC: _is_written_public,
    ASKS_PLATFORM: _asks_platform,
    HAS_ENVIRONMENTS: _has_environments,
}
