"""`ctx.configuration`: what flags say of a target's configuration. Bazel: `BuildConfiguration`."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bazelscope import starlark
from bazelscope.analysis.configuration.configuration import Configuration, ConfigurationKind
from bazelscope.analysis.rules.context_members import Members
from bazelscope.analysis.rules.provided import unmodelled
from bazelscope.loading.evaluation.evaluation_context import EvaluationContext
from bazelscope.loading.evaluation.values.symbolic_values import UnknownValue


def configuration_value(own: Configuration, root: object, context: EvaluationContext) -> object:
    """The value; `root` is that of its outputs."""

    def unknown(name: str) -> UnknownValue:
        what = f"ctx.configuration.{name}"
        return unmodelled(what, context)

    makers: dict[str, Callable[[], object]] = {
        "bin_dir": lambda: root,
        "coverage_enabled": lambda: own.is_on("collect_code_coverage"),
        "default_shell_env": lambda: unknown("default_shell_env"),
        "genfiles_dir": lambda: root,
        "host_path_separator": lambda: ";" if own.host.os == "windows" else ":",
        "test_env": lambda: unknown("test_env"),
    }
    if own.host.os != "windows":
        makers["default_shell_env"] = lambda: _shell_environment(own, unknown("default_shell_env"))
    if own.release.rules_in_starlark:
        makers |= _for_own_rules(own)
    return Members("configuration", makers)


def _for_own_rules(own: Configuration) -> Mapping[str, Callable[[], object]]:
    """The functions of `ctx.configuration` that Bazel keeps for its own rules in Starlark, and
    for rule sets that these have moved to. Bazel: `BuildConfigurationApi`."""
    is_auto, os = own.value("enable_runfiles").value in (None, "auto"), own.host.os
    answers: dict[str, object] = {
        "has_separate_genfiles_directory": not own.is_on("incompatible_merge_genfiles_directory"),
        "is_sibling_repository_layout": own.is_on("experimental_sibling_repository_layout"),
        "is_tool_configuration": own.kind is not ConfigurationKind.TARGET,
        "runfiles_enabled": own.is_on("enable_runfiles") or (is_auto and os != "windows"),
        "stamp_binaries": own.is_on("stamp"),
    }

    def asked(name: str) -> Callable[[], object]:
        return lambda: starlark.Builtin(name, lambda: answers[name])

    return {name: asked(name) for name in answers}


def _shell_environment(own: Configuration, path: UnknownValue) -> object:
    """`ctx.configuration.default_shell_env`: what --action_env gives a value, and `PATH` where the
    client's does not count. Bazel: `BazelRuleClassProvider.SHELL_ACTION_ENV`."""
    pairs = [text.partition("=") for text in own.value("action_env").values]
    held: dict[object, object] = {name: value for name, sign, value in pairs if sign}
    if own.is_on("incompatible_strict_action_env"):
        held.setdefault("PATH", path)
    return starlark.Dict(held)
