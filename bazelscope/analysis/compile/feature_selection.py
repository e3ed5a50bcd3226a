"""Which features of a toolchain are enabled. Bazel: `FeatureSelection`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bazelscope.analysis.compile.toolchain import Feature, Toolchain


def enabled_features(toolchain: Toolchain, requested: Iterable[str]) -> frozenset[str]:
    """The features that `requested` come to: they and what they imply, but for those whose
    requirements are not met, or that nothing enabled implies or asks for any more."""
    by_name = {feature.name: feature for feature in toolchain.features}
    asked = {name for name in requested if name in by_name}
    enabled = _with_implied(by_name, asked)
    is_stable = False
    while not is_stable:
        kept = {name for name in enabled if _may_stay(by_name[name], enabled, asked, by_name)}
        is_stable, enabled = kept == enabled, kept
    return frozenset(enabled)


def requested_features(
    toolchain: Toolchain, mode: str, levels: Iterable[Iterable[str]]
) -> tuple[str, ...]:
    """What a target asks for: what is enabled by default, its mode, and the words `X` and `-X` of
    the command line, the package and the rule, in this order.

    `-X` of the command line always wins; else that of a later level, and within one level `-X`.
    Bazel: `CcCommon.configureFeaturesOrThrowEvalError`, `RuleContext.computeFeatures`.
    """
    flags, package, rule = (tuple(words) for words in levels)
    on, off = _merged(_merged(_one_level(package), flags=None), flags=_one_level(rule))
    of_line_on, of_line_off = _one_level(flags)
    on |= {name for name in (*of_line_on, mode) if name not in off}
    off |= of_line_off
    on -= off
    defaults = [feature.name for feature in toolchain.features if feature.enabled]
    return tuple(dict.fromkeys(name for name in (*defaults, *sorted(on)) if name not in off))


def unsupported_features(levels: Iterable[Iterable[str]]) -> frozenset[str]:
    """Features that some level switches off and that stay so."""
    flags, package, rule = (_one_level(words) for words in levels)
    off = (package[1] - rule[0]) | rule[1] | flags[1]
    return frozenset(off)


_Level = tuple[set[str], set[str]]


def _one_level(words: Iterable[str]) -> _Level:
    listed = list(words)
    off = {word[1:] for word in listed if word.startswith("-")}
    on = {word.removeprefix("+") for word in listed if not word.startswith("-")} - off
    return on, off


def _merged(outer: _Level, flags: _Level | None) -> _Level:
    if flags is None:
        return outer
    on, off = flags
    return (outer[0] - off) | on, (outer[1] - on) | off


def _with_implied(by_name: Mapping[str, Feature], names: set[str]) -> set[str]:
    found: set[str] = set()
    queue = list(names)
    while queue:
        name = queue.pop()
        if name not in found and name in by_name:
            found.add(name)
            queue += by_name[name].implies
    return found


def _may_stay(
    feature: Feature, enabled: set[str], asked: set[str], by_name: Mapping[str, Feature]
) -> bool:
    implied = any(feature.name in by_name[name].implies for name in enabled)
    if feature.name not in asked and not implied:
        return False
    if any(name not in enabled for name in feature.implies):
        return False
    return not feature.requires or any(wanted <= enabled for wanted in feature.requires)
