"""The options of a configuration as `build_options(target)` of cquery's Starlark has them.

Bazel: `StarlarkOutputFormatterCallback.CqueryDialectGlobals.buildOptions`. It leaves out every
option whose value is of a type that Starlark lacks: enums (but for the few that are Starlark
values themselves), tristates, durations.
"""

from __future__ import annotations

from typing import ClassVar

from bazelscope import starlark
from bazelscope.analysis.conditions.matcher import Conditions
from bazelscope.analysis.configuration.build_settings import (
    current_value,
    default_value,
    is_build_setting,
)
from bazelscope.analysis.configuration.configuration import Configuration, ConfigurationKind
from bazelscope.analysis.configuration.flag_types import ValueTypeError
from bazelscope.analysis.configuration.option_values import option_value, setting_element
from bazelscope.base.label import MAIN_ROOT, PackageId, parse_label, parse_option_label
from bazelscope.bazel.flag_catalog import FlagDefinition, FlagKind
from bazelscope.bazel.native_options import (
    has_starlark_default,
    has_starlark_value,
    starlark_default,
)
from bazelscope.loading.evaluation.rules.rule_transitions import OPTION_PREFIX, ModuleSource
from bazelscope.loading.packages.targets import Rule

_NO_STARLARK = frozenset({FlagKind.ENUM, FlagKind.TRISTATE})
_INTERNAL = {
    "all feature flag values are present (internal)": True,
    "evaluating for analysis test": False,
    "target libcTop label": None,
}
_HOST_PLATFORM = "@local_config_platform//:host"
_PAIRS = frozenset({FlagKind.ASSIGNMENT, FlagKind.OPTIONAL_ASSIGNMENT})
_OF_TOOLS = ("javabase", "jvmopt", "platform_suffix")
"""Options whose values for tools are Bazel's own, and known of Bazel 4 alone."""
_HOST_JAVABASE = "@bazel_tools//tools/jdk:remote_jdk11"
JVMOPT_OF_TOOLS = "-XX:ErrorFile=/dev/stderr"


class CompilationMode(starlark.Value):
    """A value of one of the enums that are Starlark values: no string, and no equal of one."""

    starlark_type: ClassVar[str] = "CompilationMode"
    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    def to_repr(self) -> str:
        return self.text


class ApplePlatformType(CompilationMode):
    """A value of the enum of Apple's platforms."""

    starlark_type: ClassVar[str] = "apple_platform_type"
    __slots__ = ()


_STARLARK_ENUMS = {
    "apple_platform_type": ApplePlatformType,
    "compilation_mode": CompilationMode,
    "host_compilation_mode": CompilationMode,
}


def build_options(conditions: Conditions, source: ModuleSource) -> starlark.Dict:
    """Every option of the configuration of `conditions` that has a value in Starlark, by
    name: `//command_line_option:NAME`, or the label of a build setting."""
    configuration = conditions.configuration
    release = configuration.release
    options: dict[object, object] = {}
    for definition in configuration.catalog.definitions():
        if not has_starlark_value(definition, release):
            continue
        value = configuration.value(definition.name)
        if not value.instances and has_starlark_default(definition.name):
            # Bazel's help gives no default of these, or one of another form.
            options[OPTION_PREFIX + definition.name] = _default(source, definition)
            continue
        is_enum = definition.kind in _NO_STARLARK and definition.name not in _STARLARK_ENUMS
        is_pairs = definition.kind in _PAIRS and value.instances
        if is_pairs or (is_enum and value.value is not None):
            continue
        shown = option_value(source, definition, value)
        if definition.name in _STARLARK_ENUMS and isinstance(shown, str):
            shown = _STARLARK_ENUMS[definition.name](shown)
        options[OPTION_PREFIX + definition.name] = shown
    kind = configuration.kind
    if kind is not ConfigurationKind.TARGET:
        for name in _OF_TOOLS:
            options.pop(OPTION_PREFIX + name, None)
    if not configuration.value("platforms").value:
        host = configuration.value("host_platform").value or _HOST_PLATFORM
        platform = source.context.label_value(parse_option_label(host))
        options[f"{OPTION_PREFIX}platforms"] = starlark.List([platform])
    if kind is not ConfigurationKind.TARGET and release.tool_options:
        options.update(_values_of_tools(configuration, source))
    options.update((OPTION_PREFIX + name, value) for name, value in _INTERNAL.items())
    options[f"{OPTION_PREFIX}affected by starlark transition"] = starlark.List(
        sorted(configuration.affected)
    )
    options[f"{OPTION_PREFIX}is exec configuration"] = kind is ConfigurationKind.EXEC
    options[f"{OPTION_PREFIX}is host configuration"] = kind is ConfigurationKind.HOST
    for label in sorted(configuration.starlark_flags() | configuration.explicit_defaults):
        rule = conditions.source.target(label)
        if not isinstance(rule, Rule) or not is_build_setting(rule):
            continue
        try:
            setting = current_value(rule, configuration, label)
            default = default_value(rule, release)
        except ValueTypeError:
            continue  # Whoever needs the value reports it.
        if setting.elements != default.elements or label in configuration.explicit_defaults:
            items = [setting_element(source, element) for element in setting.elements]
            options[str(label)] = starlark.List(items) if setting.is_list else items[0]
    return starlark.Dict(options)


def _values_of_tools(configuration: Configuration, source: ModuleSource) -> dict[object, object]:
    """The options that 4.2.3 sets itself."""
    javabase = parse_label(javabase_of_tools(configuration), MAIN_ROOT)
    return {
        f"{OPTION_PREFIX}javabase": source.context.label_value(javabase),
        f"{OPTION_PREFIX}jvmopt": starlark.List([JVMOPT_OF_TOOLS]),
        f"{OPTION_PREFIX}platform_suffix": platform_suffix(configuration),
    }


def javabase_of_tools(configuration: Configuration) -> str:
    """Bazel: `JavaOptions.getHost`."""
    return configuration.value("host_javabase").value or _HOST_JAVABASE


def platform_suffix(configuration: Configuration) -> str | None:
    """What the directory of an execution platform is called by: a hash of its name. Bazel:
    `ExecutionTransitionFactory`."""
    if configuration.kind is not ConfigurationKind.EXEC:
        return configuration.value("platform_suffix").value
    platform = configuration.value("platforms").value
    platform = platform or configuration.value("host_platform").value or _HOST_PLATFORM
    return f"-exec-{java_hash(str(parse_label(platform, PackageId('', '')))):X}"


def java_hash(text: str) -> int:
    """Java: `String.hashCode`, without its sign."""
    digest = 0
    for char in text:
        digest = (31 * digest + ord(char)) & 0xFFFFFFFF
    return digest


def _default(source: ModuleSource, definition: FlagDefinition) -> object:
    value = starlark_default(definition.name)
    if isinstance(value, list):
        return starlark.List(value)
    if isinstance(value, str) and definition.kind is FlagKind.LABEL:
        return source.context.label_value(parse_label(value, MAIN_ROOT))
    return value
