"""What stands for the C++ toolchain: the rules whose target a flag names, not an attribute.

`cc_toolchain_alias` and its like are aliases whose target is late-bound: only the
configuration tells it. Before 1.0 they bring the platforms along that their toolchain was
looked for; cquery shows these as dependencies, `--noimplicit_deps` or not, since it knows
the implicit dependencies of rules alone, not of aliases.
Bazel: `CcToolchainAliasRule`, `CcHostToolchainAliasRule`, `CcLibcTopAlias`,
`PlatformSemantics`, `AliasConfiguredTarget`.
"""

from __future__ import annotations

from bazelscope.analysis.configuration import Configuration
from bazelscope.analysis.edges import Edge, EdgeKind
from bazelscope.analysis.versions import at_least
from bazelscope.errors import LabelError
from bazelscope.label import Label, PackageId, parse_label
from bazelscope.loading.targets import Rule

ALIAS = ":alias"
"""The late-bound attribute that holds the target of such an alias."""

_TOOLCHAIN = "cc_toolchain_alias"
_HOST_TOOLCHAIN = "cc_host_toolchain_alias"
_LIBC = "cc_libc_top_alias"
TOOLCHAIN_ALIASES = frozenset({_TOOLCHAIN, _HOST_TOOLCHAIN, _LIBC})

_CURRENT_TOOLCHAIN = Label("bazel_tools", "tools/cpp", "current_cc_toolchain")
_PLATFORMS = (
    ("host_platform", Label("bazel_tools", "platforms", "host_platform")),
    ("platforms", Label("bazel_tools", "platforms", "target_platform")),
)


def toolchain_edges(rule: Rule, configuration: Configuration) -> tuple[Edge, ...]:
    """The edges of a rule out of `TOOLCHAIN_ALIASES` that its configuration decides.

    A flag that is no label makes none: the flags stage has already reported it.
    """
    is_host = rule.rule_class.name == _HOST_TOOLCHAIN
    target = _CURRENT_TOOLCHAIN if is_host else _target(rule, configuration)
    if target is None:  # No alias, then, but a rule that gives nothing.
        return ()
    found = [Edge(rule.label, target, ALIAS, EdgeKind.TOOLCHAIN, is_tool=is_host)]
    if not at_least(configuration.bazel_version, 1):
        for flag, default in _PLATFORMS:
            platform = _label(configuration, flag) or default
            found.append(Edge(rule.label, platform, f"--{flag}", EdgeKind.TOOLCHAIN))
    return tuple(found)


def _target(rule: Rule, configuration: Configuration) -> Label | None:
    if rule.rule_class.name == _TOOLCHAIN:
        return _label(configuration, "crosstool_top")
    libc = _label(configuration, "grte_top")
    return libc and Label(libc.repository, libc.package, "everything")


def _label(configuration: Configuration, flag: str) -> Label | None:
    text = (configuration.value(flag).value or "").split(",")[0]
    try:
        return parse_label(text, PackageId("", "")) if text else None
    except LabelError:
        return None
