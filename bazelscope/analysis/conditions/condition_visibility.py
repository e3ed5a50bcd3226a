"""Who may see a target, as far as Bazel asks that of the conditions of a select().

Bazel: `CommonPrerequisiteValidator`, `Rule.getVisibility`, `PackageSpecification`.
"""

from __future__ import annotations

from bazelscope.analysis.conditions.visibility import admits, is_told
from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.analysis.configuration.flag_types import ValueTypeError, parse_boolean
from bazelscope.analysis.configuration.target_source import TargetSource
from bazelscope.base.label import Label, PackageId
from bazelscope.bazel.release import Release
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import Rule

ENFORCE = "incompatible_enforce_config_setting_visibility"
_PRIVATE_BY_DEFAULT = "incompatible_config_setting_private_default_visibility"


def conditions_have_visibility(release: Release, enforced: str | None) -> bool:
    """Whether Bazel looks at the `visibility` of a config_setting, whose package groups are
    dependencies then. `enforced` is the value of the flag that says so, None if not given: it
    is true by default since 6.0. Before 4.1 there is no such flag, and they always are
    (measured: 0.24.1 and 2.1.0)."""
    if release.conditions_are_dependencies:
        return True
    try:
        return parse_boolean(enforced) if enforced else release.enforces_condition_visibility
    except ValueTypeError:
        return False


def condition_is_visible(
    source: TargetSource, configuration: Configuration, condition: Rule, user: PackageId
) -> bool:
    """Whether rules of the package `user` may have `condition` as a key of a select().

    0.24.1 asks of every condition, 0.26.1 to 4.0 of none; since then flags say so. A
    config_setting without a `visibility` of its own is public there by default. What
    cannot be told counts as visible, and what is bound is.
    """
    enforced = configuration.is_on(ENFORCE)
    always = configuration.release.checks_every_condition
    if not always and not enforced:
        return True
    if condition.label.package_id == user:
        return True
    if condition.rule_class.name == "bind":
        return True
    if condition.rule_class.name == "alias" and configuration.release.alias_keys_are_open:
        return True
    package = source.package(condition.label.package_id)
    if not isinstance(package, Package) or not is_told(condition, package, configuration.release):
        return True
    attribute = condition.attributes.get("visibility")
    if attribute is not None and attribute.is_explicit and isinstance(attribute.value, tuple):
        visibility = tuple(group for group in attribute.value if isinstance(group, Label))
    elif (
        condition.rule_class.name == "config_setting"
        and not always
        and not configuration.is_on(_PRIVATE_BY_DEFAULT)
    ):
        return True
    else:
        visibility = package.default_visibility
    return admits(visibility, user, configuration.release, source.target, in_doubt=True)
