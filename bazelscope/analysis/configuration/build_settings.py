"""Values of build settings: flags that are targets (`bool_flag`, `string_flag`, ...).

Bazel: `BuildSetting`, `BuildSettingProvider`, `LabelBuildSettings`. A build setting's
type is the type of its `build_setting_default` attribute.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from types import MappingProxyType

from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.analysis.configuration.flag_types import (
    ValueTypeError,
    parse_boolean,
    parse_integer,
)
from bazelscope.base.errors import LabelError
from bazelscope.base.label import MAIN_ROOT, Label, PackageId, full_option_label, parse_label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.unknown import Unknown
from bazelscope.bazel.attribute_types import AttributeType
from bazelscope.bazel.release import Release
from bazelscope.flags.flag_values import FlagInstance, FlagValue
from bazelscope.loading.packages.targets import Rule

DEFAULT_ATTRIBUTE = "build_setting_default"
FEATURE_FLAG = "config_feature_flag"
LABEL_SETTINGS = frozenset({"label_flag", "label_setting"})
NO_NAMES: Mapping[str, str] = MappingProxyType({})
LIST_TYPES = frozenset({AttributeType.STRING_LIST, AttributeType.LABEL_LIST})


@dataclass(frozen=True, slots=True)
class SettingValue:
    """The value of a build setting: one parsed element, or several for a list."""

    elements: tuple[Hashable, ...]
    texts: tuple[str, ...]
    is_list: bool
    instance: FlagInstance | None

    @property
    def text(self) -> str:
        return ",".join(self.texts)


class UnknownSettingError(ValueTypeError):
    """Nobody can tell the value; `unknown` says why."""

    def __init__(self, unknown: Unknown) -> None:
        super().__init__(str(unknown))
        self.unknown = unknown


def is_build_setting(rule: Rule) -> bool:
    """Whether `flag_values` may ask about the rule; feature flags count."""
    if rule.rule_class.name == FEATURE_FLAG:
        return True
    return rule.rule_class.is_build_setting or rule.rule_class.name in LABEL_SETTINGS


def is_flag(rule: Rule) -> bool:
    """Whether the command line may set the build setting, as opposed to transitions alone."""
    return rule.rule_class.is_flag or rule.rule_class.name == "label_flag"


def is_label_setting(rule: Rule) -> bool:
    return rule.rule_class.name in LABEL_SETTINGS


def setting_type(rule: Rule) -> AttributeType:
    """The type of the values of a build setting."""
    if is_label_setting(rule):
        return AttributeType.LABEL
    attribute = rule.attribute(DEFAULT_ATTRIBUTE)
    if attribute is not None and attribute.type is not AttributeType.UNKNOWN:
        return attribute.type
    return _type_of_value(attribute.value if attribute is not None else None)


def _type_of_value(value: object) -> AttributeType:
    if isinstance(value, bool):
        return AttributeType.BOOLEAN
    if isinstance(value, int):
        return AttributeType.INTEGER
    if isinstance(value, Label):
        return AttributeType.LABEL
    return AttributeType.STRING_LIST if isinstance(value, tuple) else AttributeType.STRING


def current_value(rule: Rule, configuration: Configuration, flag: Label) -> SettingValue:
    """The value of the build setting `rule` under `configuration`.

    `flag` is the label that the value is asked by. Raises `ValueTypeError` if the command
    line sets it to something that is no value of its type.
    """
    kind = setting_type(rule)
    release = configuration.release
    given = configuration.starlark_value(flag)
    if given is not None and not is_lost(rule, configuration, flag):
        return _given_value(given, rule, kind, configuration)
    return default_value(rule, release)


def label_behind(rule: Rule, configuration: Configuration | None) -> Label:
    """The label that a `label_flag` or `label_setting` stands for, by default where there is no
    configuration. Raises `ValueTypeError` if it has none, or one that is no label."""
    given = configuration.starlark_value(rule.label) if configuration is not None else None
    value = rule.value(DEFAULT_ATTRIBUTE)
    package = rule.label.package_id
    if configuration is not None and is_lost(rule, configuration, rule.label):
        given = None
    names = NO_NAMES
    if configuration is not None and given is not None and given.value is not None:
        value = full_option_label(given.value)
        package, names = MAIN_ROOT, configuration.names
    if isinstance(value, str):
        try:
            value = parse_label(value, package, names)
        except LabelError as error:
            raise ValueTypeError(str(error)) from None
    if not isinstance(value, Label):
        raise ValueTypeError(f"`{rule.label}` has no label as its value")
    return value


def is_lost(rule: Rule, configuration: Configuration, flag: Label) -> bool:
    """Whether tools do not have the value that was set, but the default."""
    return flag in configuration.set_before_exec and not reaches_tools(rule, configuration)


def reaches_tools(rule: Rule, configuration: Configuration) -> bool:
    """Whether the execution configuration has the value of a build setting that another sets.

    Its `scope` says so, where it is written. Bazel: `FunctionTransitionUtil`,
    `getExecPropagatingStarlarkFlags`; before 9.0.0 no scope, and `maybeGetExecDefaults`.
    """
    release = configuration.release
    if not release.exec_resets_build_settings:
        return True
    if release.build_setting_scope:
        scope = rule.given("scope")
        if scope == "universal" or (scope == "project" and release.project_scope_reaches_tools):
            return True
        if scope is not None and scope != "default" and not _only_universal(configuration):
            return False
        if scope == "target":
            return False
    if not _only_universal(configuration):
        return True
    return any(
        str(rule.label).startswith(prefix) if is_prefix else rule.label == named
        for prefix, is_prefix, named in map(_propagated, configuration.value(_PROPAGATED).values)
    )


_ONLY_UNIVERSAL = "exclude_starlark_flags_from_exec_config"
_PROPAGATED = "experimental_propagate_custom_flag"


def _only_universal(configuration: Configuration) -> bool:
    """Bazel: `CoreOptions.excludeStarlarkFlagsFromExecConfig`, of no effect before 8.0.0 and
    the default since 10.0.0 (bazel#26909)."""
    for prefix in ("incompatible_", "experimental_"):
        given = configuration.flags.values.get(prefix + _ONLY_UNIVERSAL)
        if given is not None and given.value is not None:
            try:
                return parse_boolean(given.value)
            except ValueTypeError:
                break  # The flags stage has already reported it.
    return configuration.release.only_universal_reaches_tools


def _propagated(text: str) -> tuple[str, bool, Label | None]:
    """An `--experimental_propagate_custom_flag`: a label, or a package and those below it."""
    if text.endswith("/..."):
        return text.removesuffix("/..."), True, None
    try:
        return text, False, parse_label(text, MAIN_ROOT)
    except LabelError:
        return text, False, None


def default_value(rule: Rule, release: Release) -> SettingValue:
    """The value of a build setting that nothing sets. Raises `ValueTypeError`; where the default
    is unknown, `UnknownSettingError`."""
    kind, package = setting_type(rule), rule.label.package_id
    default = rule.value(DEFAULT_ATTRIBUTE)
    values: tuple[object, ...] = () if default is None else (default,)
    if isinstance(default, tuple) and not isinstance(default, Label):
        values = default
    for value in values:
        if isinstance(value, Unknown):
            raise UnknownSettingError(value)
    parsed = [parse_setting(_text(value), kind, package, release) for value in values]
    return SettingValue(
        tuple(key for key, _ in parsed),
        tuple(text for _, text in parsed),
        kind in LIST_TYPES or rule.rule_class.is_repeatable,
        None,
    )


def _given_value(
    given: FlagValue, rule: Rule, kind: AttributeType, configuration: Configuration
) -> SettingValue:
    """Commas part the values of a list, but of a repeatable flag none. Bazel:
    `StarlarkOptionsParser.parse`."""
    is_repeatable = rule.rule_class.is_repeatable
    is_list = kind in LIST_TYPES or is_repeatable
    texts = list(given.values)
    if not is_repeatable and kind in LIST_TYPES:
        texts = [part for text in texts for part in text.split(",")]
    package, release, names = rule.label.package_id, configuration.release, configuration.names
    if kind is AttributeType.LABEL:
        texts = [*map(full_option_label, texts)]
    parsed = [parse_setting(text, kind, package, release, names) for text in texts]
    return SettingValue(
        tuple(key for key, _ in parsed), tuple(text for _, text in parsed), is_list, given.set_by
    )


def parse_setting(
    text: str,
    kind: AttributeType,
    package: PackageId,
    release: Release,
    names: Mapping[str, str] = NO_NAMES,
) -> tuple[Hashable, str]:
    """The value that `text` means for a build setting of type `kind`, and its canonical
    spelling. Labels are relative to `package`, where repositories have these `names`. Raises
    `ValueTypeError`."""
    if kind is AttributeType.BOOLEAN:
        value = parse_boolean(text)
        return ("bool", value), str(value).lower()
    if kind is AttributeType.INTEGER:
        is_starlark = release.starlark_integers
        number = _starlark_integer(text) if is_starlark else parse_integer(text)
        return ("int", number), str(number)
    if kind in (AttributeType.LABEL, AttributeType.LABEL_LIST):
        try:
            label = parse_label(text, package, names)
        except LabelError as error:
            raise ValueTypeError(str(error)) from None
        return label, str(label)
    return text, text


def _starlark_integer(text: str) -> int:
    # A Starlark integer literal: `07` is none, `0x7` and `0o7` are. Before 4.0 the text
    # was read as native options are, where `07` is an octal number.
    try:
        return int(text, 0)
    except ValueError:
        raise ValueTypeError(f"`{text}` is not an int") from None


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
