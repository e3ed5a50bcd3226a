"""What rules that describe platforms and toolchains refuse.

Bazel: `Platform`, `PlatformInfo.Builder`, `Toolchain`, `ConstraintSetting`,
`ConstraintCollection.validateConstraints`, `Alias.create`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bazelscope.analysis.conditions.alias_dependencies import ALIASES
from bazelscope.analysis.configuration.build_settings import LABEL_SETTINGS
from bazelscope.analysis.configuration.platforms import (
    USE_TARGET_PLATFORM,
    Constraint,
    actual_label,
    actual_target,
    constraint_of,
)
from bazelscope.analysis.refusals.native_rules.configured_rule import Check, ConfiguredRule, Problem
from bazelscope.analysis.refusals.refusal import RefusalKind
from bazelscope.base.label import Label
from bazelscope.bazel.attribute_types import DictValue
from bazelscope.bazel.removed_functions import PLATFORMS_INSTEAD
from bazelscope.loading.packages.targets import (
    EnvironmentGroup,
    InputFile,
    NoSuchTarget,
    OutputFile,
    PackageGroup,
    Rule,
)

_REMOTE, _PROPERTIES = "remote_execution_properties", "exec_properties"
_OTHERS = InputFile | OutputFile | PackageGroup | EnvironmentGroup
_PREFER = f"Prefer {_PROPERTIES} over the deprecated {_REMOTE}."


def _of_platform(rule: ConfiguredRule) -> Iterator[Problem]:
    yield from _repeated(rule, "constraint_values")
    parents = rule.rule.labels("parents")
    if len(parents) > 1:
        yield Problem("parents attribute must have a single value", "parents")
    has_remote, has_properties = _properties_of(rule.rule)
    if has_remote and has_properties:
        message = f"Platform contains both {_REMOTE} and {_PROPERTIES}. {_PREFER}"
        yield Problem(message, _PROPERTIES)
    for parent in parents:
        other = actual_target(rule.graph.graph.source, parent)
        parent_has = _properties_of(other) if isinstance(other, Rule) else (False, False)
        for mine, name, theirs, other_name in (
            (has_properties, _PROPERTIES, parent_has[0], _REMOTE),
            (has_remote, _REMOTE, parent_has[1], _PROPERTIES),
        ):
            if mine and theirs:
                message = f"Platform specifies {name} but its parent specifies {other_name}."
                yield Problem(f"{message} {_PREFER}", _PROPERTIES)


def _properties_of(rule: Rule) -> tuple[bool, bool]:
    """Whether a platform has properties of the old kind, and of the new one."""
    properties = rule.given(_PROPERTIES)
    has_properties = isinstance(properties, DictValue) and properties != DictValue(())
    return rule.given(_REMOTE) not in (None, ""), has_properties


def _of_toolchain(rule: ConfiguredRule) -> Iterator[Problem]:
    for label in rule.rule.labels("exec_compatible_with"):
        yield from _misplaced(rule, label)
    names = ("exec_compatible_with", "target_compatible_with")
    if rule.rule.is_true(USE_TARGET_PLATFORM) and any(map(rule.rule.labels, names)):
        yield Problem(
            f"Cannot set {USE_TARGET_PLATFORM} to True and also set exec_compatible_with or"
            " target_compatible_with",
            USE_TARGET_PLATFORM,
        )
    for name in names:
        yield from _repeated(rule, name)


def _misplaced(rule: ConfiguredRule, label: Label) -> Iterator[Problem]:
    """What is wrong with a label that stands for a constraint value."""
    source = rule.graph.graph.source
    target = source.target(actual_label(source, label))
    name = "exec_compatible_with"
    if isinstance(target, NoSuchTarget):
        yield Problem(f"rule '{label}' does not exist", name, RefusalKind.MISPLACED)
    elif isinstance(target, _OTHERS):
        yield Problem(f"{target.kind} '{label}' is misplaced here", name, RefusalKind.MISPLACED)
    elif isinstance(target, Rule):
        kind = target.rule_class
        is_open = not kind.is_known or kind.defined_at or target.is_stand_in
        if not is_open and kind.name not in ALIASES | LABEL_SETTINGS | {"constraint_value"}:
            message = f"'{label}' does not have mandatory providers: 'ConstraintValueInfo'"
            yield Problem(message, name, RefusalKind.MISSING_PROVIDER)


def _repeated(rule: ConfiguredRule, name: str) -> Iterator[Problem]:
    """The settings of which an attribute has several values."""
    values: dict[Label, list[Label]] = {}
    for label in rule.rule.labels(name):
        constraint = constraint_of(rule.graph.graph.source, label)
        if isinstance(constraint, Constraint):
            values.setdefault(constraint.setting, []).append(constraint.value)
    for setting, several in values.items():
        if len(set(several)) > 1:
            listed = ", ".join(map(str, several))
            message = "Duplicate constraint values detected: constraint_setting"
            yield Problem(f"{message} {setting} has [{listed}]", name)


def _of_removed(rule: ConfiguredRule) -> Iterator[Problem]:
    actual = rule.rule.value("actual")
    yield Problem(
        "Constraints from @bazel_tools//platforms have been removed. Please use constraints from"
        " @platforms repository embedded in Bazel, or preferably declare dependency on"
        " https://github.com/bazelbuild/platforms. See"
        " https://github.com/bazelbuild/bazel/issues/8622 for details.",
        remedy=f"{PLATFORMS_INSTEAD}: here, {actual}",
    )


def _of_setting(rule: ConfiguredRule) -> Iterator[Problem]:
    name = "default_constraint_value"
    label = rule.rule.given(name)
    if not isinstance(label, Label):
        return
    if label.package_id != rule.label.package_id:
        yield Problem(
            "The default constraint value must be defined in the same package as the constraint"
            " setting itself.",
            name,
        )
    elif isinstance(rule.graph.graph.source.target(label), NoSuchTarget):
        yield Problem(f"The default constraint value '{label}' does not exist", name)


CHECKS: Mapping[str, Check] = {
    "alias": _of_removed,
    "constraint_setting": _of_setting,
    "platform": _of_platform,
    "toolchain": _of_toolchain,
}
