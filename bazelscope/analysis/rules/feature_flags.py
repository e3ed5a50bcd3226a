"""Rules that act as settings: their implementations return a `config_common.FeatureFlagInfo`.

Bazel: `ConfigFeatureFlagProvider`, which `ConfigSetting` takes in the place of a build setting.
"""

from __future__ import annotations

from bazelscope.analysis.configuration.build_settings import is_build_setting
from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.base.label import Label
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.loading.evaluation.values.structs import Provider, Struct
from bazelscope.loading.packages.targets import Rule

_PROVIDER = Provider("FeatureFlagInfo")


def with_feature_flags(graph: ConfiguredGraph) -> ConfiguredGraph:
    """Lets the conditions of `graph` ask implementations what they provide as settings."""
    known: dict[tuple[Label, Configuration], str | Unknown | None] = {}

    def once(label: Label, configuration: Configuration) -> str | Unknown | None:
        """Many conditions ask for one setting."""
        key = label, configuration
        if key not in known:
            known[key] = provided_value(graph, label, configuration)
        return known[key]

    graph.nodes.provided_value = once
    return graph


def provided_value(
    graph: ConfiguredGraph, label: Label, configuration: Configuration
) -> str | Unknown | None:
    """The value that a Starlark rule provides as a setting in a configuration; None if it
    provides none."""
    # Few workspaces have such rules: what runs them is imported where there is one.
    from bazelscope.analysis.rules.implementations import Implementations
    from bazelscope.analysis.rules.reach import reach

    implementations, node = Implementations(graph), graph.node(label, configuration)
    rule = graph.target(node)
    if not isinstance(rule, Rule):
        return None
    function = implementations.functions.implementation_of(rule)
    if isinstance(function, Unknown):
        return None if is_build_setting(rule) else function
    if not reach(function).may_provide_flag:
        return None
    result = implementations.run(node)
    if isinstance(result, Unknown):
        return result
    if result.failure is not None:
        return Unknown(Reason.NOT_MODELLED, str(label), "its own implementation fails")
    info = result.provider(_PROVIDER)
    if info is None or isinstance(info, Unknown):
        return info
    value = info.fields.get("value") if isinstance(info, Struct) else None
    if isinstance(value, str):
        return value
    return Unknown(Reason.NOT_MODELLED, str(label), "the value that it provides cannot be told")
