"""The attributes that every rule has, whatever its class."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from bazelscope.loading.rule_classes import NativeRules
from bazelscope.loading.values import AttributeDefinition, AttributeType

_GENRULE_OWN = frozenset(
    {
        *("$cc_toolchain_type", "$genrule_setup", "$is_executable", ":cc_toolchain"),
        *("cmd", "cmd_bash", "cmd_bat", "cmd_ps"),
        *("exec_tools", "executable", "heuristic_label_expansion", "local", "message"),
        *("output_licenses", "output_to_bindir", "outs", "srcs", "stamp", "tools"),
    }
)

_SHELL_OWN = frozenset(
    {
        *("$collect_cc_coverage", "$launcher", "$lcov_merger", ":lcov_merger"),
        *("env", "env_inherit"),
    }
)


def base_attributes(
    rules: NativeRules, is_executable: bool, is_test: bool
) -> Mapping[str, AttributeDefinition]:
    """The attributes that every Starlark rule has besides its own.

    They are what `genrule` has and every rule has; executables and tests add what sets
    `sh_binary` and `sh_test` apart from `sh_library`. Bazel: `BaseRuleClasses`.
    """
    found = {
        name: definition
        for name, definition in rules.get("genrule").attributes.items()
        if name not in _GENRULE_OWN
    }
    if rules.table_version == "0.24.1" and not is_test:
        found.pop("exec_compatible_with", None)  # native rules and tests only, then
    if is_executable:
        library = rules.get("sh_library").attributes
        extra = rules.get("sh_test" if is_test else "sh_binary").attributes
        for name, definition in extra.items():
            if name not in library and name not in _SHELL_OWN:
                found.setdefault(name, definition)
        found["$is_executable"] = AttributeDefinition(
            "$is_executable", AttributeType.BOOLEAN, default=True, configurable=False, nodep=True
        )
    if is_test:
        found["testonly"] = replace(found["testonly"], default=True)
    return found
