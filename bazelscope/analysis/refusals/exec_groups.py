"""What is refused of a target because it names an execution group that its rule does not have.

Bazel: `RuleClass`, `ExecGroupCollection`; measured with 4.2.3 and `--experimental_exec_groups`.
"""

from __future__ import annotations

from bazelscope.base.identity_table import IdentityTable
from bazelscope.base.unknown import Unknown
from bazelscope.bazel.attribute_types import Configured, DictValue, RuleClass
from bazelscope.bazel.release import Release
from bazelscope.loading.packages.targets import Rule

_PROPERTIES, _CONSTRAINTS = "exec_properties", "exec_group_compatible_with"


def _attributes_without_group(rule_class: RuleClass) -> tuple[tuple[str, str], ...]:
    """The attributes whose tools are to run for an execution group that there is not."""
    names = _groups_of(rule_class)
    return tuple(
        (definition.name, definition.transition)
        for definition in rule_class.attributes.values()
        if definition.configured is Configured.EXEC
        and definition.transition
        and definition.transition not in names
    )


with_unknown_groups = IdentityTable(_attributes_without_group).__getitem__
"""Those of a rule class, each with the group that it names."""


def problem_of_groups(rule: Rule, release: Release) -> str:
    """Why an execution group that a target names is none of its rule; empty if none is sure."""
    rule_class = rule.rule_class
    is_open = any(isinstance(one, Unknown) for one in rule_class.toolchains)
    if is_open or not (rule_class.is_known and rule_class.defined_at):
        return ""
    for name, group in with_unknown_groups(rule_class):
        if rule.value(name) not in (None, ()):
            return f"Attr '{name}' declares a transition for non-existent exec group '{group}'"
    if not release.rules_take_exec_groups:
        return ""
    known = _groups_of(rule_class)
    properties = [key.split(".")[0] for key in _keys(rule, _PROPERTIES) if "." in key]
    lacking = _none_of(properties, known)
    if lacking:
        return f"Tried to set properties for non-existent exec groups: {lacking}."
    lacking = _none_of(_keys(rule, _CONSTRAINTS), known)
    if lacking:
        return f"Tried to set execution constraints for non-existent exec groups: {lacking}."
    return ""


def _keys(rule: Rule, name: str) -> list[str]:
    """The keys of a dictionary that a target was given and that is no `select()`."""
    value = rule.given(name)
    items = value.items if isinstance(value, DictValue) else ()
    return [key for key, _ in items if isinstance(key, str)]


def _groups_of(rule_class: RuleClass) -> set[str]:
    """The names of the execution groups of a rule; a test has one to run in."""
    named = {group.name for group in rule_class.exec_groups}
    return named | {"test"} if rule_class.is_test else named


def _none_of(named: list[str], known: set[str]) -> str:
    """The groups that a rule does not have. Toolchain types are groups where each has its own
    (`--incompatible_auto_exec_groups`)."""
    lacking = [one for one in named if one not in known and not one.startswith(("//", "@"))]
    return ", ".join(dict.fromkeys(lacking))
