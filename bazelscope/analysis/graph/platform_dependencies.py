"""The platforms that a rule depends on because toolchains are resolved for it.

They are the host's, the target platform and the execution platform that is chosen, be there
a toolchain type to resolve or not. Where the rule narrows the choice, all that are looked at
count, and the constraints they are held against. All have the configuration of the rule.
Measured with 0.24.1, 2.1.0 and 4.2.3. Bazel: `ToolchainResolver`, `DependencyResolver`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bazelscope.analysis.conditions.alias_dependencies import (
    TOOLCHAIN_ALIASES,
    WITH_PLATFORMS,
    toolchain_edges,
)
from bazelscope.analysis.conditions.edges import Edge
from bazelscope.analysis.configuration.build_settings import LABEL_SETTINGS
from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.analysis.configuration.platforms import (
    PlatformInfo,
    host_platform_label,
    target_platform_label,
)
from bazelscope.analysis.graph.toolchain_resolution import EXEC_COMPATIBLE, ToolchainResolution
from bazelscope.base.label import Label
from bazelscope.base.named_tuple import NamedTuple
from bazelscope.base.unknown import Unknown
from bazelscope.bazel.attribute_types import RuleClass
from bazelscope.loading.packages.targets import Rule

TARGET_PLATFORM = "--platforms"
HOST_PLATFORM = "--host_platform"
EXECUTION_PLATFORM = "execution platform"
OF_PLATFORMS = frozenset({TARGET_PLATFORM, HOST_PLATFORM, EXECUTION_PLATFORM})
"""What names these dependencies: flags choose them, whatever their visibility."""


class PlatformDependency(NamedTuple):
    """A platform or a constraint; `what` names its part. `is_implicit`: `--noimplicit_deps`
    leaves it out."""

    label: Label
    what: str
    is_implicit: bool
    doubt: Unknown | None = None


def has_usual_platforms(rule_class: RuleClass, edges: Iterable[Edge]) -> bool:
    """Whether the platforms of a rule with these `edges` are those of every other such rule
    in its configuration: nothing about it takes part in the choice."""
    name = rule_class.name
    if (
        rule_class.toolchains
        or rule_class.constraints
        or name in WITH_PLATFORMS
        or name in LABEL_SETTINGS
    ):
        return False
    narrowed = rule_class.attributes.get(EXEC_COMPATIBLE)
    if narrowed is not None and narrowed.default:
        return False
    return EXEC_COMPATIBLE not in [edge.attribute for edge in edges]


def platform_dependencies(
    rule: Rule, configuration: Configuration, resolution: ToolchainResolution
) -> Iterator[PlatformDependency]:
    """The dependencies of a rule that takes part in resolution, or out of `WITH_PLATFORMS`.

    `--noimplicit_deps` leaves out what was chosen before 3.0, unless an alias names it; since
    then all; but none of what a rule has that is an alias of another target.
    """
    release = configuration.release
    if rule.rule_class.name in TOOLCHAIN_ALIASES and not toolchain_edges(rule, configuration):
        return  # It stands for nothing.
    is_alias = rule.rule_class.name in WITH_PLATFORMS
    hides_all = release.explicit_graph_hides_platforms and not is_alias
    target, host = target_platform_label(configuration), host_platform_label(configuration)
    chosen: Label | Unknown | None = host
    if release.every_rule_resolves or rule.rule_class.toolchains:
        chosen = resolution.execution_platform(rule)
    doubt = next((one for one in resolution.execution_platforms if isinstance(one, Unknown)), None)
    parts = [(target, TARGET_PLATFORM), (chosen, EXECUTION_PLATFORM), (host, HOST_PLATFORM)]
    narrowed = (*rule.rule_class.constraints, *rule.labels(EXEC_COMPATIBLE))
    if narrowed:
        parts += [
            (one.label, EXECUTION_PLATFORM)
            for one in resolution.execution_platforms
            if isinstance(one, PlatformInfo)
        ]
        parts += [(label, EXEC_COMPATIBLE) for label in narrowed]
    # Bazel compares what a dependency is called with what the platform that it leads to is.
    chosen_ones = [resolution.actual(one) for one in (chosen, target) if isinstance(one, Label)]
    seen: set[Label] = set()
    for label, what in parts:
        if isinstance(label, Label) and label not in seen:
            seen.add(label)
            is_chosen = not is_alias and label in chosen_ones
            is_doubtful = what == EXECUTION_PLATFORM and not is_chosen
            yield PlatformDependency(
                label, what, hides_all or is_chosen, doubt if is_doubtful else None
            )
