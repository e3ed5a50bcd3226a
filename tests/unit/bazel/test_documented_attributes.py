"""Our tables against the names of attributes that releases of Bazel document.

`documented_attributes.json`: of 6.0.0, 8.0.0 and 9.1.0, what build encyclopedias list; of
7.0.0, what `info build-language` lists. What every rule has stands there only where rules
differ in it. The encyclopedia of 8.0 says of rules in Starlark, too, that they have `distribs`.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bazelscope.bazel.rule_classes import NativeRules

DATA = Path(__file__).parent / "documented_attributes.json"
DOCUMENTED: dict[str, dict[str, str]] = json.loads(DATA.read_text(encoding="utf-8"))

NOT_DOCUMENTED = frozenset(
    {
        *("applicable_licenses", "aspect_hints", "distribs", "generator_function", "name"),
        *("generator_location", "generator_name", "heuristic_label_expansion"),
        *("output_licenses", "package_metadata", "path", "stamp", "transitive_configs"),
        *("allowed_toolchain_types", "check_toolchain_types", "missing_toolchain_error"),
    }
)
"""What rules have and some release does not document."""

OF_OLD_PLATFORMS = frozenset(
    {"cpu_constraints", "host_platform", "os_constraints", "target_platform"}
)
"""What 7.0 has no more, and 6.0 does not document."""

LISTED_WHOLE = frozenset(
    {
        *("alias", "config_setting", "constraint_setting", "constraint_value", "filegroup"),
        *("genquery", "genrule", "platform", "test_suite", "toolchain", "toolchain_type"),
    }
)
"""Rules in Java, of which all attributes stand there."""


@pytest.mark.parametrize("release", DOCUMENTED)
def test_tables_hold_what_is_documented(release: str) -> None:
    rules = NativeRules(release)
    lacking, more = {}, {}
    for rule, text in DOCUMENTED[release].items():
        documented = set(text.split())
        ours = {name for name in rules.get(rule).attributes if name[0] not in "$:_"}
        lacking[rule] = documented - ours
        if rule in LISTED_WHOLE:
            more[rule] = ours - documented - NOT_DOCUMENTED
    if release == "6.0.0":
        assert more.pop("platform") == OF_OLD_PLATFORMS
    assert {rule: names for rule, names in lacking.items() if names} == {}
    assert {rule: names for rule, names in more.items() if names} == {}


@pytest.mark.parametrize(
    ("release", "rule", "is_there"),
    [
        ("6.0.0", "j2objc_library", True),
        ("8.0.0", "j2objc_library", False),
        ("6.0.0", "ninja_graph", True),
        ("7.0.0", "ninja_graph", False),
        ("7.3.0", "cc_static_library", False),
        ("7.4.0", "cc_static_library", True),
    ],
)
def test_rules_come_and_go(release: str, rule: str, is_there: bool) -> None:
    assert (rule in NativeRules(release).names) is is_there


@pytest.mark.parametrize(
    ("release", "is_fixed", "default"), [("5.0.0", False, ""), ("8.0.0", True, "")]
)
def test_platforms_stopped_being_configurable(release: str, is_fixed: bool, default: str) -> None:
    properties = NativeRules(release).get("platform").attributes["remote_execution_properties"]
    assert (properties.configurable, properties.default) == (not is_fixed, default)
