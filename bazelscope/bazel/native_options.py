"""Facts about native options that Bazel's help does not tell, measured on real Bazels.

Which options belong to the build configuration, so that a config_setting may name them
(Bazel: `FragmentOptions`, as opposed to the options of the command alone), and which keep
their value in the execution (formerly host) configuration, or take it from another option
(`FragmentOptions.getHost`). Each was asked of 0.24.1, 2.1.0 and 4.2.3 with one
config_setting per option; newer versions are taken to agree with 4.2.3, but for the execution
configuration since 8.0.0, which a transition in Starlark makes: what this does not name has
its default there (`builtin_exec_platforms.bzl`, `FunctionTransitionUtil`).
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from functools import cache
from pathlib import Path

from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.bazel.flag_catalog import FlagDefinition, FlagKind
from bazelscope.bazel.flag_catalog import load as load_catalog
from bazelscope.bazel.release import Release

# The commands that inherit the options of `build`; an option that others take as well is
# no part of the configuration.
_BUILD_COMMANDS = frozenset(
    {
        *("aquery", "build", "canonicalize-flags", "clean", "config", "coverage", "cquery"),
        *("info", "mobile-install", "print_action", "run", "test"),
    }
)
# Later tables come from documentation, which lists the configuration under these as well.
_LATER_COMMANDS = _BUILD_COMMANDS | {"fetch", "mod", "query", "sync", "vendor"}
_LAST_MEASURED = "4.2.3"

_FORCED = frozenset({"force_python", "host_force_python"})
_FOR_TOOLS_ONLY = frozenset({"force_python", "python_version"})

# An option of the execution configuration <- the first of these that has a value.
_EXEC_SOURCES: Mapping[str, tuple[str, ...]] = {
    **{
        name: (f"host_{name}",)
        for name in (
            *("action_env", "compilation_mode", "conlyopt", "copt", "cpu", "cxxopt", "grte_top"),
            *("java_launcher", "java_toolchain", "javabase", "javacopt", "jvmopt", "linkopt"),
            "swiftcopt",
        )
    },
    "compiler": ("host_compiler", "compiler"),
    "crosstool_top": ("host_crosstool_top", "crosstool_top"),
    "java_language_version": ("tool_java_language_version",),
    "java_runtime_version": ("tool_java_runtime_version",),
    "platforms": ("host_platform",),
    "python_version": ("host_force_python",),
}


# The same since 8.0.0. Bazel: `builtin_exec_platforms.bzl`.
_EXEC_SOURCES_SINCE_8: Mapping[str, tuple[str, ...]] = {
    **{name: sources for name, sources in _EXEC_SOURCES.items() if name != "crosstool_top"},
    "compiler": ("host_compiler",),
    "features": ("host_features",),
    "macos_minimum_os": ("host_macos_minimum_os",),
    "per_file_copt": ("host_per_file_copt",),
}

# Values that these options have there besides, except on Windows: first, and since 8.0.0
# last. Bazel: `CppOptions.getHost`, `builtin_exec_platforms.bzl`.
_EXEC_BESIDES: Mapping[str, tuple[str, ...]] = {"copt": ("-g0",), "cxxopt": ("-g0",)}

# What they have where their source has no value. Bazel: `JavaOptions.getHost`.
_EXEC_WITHOUT_SOURCE: Mapping[str, tuple[str, ...]] = {"jvmopt": ("-XX:ErrorFile=/dev/stderr",)}


@dataclass(frozen=True, slots=True)
class _Facts:
    command_only: frozenset[str]
    of_configuration_until: Mapping[str, Release]
    """The first release where the option is one of commands that have no use for it. Bazel:
    `BazelRulesModule.BuildGraveyardOptions`."""
    of_configuration_since: Mapping[str, Release]
    not_selectable: frozenset[str]
    exec_kept: Mapping[str, Release]
    exec_kept_since_8: frozenset[str]
    exec_fixed: Mapping[str, str]
    hidden_and_true: Mapping[str, Release]
    hidden_defaults: Mapping[str, str]
    not_in_starlark: frozenset[str]
    starlark_defaults: Mapping[str, object]


@cache
def _facts() -> _Facts:
    path = Path(__file__).with_name("option_facts.json")
    data = json.loads(path.read_text(encoding="utf-8"))
    return _Facts(
        frozenset(data["command_only"]),
        _releases(data["of_configuration_until"]),
        _releases(data["of_configuration_since"]),
        frozenset(data["not_selectable"]),
        _releases(data["exec_kept"]),
        frozenset(data["exec_kept_since_8"]),
        data["exec_fixed"],
        _releases(data["hidden_and_true"]),
        data["hidden_defaults"],
        frozenset(data["not_in_starlark"]),
        data["starlark_defaults"],
    )


def _releases(data: Mapping[str, str]) -> Mapping[str, Release]:
    return {name: Release.of(text) for name, text in data.items()}


def means_unset(definition: FlagDefinition, text: str) -> bool:
    """Whether a value of an option means that it has none. Bazel: `LibcTopLabelConverter`,
    `EmptyToNullLabelConverter`."""
    if text == "default":
        return definition.name in ("android_grte_top", "grte_top", "host_grte_top")
    is_label = definition.kind is FlagKind.LABEL or definition.name == "platform_mappings"
    return text == "" and is_label


def never_matches(definition: FlagDefinition, text: str) -> bool:
    """Whether `values = {name: text}` holds under no flags: of options that the empty text leaves
    without a value, and that have this text by default, some are not what a condition asks for
    even then (0.24.1, 2.1.0 and 4.2.3 measured)."""
    return text == "" and definition.name in _NEVER_EMPTY


_NEVER_EMPTY = ("auto_cpu_environment_group", "host_platform", "platform_mappings")


def is_configuration_option(definition: FlagDefinition, release: Release) -> bool:
    """Whether `values = {name: ...}` is legal in a config_setting."""
    facts, name = _facts(), definition.name
    until, since = facts.of_configuration_until.get(name), facts.of_configuration_since.get(name)
    if name in facts.command_only or (until is not None and release >= until):
        return False
    if since is not None and release < since:
        return False
    if not release.configuration_by_type:
        return _within_build(definition)
    before = load_catalog(_LAST_MEASURED).find(definition.name)
    if before is not None:
        return _within_build(before)
    return "build" in definition.commands and definition.commands <= _LATER_COMMANDS


_OF_TESTS = frozenset(
    {
        *("cache_test_results", "coverage_output_generator", "coverage_report_generator"),
        *("coverage_support", "default_test_resources", "runs_per_test"),
        *("runs_per_test_detects_flakes", "test_arg", "test_filter", "test_runner_fail_fast"),
        *("test_sharding_strategy", "test_timeout", "trim_test_configuration"),
        *("zip_undeclared_test_outputs", "use_target_platform_for_tests"),
        *("experimental_cancel_concurrent_tests", "incompatible_check_sharding_support"),
    }
)


def is_test_option(name: str) -> bool:
    """Whether an option of the configuration is one of tests alone. Bazel:
    `TestConfiguration.TestOptions`."""
    return name in _OF_TESTS


def has_starlark_value(definition: FlagDefinition, release: Release) -> bool:
    """Whether `build_options(target)` of cquery's Starlark has the option, unless an enum."""
    name = definition.name
    is_configuration = is_configuration_option(definition, release)
    return is_configuration and name not in _facts().not_in_starlark


