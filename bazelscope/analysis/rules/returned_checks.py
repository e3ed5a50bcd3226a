"""What Bazel refuses of what an implementation returns, in its words.

Bazel: `StarlarkRuleConfiguredTargetUtil.addProviders`.
"""

from __future__ import annotations

from collections.abc import Container, Hashable, Iterable, Mapping

from bazelscope import starlark
from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.analysis.rules.provided import key_of
from bazelscope.bazel.release import Release
from bazelscope.bazel.removed_functions import STRUCTS_ASKED_FOR, STRUCTS_RETURNED
from bazelscope.loading.evaluation.values.builtin_calls import (
    check_dict,
    check_elements,
    kinds_of,
    shown_kind,
)
from bazelscope.loading.evaluation.values.structs import Struct

_ANALYSIS_TEST = "AnalysisTestResultInfo"
_FIELDS = {
    "runfiles": "runfiles",
    "data_runfiles": "runfiles",
    "default_runfiles": "runfiles",
    "executable": "File",
    "instrumented_files": "struct",
}
"""The kinds of fields of a struct that is returned."""
_NO_STRUCTS = "incompatible_disallow_struct_provider_syntax"
_MAY_BE_ASKED_FOR = (
    " and will be removed soon. It may be temporarily re-enabled by setting"
    " --incompatible_disallow_struct_provider_syntax=false . See"
    " https://github.com/bazelbuild/bazel/issues/7347 for details."
)
_LISTS = ("extensions", "dependency_attributes", "source_attributes")


def key_of_instance(instance: Struct) -> Hashable:
    """What tells an instance of a provider from others; fails if its provider is no global
    variable."""
    provider = instance.provider
    if provider is None:
        return "struct"
    if provider.file is None and not provider.name:
        starlark.fail_with(
            "cannot return a non-exported provider instance from a rule implementation function:"
            " the provider must be defined outside of a function scope, as a global variable"
        )
    return key_of(provider)


def check_struct(kind: str, own: Configuration) -> None:
    """Fails if the implementation of a `rule` or an `aspect` may not return a struct of providers.
    Measured: 0.24.1, 2.1.0, 4.2.3; Bazel: `StarlarkRuleConfiguredTargetUtil`."""
    release = own.release
    is_asked = STRUCTS_ASKED_FOR.holds(release)
    may_return = STRUCTS_RETURNED[kind].holds(release)
    if kind == "rule" and is_asked and own.value(_NO_STRUCTS).instances:
        may_return = not own.is_on(_NO_STRUCTS)
    if not may_return:
        article = "an" if kind == "aspect" else "a"
        message = f"Returning a struct from {article} {kind} implementation function is deprecated"
        starlark.fail_with(f"{message}{_MAY_BE_ASKED_FOR if is_asked else '.'}")


def takes_dict(value: Mapping[object, object], release: Release) -> bool:
    """Whether a dictionary may be returned, which counts for nothing."""
    return release.full_dicts_are_returned or (not value and release.empty_dicts_are_returned)


def check_legacy(fields: Mapping[str, object]) -> None:
    """Fails if a struct was returned with a field of another kind than Bazel takes."""
    for name, kind in _FIELDS.items():
        kinds = kinds_of(fields[name]) if name in fields else ()
        if kinds and kind not in kinds:
            starlark.fail_with(f"for {name} field, got {shown_kind(fields[name])}, want {kind}")
    check_elements("files", fields.get("files"), "File")
    instrumented = fields.get("instrumented_files")
    held = instrumented.fields if isinstance(instrumented, Struct) else {}
    for name in _LISTS:
        check_elements(name, held.get(name), "string")
    groups = fields.get("output_groups")
    if "output_groups" not in fields or not kinds_of(groups):
        return
    if not isinstance(groups, dict):
        starlark.fail_with(f"got {shown_kind(groups)} for 'output_groups', want dict")
    for key, group in groups.items():
        if type(group) in (str, int, bool):
            starlark.fail_with(
                f"got dict<{shown_kind(key)}, {shown_kind(group)}> for 'output_groups', want"
                " dict<string, StarlarkValue>"
            )
        check_elements(f"output group '{key}'", group, "File")
    check_dict("output_groups", dict.fromkeys(groups, ""), ("string", "string"))


def check_not_besides(fields: Mapping[str, object], names: Iterable[str]) -> None:
    """Fails if a struct has fields besides an instance of `DefaultInfo` that are of this."""
    for name in names:
        if name in fields:
            starlark.fail_with(
                f"Provider '{name}' should be specified in DefaultInfo if it's provided explicitly."
            )


def check_analysis_test(providers: Container[Hashable], release: Release) -> None:
    """Fails if a test of the analysis has no result."""
    if release.analysis_tests_are_checked and _ANALYSIS_TEST not in providers:
        starlark.fail_with(
            "rules with analysis_test=true must return an instance of AnalysisTestResultInfo"
        )
