"""Build settings that the command line or an rc file names, and what Bazel refuses of them.

Nothing else looks at `--//p:flag=x` before a condition asks for it, so a slip of the pen would
change nothing and stay unseen. Bazel: `StarlarkOptionsParser.loadBuildSetting`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from bazelscope.analysis.configuration.build_settings import (
    is_build_setting,
    is_flag,
    parse_setting,
    setting_type,
)
from bazelscope.analysis.configuration.flag_types import ValueTypeError
from bazelscope.analysis.configuration.platforms import follow_aliases
from bazelscope.analysis.configuration.target_source import TargetSource
from bazelscope.base.errors import Diagnostic, LabelError
from bazelscope.base.label import Label, PackageId, parse_label
from bazelscope.base.nearest import nearest
from bazelscope.base.unknown import Unknown
from bazelscope.bazel.attribute_types import AttributeType
from bazelscope.bazel.release import Release
from bazelscope.flags.flag_values import FlagInstance, FlagValue, FromRc
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import NoSuchPackage, NoSuchTarget, Rule

_ROOT = PackageId("", "")
_NO_NAMES: Mapping[str, str] = MappingProxyType({})
_LISTS = frozenset({AttributeType.STRING_LIST, AttributeType.LABEL_LIST})


def refused_settings(
    source: TargetSource,
    given: Iterable[FlagValue],
    release: Release,
    typed_names: Mapping[str, str] = _NO_NAMES,
) -> Iterator[Diagnostic]:
    """What is wrong with the build settings `given`; nothing of those that cannot be told."""
    for value in given:
        for instance in value.instances:
            problem = _problem(source, instance, release, typed_names)
            if problem is not None:
                yield problem


def settings_in_two_words(
    source: TargetSource,
    given: Mapping[str, FlagValue],
    typed_names: Mapping[str, str] = _NO_NAMES,
) -> dict[str, bool]:
    """Of the build settings that some word names without a `=`: whether they take their value
    from another word, which booleans do not. Nothing of those that cannot be told."""
    found: dict[str, bool] = {}
    for name, value in given.items():
        instances = (*value.instances, *value.overridden)
        if all("=" in instance.text for instance in instances):
            continue
        try:
            rule = source.target(parse_label(name, _ROOT, typed_names))
        except LabelError:
            continue
        if isinstance(rule, Rule) and is_build_setting(rule):
            found[name] = setting_type(rule) is not AttributeType.BOOLEAN
    return found


def _problem(
    source: TargetSource,
    instance: FlagInstance,
    release: Release,
    typed_names: Mapping[str, str],
) -> Diagnostic | None:
    try:
        label = parse_label(instance.name, _ROOT, typed_names)
    except LabelError as error:
        return _refused(instance, str(error))
    target = source.target(label)
    if isinstance(target, NoSuchTarget | NoSuchPackage):
        return _refused(instance, target.message, _nearest(source, label))
    actual = follow_aliases(source, label)
    rule = None if isinstance(actual, Unknown) else source.target(actual)
    if isinstance(actual, Unknown) or (isinstance(rule, Rule) and not rule.rule_class.is_known):
        return None
    if not isinstance(rule, Rule):
        if isinstance(target, Rule):
            return None  # An alias of what is not known.
        return _refused(instance, f"`{label}` is no build setting")
    if not is_build_setting(rule):
        kind = rule.rule_class.name
        return _refused(instance, f"`{label}` is no build setting, but a {kind}")
    if not is_flag(rule):
        hint = "only transitions set it; `flag = True` would make it a flag"
        return _refused(instance, f"`{label}` is a build setting, but no flag", hint)
    return _problem_of_value(instance, rule, release)


def _problem_of_value(instance: FlagInstance, rule: Rule, release: Release) -> Diagnostic | None:
    kind = setting_type(rule)
    text = instance.value or ""
    try:
        for part in text.split(",") if kind in _LISTS else [text]:
            parse_setting(part, kind, rule.label.package_id, release)
    except ValueTypeError as error:
        return _refused(instance, str(error))
    return None


def _nearest(source: TargetSource, label: Label) -> str | None:
    package = source.package(label.package_id)
    if not isinstance(package, Package):
        return None
    settings = [
        name
        for name, target in package.targets.items()
        if isinstance(target, Rule) and is_build_setting(target) and is_flag(target)
    ]
    near = nearest(label.name, settings, 1)
    return f"did you mean `--{label.sibling(near[0])}`?" if near else None


def _refused(instance: FlagInstance, why: str, hint: str | None = None) -> Diagnostic:
    span = instance.origin.span if isinstance(instance.origin, FromRc) else None
    message = f"unrecognized option `{instance.text}`: {why}"
    return Diagnostic("refused-setting", message, span, hint=hint)
