"""A workspace with each native rule: with nothing but what is mandatory, and again with each
attribute that a BUILD file may set."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from bazelscope.bazel.attribute_types import AttributeDefinition, AttributeType
from bazelscope.bazel.rule_classes import NativeRules

REPOSITORY_RULES = frozenset(
    {
        *("android_ndk_repository", "android_sdk_repository", "bind", "local_config_platform"),
        *("local_repository", "maven_jar", "maven_server", "new_local_repository"),
    }
)
"""Rules that only WORKSPACE files may call."""

_DEBIANS_LACKS = ("aar_import", "android_")
"""Bazel 4.2.3 has these, but Debian's was built without them."""

_FILLERS: dict[AttributeType, object] = {
    AttributeType.BOOLEAN: True,
    AttributeType.DISTRIBUTION_SET: ["web", "client"],
    AttributeType.INTEGER: 1,
    AttributeType.INTEGER_LIST: [3, 1, 2],
    AttributeType.LABEL: "//m:one.x",
    AttributeType.LABEL_DICT_UNARY: {"z": "//m:z", "a": "//a:m"},
    AttributeType.LABEL_KEYED_STRING_DICT: {"//m:z": "z", "//a:m": "a"},
    AttributeType.LABEL_LIST: ["//m:z", "//a:m", "//m:a", "//a-b:c", "@x//y"],
    AttributeType.LICENSE: ["notice", "reciprocal"],
    AttributeType.OUTPUT: "out.z",
    AttributeType.OUTPUT_LIST: ["out.m", "out.a"],
    AttributeType.STRING: "x",
    AttributeType.STRING_DICT: {"z": "1", "a": "2"},
    AttributeType.STRING_LIST: ["m", "z", "a", "B"],
    AttributeType.STRING_LIST_DICT: {"z": ["2", "1"], "a": []},
    AttributeType.TRISTATE: 1,
}
_CHECKED: dict[str, object] = {"size": "small", "timeout": "long", "values": {"cpu": "x"}}
"""Values that Bazel checks while it loads."""

_MADE_UP = frozenset({"generator_function", "generator_location", "generator_name", "name"})
"""What Bazel fills in itself. Set by hand, 4.2.3 sets the others to empty texts."""

_ALWAYS: dict[tuple[str, str], object] = {
    ("config_setting", "values"): {"cpu": "x"},
    ("java_import", "jars"): ["z.jar", "a.jar"],
}
"""What is not said to be mandatory, or takes files of its own package."""


def write(root: Path, bazel_version: str) -> None:
    """Writes the workspace: each rule in a package of its own, which bears its errors alone."""
    rules = NativeRules(bazel_version)
    root.mkdir(parents=True)
    (root / "WORKSPACE").touch()
    for rule in sorted(rules.names - REPOSITORY_RULES):
        if bazel_version == "4.2.3" and rule.startswith(_DEBIANS_LACKS):
            continue
        suffix = "_test" if rule.endswith("_test") else ""
        for asked, given in _calls(rule, rules.get(rule).attributes):
            package = root / rule / asked
            package.mkdir(parents=True)
            words = "".join(f", {key} = {value!r}" for key, value in given.items())
            (package / "BUILD").write_text(f'{rule}(name = "rule{suffix}"{words})\n')


def _calls(
    rule: str, attributes: Mapping[str, AttributeDefinition]
) -> Iterator[tuple[str, dict[str, object]]]:
    values = {
        name: _ALWAYS.get((rule, name), _CHECKED.get(name, _FILLERS[definition.type]))
        for name, definition in attributes.items()
        if name not in _MADE_UP and not definition.is_implicit
    }
    needed = {
        name: value
        for name, value in values.items()
        if attributes[name].mandatory or (rule, name) in _ALWAYS
    }
    yield "PLAIN", needed
    for name, value in values.items():
        yield name, {**needed, name: value}