def has_starlark_default(name: str) -> bool:
    """Whether `starlark_default` knows the option."""
    return name in _facts().starlark_defaults


def starlark_default(name: str) -> object:
    """What stands there for an option that nobody sets, where Bazel's help has no default or
    one of another form."""
    return _facts().starlark_defaults.get(name)


def why_not_selectable(name: str, setting: Label, release: Release) -> str | None:
    """Why the config_setting of that label may not ask about an option of the configuration;
    None if it may. Bazel: `PythonOptions.getSelectRestrictions`."""
    is_free = name in _FORCED and release.force_python_is_free
    if is_free or name not in _facts().not_selectable:
        return None
    instead = "ask about `@bazel_tools//tools/python:python_version` instead"
    if name not in _FOR_TOOLS_ONLY:
        return instead
    is_below = setting.package == "tools" or setting.package.startswith("tools/")
    if setting.repository == "bazel_tools" and is_below:
        return None
    return f"only those in `@bazel_tools//tools/...` may; {instead}"


def _within_build(definition: FlagDefinition) -> bool:
    # `fetch` takes --repo_env too, which is the one such option of the configuration.
    shared = {"fetch"} if definition.name == "repo_env" else set()
    return "build" in definition.commands and definition.commands - shared <= _BUILD_COMMANDS


def exec_sources(name: str, release: Release) -> tuple[str, ...]:
    """The options whose value `name` takes in the execution configuration, best first."""
    table = _EXEC_SOURCES_SINCE_8 if release.exec_options_in_starlark else _EXEC_SOURCES
    return table.get(name, ())


def options_made_of(names: Collection[str]) -> frozenset[str]:
    """The options that take their value in the execution configuration from one of these."""
    tables = (_EXEC_SOURCES, _EXEC_SOURCES_SINCE_8)
    return frozenset(
        option
        for table in tables
        for option, sources in table.items()
        if not set(names).isdisjoint(sources)
    )


def exec_values(name: str, values: tuple[str, ...], host: str, release: Release) -> tuple[str, ...]:
    """What a repeatable option has there whose source has these values.

    `host` is the operating system that Bazel runs on.
    """
    if not values:
        values = _EXEC_WITHOUT_SOURCE.get(name, ())
    besides = () if host == "windows" else _EXEC_BESIDES.get(name, ())
    return (*values, *besides) if release.exec_options_in_starlark else (*besides, *values)


def is_kept_for_exec(name: str, release: Release) -> bool:
    """Whether the option has the same value in the execution configuration."""
    if release.exec_options_in_starlark:
        return name in _facts().exec_kept_since_8
    since = _facts().exec_kept.get(name)
    return since is not None and release >= since


def exec_value(name: str) -> str | None:
    """The value that an option always has in the execution configuration, if it has one."""
    return _facts().exec_fixed.get(name)


def hidden_default(definition: FlagDefinition, release: Release) -> str | None:
    """The default of an option whose default Bazel's help hides; None if it is not known."""
    name = definition.name
    if not definition.negatable:
        # Of an option whose type help tells, that is what Bazel makes of none.
        is_hidden = definition.kind is FlagKind.UNKNOWN
        held = _facts().starlark_defaults.get(name) if is_hidden else None
        known = str(held) if isinstance(held, str | int) else None
        return _facts().hidden_defaults.get(name, known)
    since = _facts().hidden_and_true.get(name)
    return "true" if since is not None and release >= since else "false"
