"""Which features of a toolchain are enabled. Bazel: `FeatureSelection`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from bazelscope.analysis.compile.toolchain import (
    ALL_LINK,
    COMPILE_ACTIONS,
    LINK_STATIC,
    Feature,
    Toolchain,
)
from bazelscope.analysis.rules.feature_words import asked_features
from bazelscope.base.graph_walk import distances


def enabled_features(toolchain: Toolchain, requested: Iterable[str]) -> frozenset[str]:
    """The features that `requested` come to: they and what they imply, but for those whose
    requirements are not met, or that nothing enabled implies or asks for any more."""
    actions = {one.feature.name: one.feature for one in toolchain.actions}
    by_name = actions | {feature.name: feature for feature in toolchain.features}
    asked = {name for name in requested if name in by_name}
    enabled = _with_implied(by_name, asked)
    is_stable = False
    while not is_stable:
        kept = {name for name in enabled if _may_stay(by_name[name], enabled, asked, by_name)}
        is_stable, enabled = kept == enabled, kept
    return frozenset(enabled)


def refusal_of(
    toolchain: Toolchain, enabled: frozenset[str], unsupported: frozenset[str]
) -> str | None:
    """Why Bazel refuses a selection of features, if it does: two of them provide the same, or one
    is implied that a target does not want. Bazel: `FeatureSelection.run`, `CcCommon`."""
    providing: dict[str, list[str]] = {}
    for feature in toolchain.features:
        for symbol in feature.provides if feature.name in enabled else ():
            providing.setdefault(symbol, []).append(feature.name)
    for symbol, names in providing.items():
        if len(names) > 1:
            listed = " ".join(names)
            return f"Symbol {symbol} is provided by all of the following features: {listed}"
    for name in sorted(unsupported & enabled):
        return (
            f"The C++ toolchain '{toolchain.name}' unconditionally implies feature '{name}', which"
            " is unsupported by this rule"
        )
    return None


def requested_features(
    toolchain: Toolchain, mode: str, levels: Sequence[Iterable[str]]
) -> tuple[str, ...]:
    """What a target asks for: what is enabled by default, its mode, and the words `X` and `-X` of
    the command line, the package and the rule, in this order.

    Bazel: `CcCommon.configureFeaturesOrThrowEvalError`.
    """
    on, off = asked_features(levels)
    on |= {mode} - off
    defaults = [feature.name for feature in toolchain.features if feature.enabled]
    defaults += [
        one.feature.name
        for one in toolchain.actions
        if one.feature.enabled or one.feature.name in _EVERY_ACTION
    ]
    return tuple(dict.fromkeys(name for name in (*defaults, *sorted(on)) if name not in off))


_EVERY_ACTION = COMPILE_ACTIONS | ALL_LINK | {LINK_STATIC}


def _with_implied(by_name: Mapping[str, Feature], names: set[str]) -> set[str]:
    def implied(name: str) -> tuple[str, ...]:
        return by_name[name].implies if name in by_name else ()

    return distances(names, implied).keys() & by_name.keys()


def _may_stay(
    feature: Feature, enabled: set[str], asked: set[str], by_name: Mapping[str, Feature]
) -> bool:
    implied = any(feature.name in by_name[name].implies for name in enabled)
    if feature.name not in asked and not implied:
        return False
    if any(name not in enabled for name in feature.implies):
        return False
    return not feature.requires or any(wanted <= enabled for wanted in feature.requires)
