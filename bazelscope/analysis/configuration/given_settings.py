"""Build settings that the command line or an rc file names, and what Bazel refuses of them.

Nothing else looks at `--//p:flag=x` before a condition asks for it, so a slip of the pen would
change nothing and stay unseen. Bazel: `StarlarkOptionsParser.loadBuildSetting`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from bazelscope.analysis.configuration.build_settings import (
    LIST_TYPES,
    NO_NAMES,
    is_build_setting,
    is_flag,
    parse_setting,
    setting_type,
)
from bazelscope.analysis.configuration.flag_types import ValueTypeError
from bazelscope.analysis.configuration.platforms import ALIAS_CYCLE, actual_label, follow_aliases
from bazelscope.analysis.configuration.target_source import TargetSource
from bazelscope.base.errors import Diagnostic, LabelError
from bazelscope.base.label import MAIN_ROOT, Label, full_option_label, parse_label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.nearest import nearest
from bazelscope.base.unknown import Unknown
from bazelscope.bazel.attribute_types import AttributeType
from bazelscope.bazel.release import Release
from bazelscope.flags.flag_values import FlagInstance, FlagValue, ResolvedFlags
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import NoSuchPackage, NoSuchTarget, Rule


@dataclass(frozen=True, slots=True)
class GivenSettings:
    """The build settings that a command line sets, each once however it is spelt, and what
    Bazel refuses of them."""

    values: Mapping[Label, FlagValue]
    refused: tuple[Diagnostic, ...]


def with_settings(
    source: TargetSource, flags: ResolvedFlags, typed_names: Mapping[str, str] = NO_NAMES
) -> tuple[ResolvedFlags, tuple[Diagnostic, ...]]:
    """Flags whose build settings are known by label, and what Bazel refuses of them."""
    if not flags.starlark_flags:
        return replace(flags, settings={}), ()
    settings = settings_by_label(source, flags.starlark_flags, flags.release, typed_names)
    by_text = {str(label): value for label, value in settings.values.items()}
    return replace(flags, starlark_flags=by_text, settings=settings.values), settings.refused


def settings_by_label(
    source: TargetSource,
    given: Mapping[str, FlagValue],
    release: Release,
    typed_names: Mapping[str, str],
) -> GivenSettings:
    """The build settings `given`, by label, aliases followed where that release does; a
    repeatable one has every value that it was set to, and so has one of which nobody can tell.

    Bazel: `StarlarkOptionsParser`, which reads labels as the main repository does.
    """
    grouped: dict[Label, list[FlagValue]] = {}
    rules: dict[Label, Rule] = {}
    untold: set[Label] = set()
    refused: list[Diagnostic] = []
    for value in given.values():
        label, rule, problems = _look_up(source, value, release, typed_names)
        refused += problems
        if label is None:
            continue
        grouped.setdefault(label, []).append(value)
        if rule is not None:
            rules[label] = rule
        elif not problems:
            untold.add(label)
    for values in grouped.values():
        if len(values) > 1 and not release.one_flag_in_any_spelling:
            refused.append(_spelt_twice(values, release))
    repeatable = {label for label, rule in rules.items() if rule.rule_class.is_repeatable} | untold
    merged = {
        label: _merged(label, values, label in repeatable) for label, values in grouped.items()
    }
    return GivenSettings(merged, tuple(refused))


def _merged(label: Label, values: list[FlagValue], is_repeatable: bool) -> FlagValue:
    values = sorted(values, key=lambda value: value.instances[-1].precedence)
    instances = [i for value in values for i in (*value.overridden, *value.instances)]
    if len(values) > 1:
        instances.sort(key=lambda instance: instance.precedence)
    if is_repeatable:
        texts = tuple(instance.value or "" for instance in instances)
        return FlagValue(str(label), texts, tuple(instances))
    last = instances[-1]
    return FlagValue(str(label), (last.value or "",), (last,), tuple(instances[:-1]))


def _look_up(
    source: TargetSource, value: FlagValue, release: Release, typed_names: Mapping[str, str]
) -> tuple[Label | None, Rule | None, list[Diagnostic]]:
    """The label that a value is set by, the rule there if it is known, and what is refused."""
    last = value.instances[-1]
    try:
        label = parse_label(value.name, MAIN_ROOT, typed_names)
    except LabelError as error:
        return None, None, [_refused(last, str(error))]
    target = source.target(label)
    if isinstance(target, NoSuchTarget):
        return label, None, [_refused(last, target.message, _hint(source, label))]
    if isinstance(target, NoSuchPackage):
        refused = _refused(last, target.message, _hint(source, label))
        return label, None, [replace(refused, notes=target.notes)]
    actual = follow_aliases(source, label)
    if isinstance(actual, Unknown) and actual.detail == ALIAS_CYCLE:
        return label, None, [_refused(last, f"`{label}` is an alias in a {ALIAS_CYCLE}")]
    rule = None if isinstance(actual, Unknown) else source.target(actual)
    if isinstance(actual, Unknown) or (isinstance(rule, Rule) and not rule.rule_class.is_known):
        return label, None, []
    if actual != label and not release.aliases_of_flags:
        hint = f"Bazel follows it since {Release.aliases_of_flags.first}; name `{actual}`"
        return label, None, [_refused(last, f"`{label}` is an alias", hint)]
    if not isinstance(rule, Rule):
        if isinstance(target, Rule):
            return label, None, []  # An alias of what is not known.
        return label, None, [_refused(last, f"`{label}` is no build setting")]
    if not is_build_setting(rule):
        kind = rule.rule_class.name
        return label, None, [_refused(last, f"`{label}` is no build setting, but a {kind}")]
    if not is_flag(rule):
        hint = "only transitions set it; `flag = True` would make it a flag"
        return label, None, [_refused(last, f"`{label}` is a build setting, but no flag", hint)]
    return actual, rule, list(_problems_of_values(value, rule, release))


def _problems_of_values(value: FlagValue, rule: Rule, release: Release) -> Iterator[Diagnostic]:
    kind = setting_type(rule)
    instances = (*value.overridden, *value.instances)
    # Before 4.0.0 the value may be another word, which the flags stage has looked for.
    if kind is not AttributeType.BOOLEAN and not release.starlark_takes_next_word:
        for instance in instances:
            if "=" not in instance.text and " " not in instance.text:
                if instance.value == "false":
                    yield _refused(instance, "only a boolean flag can have the prefix `no`")
                else:
                    yield _refused(instance, "it expects a value, behind a `=`")
    # Bazel reads only the values that count.
    for instance in instances if rule.rule_class.is_repeatable else value.instances:
        if problem := _problem_of_value(instance, rule, release):
            yield problem


def _spelt_twice(values: list[FlagValue], release: Release) -> Diagnostic:
    words = " and ".join(f"`--{value.name}`" for value in values)
    return _refused(
        values[-1].instances[-1],
        f"{words} are one flag; Bazel {release} crashes where both are given",
        "spell it in one way",
    )


def settings_in_two_words(
    source: TargetSource, given: Mapping[str, FlagValue], typed_names: Mapping[str, str]
) -> dict[str, bool]:
    """Of the build settings that some word names without a `=`: whether they take their value
    from another word, which booleans do not. Nothing of those that cannot be told."""
    takes_value: dict[str, bool] = {}
    for name, value in given.items():
        instances = (*value.instances, *value.overridden)
        if all("=" in instance.text for instance in instances):
            continue
        try:
            rule = source.target(parse_label(name, MAIN_ROOT, typed_names))
        except LabelError:
            continue
        if isinstance(rule, Rule) and is_build_setting(rule):
            takes_value[name] = setting_type(rule) is not AttributeType.BOOLEAN
    return takes_value


def _problem_of_value(instance: FlagInstance, rule: Rule, release: Release) -> Diagnostic | None:
    kind = setting_type(rule)
    text = instance.value or ""
    try:
        for part in text.split(",") if kind in LIST_TYPES else [text]:
            spelled = full_option_label(part) if kind is AttributeType.LABEL else part
            parse_setting(spelled, kind, rule.label.package_id, release)
    except ValueTypeError as error:
        return _refused(instance, str(error))
    return None


def behind_aliases(source: TargetSource, label: Label, release: Release) -> Label:
    """The build setting that a label on the command line names, in a release that follows
    aliases there."""
    return actual_label(source, label) if release.aliases_of_flags else label


def nearest_settings(source: TargetSource, label: Label) -> tuple[Label, ...]:
    """The flag of the same package that `label` may be a slip of the pen for."""
    package = source.package(label.package_id)
    if not isinstance(package, Package):
        return ()
    settings = [
        name
        for name, target in package.targets.items()
        if isinstance(target, Rule) and is_build_setting(target) and is_flag(target)
    ]
    return tuple(label.sibling(name) for name in nearest(label.name, settings, 1))


def _hint(source: TargetSource, label: Label) -> str | None:
    near = nearest_settings(source, label)
    return f"did you mean `--{near[0]}`?" if near else None


def _refused(instance: FlagInstance, why: str, hint: str | None = None) -> Diagnostic:
    span = instance.span
    message = f"unrecognized option `{instance.text}`: {why}"
    return Diagnostic("refused-setting", message, span, hint=hint)
