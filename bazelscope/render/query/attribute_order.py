"""In which order Bazel writes the attributes of a rule.

A rule class keeps its attributes in the order of their definition, which no table but the one
beside this module tells: it was read off what 4.2.3 writes for one rule of each native class.
"""

from __future__ import annotations

import json
from functools import cache
from importlib import resources

from bazelscope.loading import list_order
from bazelscope.loading.targets import Rule
from bazelscope.loading.values import RuleClass

# What `rule()` adds before the rule's own attributes. Bazel: `StarlarkRuleClassFunctions`.
_BASE = (
    "name",
    "expect_failure",
    "visibility",
    "transitive_configs",
    "deprecation",
    "tags",
    "generator_name",
    "generator_function",
    "generator_location",
    "testonly",
    "features",
    ":action_listener",
    "compatible_with",
    "restricted_to",
    "$config_dependencies",
    "applicable_licenses",
    "package_metadata",
    "aspect_hints",
    "toolchains",
    "exec_properties",
    "exec_compatible_with",
    "target_compatible_with",
)
_TEST = (
    "size",
    "timeout",
    "flaky",
    "shard_count",
    "local",
    "args",
    "env",
    "env_inherit",
    "$test_wrapper",
    "$xml_writer",
    "$test_runtime",
    "$test_setup_script",
    "$xml_generator_script",
    "$collect_coverage_script",
    ":coverage_support",
    ":coverage_report_generator",
    ":run_under",
)
_EXECUTABLE = ("args", "output_licenses", "$is_executable")


@cache
def _table() -> dict[str, tuple[str, ...]]:
    file = resources.files("bazelscope.render.query") / "attribute_order.json"
    content = json.loads(file.read_text(encoding="utf-8"))
    names = content["names"]
    return {rule: tuple(names[i] for i in order) for rule, order in content["rules"].items()}


def attribute_names(rule: Rule) -> list[str]:
    """The names of all attributes of a rule's class, as Bazel has them and in its order."""
    kind = rule.rule_class
    if kind.defined_at or not kind.is_known:
        base: tuple[str, ...] = (*_BASE, *_TEST) if kind.is_test else _BASE
        if kind.is_executable and not kind.is_test:
            base = (*base, *_EXECUTABLE)
    else:
        base = _table().get(kind.name, _BASE)
    own = [_bazel_name(kind, name) for name in (*kind.attributes, *rule.attributes)]
    known = set(own) | {"name", "generator_name", "generator_function", "generator_location"}
    return [n for n in dict.fromkeys((*base, *own)) if n in known or n in base]


def _bazel_name(kind: RuleClass, name: str) -> str:
    return f"${name[1:]}" if name.startswith("_") and kind.defined_at else name


def is_sorted(rule: Rule, attribute: str) -> bool:
    """Whether Bazel puts the list in order when it loads the rule."""
    kind = rule.rule_class
    return list_order.is_sorted(kind.name, not kind.defined_at, attribute)
