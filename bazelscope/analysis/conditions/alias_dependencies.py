"""What aliases depend on beyond their attributes: the C++ toolchain, and platforms.

`cc_toolchain_alias` and its like are aliases whose target is late-bound: a flag names it.
They, and `bind`, also bring the platforms along that a toolchain would be looked for with.
cquery shows all of these as dependencies, `--noimplicit_deps` or not, since it knows the
implicit dependencies of rules alone, not of aliases; `alias` itself has none such.
Since 6.0 the former are ordinary rules in Starlark.
Bazel: `CcToolchainAliasRule`, `CcHostToolchainAliasRule`, `CcLibcTopAlias`,
`PlatformSemantics`, `AliasConfiguredTarget`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazelscope.analysis.conditions.edges import Edge, EdgeKind
from bazelscope.base.errors import LabelError
from bazelscope.base.label import Label, parse_option_label
from bazelscope.bazel.attribute_types import RuleClass
from bazelscope.bazel.release import Release
from bazelscope.loading.packages.targets import Rule

if TYPE_CHECKING:
    from bazelscope.analysis.configuration.configuration import Configuration

ALIAS = ":alias"
"""The late-bound attribute that holds the target of such an alias."""

TOOLCHAINS = "toolchains"
"""The attribute that stands for what toolchain resolution adds to a rule."""

_TOOLCHAIN = "cc_toolchain_alias"
HOST_TOOLCHAIN = "cc_host_toolchain_alias"
"""The alias of the toolchain that tools are built with."""
_LIBC = "cc_libc_top_alias"
TOOLCHAIN_ALIASES = frozenset({_TOOLCHAIN, HOST_TOOLCHAIN, _LIBC})
ALIASES = TOOLCHAIN_ALIASES | {"alias", "bind"}
"""Rules that stand for another target."""
WITH_PLATFORMS = TOOLCHAIN_ALIASES | {"bind"}
NAMING_OPTIONS = (
    *("crosstool_top", "grte_top", "platforms"),
    *("host_crosstool_top", "host_grte_top", "host_platform"),
)
"""The options that name what these lead to."""


_WITHOUT_RESOLUTION = frozenset(
    {
        *("alias", "bind", "constraint_setting", "constraint_value", "label_flag"),
        *("label_setting", "platform", "toolchain", "toolchain_type"),
    }
)


def takes_part_in_resolution(rule_class: RuleClass, release: Release) -> bool:
    """Whether Bazel resolves toolchains for rules of a class, be it for none.

    Measured: filegroup does in 4.2.3, and does not in 2.1.0 and older.
    Bazel: `RuleClass.useToolchainResolution`.
    """
    if rule_class.name == "filegroup" and not release.filegroups_resolve_toolchains:
        return False
    if rule_class.name == "config_setting" and not release.conditions_resolve_toolchains:
        return False
    return rule_class.name not in _WITHOUT_RESOLUTION and not rule_class.is_build_setting


def toolchain_edges(rule: Rule, configuration: Configuration) -> tuple[Edge, ...]:
    """The edges of a rule out of `WITH_PLATFORMS` that no attribute holds, platforms aside.

    A flag that is no label makes none: the flags stage has already reported it.
    """
    is_host = rule.rule_class.name == HOST_TOOLCHAIN
    return toolchain_named(rule, configuration.exec() if is_host else configuration)


def toolchain_named(rule: Rule, configuration: Configuration) -> tuple[Edge, ...]:
    """The edge from such a rule to what the options of `configuration` name, whether or not it is
    an alias for tools."""
    option = toolchain_option(rule)
    if option is None or not configuration.release.toolchain_alias_edges:
        return ()
    target = _label(configuration, option)
    if target is None:  # No alias, then, but a rule that gives nothing.
        return ()
    if rule.rule_class.name == _LIBC:
        target = Label(target.repository, target.package, "everything")
    is_host = rule.rule_class.name == HOST_TOOLCHAIN
    return (Edge(rule.label, target, ALIAS, EdgeKind.TOOLCHAIN, is_tool=is_host),)


def toolchain_option(rule: Rule) -> str | None:
    """The option that names the target of an alias of `TOOLCHAIN_ALIASES`; None for others."""
    if rule.rule_class.name not in TOOLCHAIN_ALIASES:
        return None
    return "grte_top" if rule.rule_class.name == _LIBC else "crosstool_top"


def _label(configuration: Configuration, flag: str) -> Label | None:
    text = (configuration.value(flag).value or "").split(",")[0]
    try:
        return parse_option_label(text) if text else None
    except LabelError:
        return None
