"""Which list attributes Bazel keeps sorted, because their order means nothing.

Bazel: `Attribute.Builder.orderIndependent`. Measured in 4.2.3 on every native rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

_JAVA = frozenset({"java_binary", "java_library", "java_plugin", "java_test"})
_SORTED: Mapping[str, frozenset[str]] = {
    "additional_linker_inputs": frozenset({"cc_binary", "cc_test"}),
    "allowed_values": frozenset({"config_feature_flag"}),
    "constraints": frozenset({"java_import"}),
    "hdrs": frozenset({"cc_import", "cc_library"}),
    "resource_jars": _JAVA,
    "resources": _JAVA,
    "srcs": _JAVA,
    "tests": frozenset({"test_suite"}),
    "textual_hdrs": frozenset({"cc_library"}),
}
_SORTED_EVERYWHERE = frozenset({"features", "tags", "visibility"})
_TAGS_AS_WRITTEN = frozenset(
    {
        "config_feature_flag",
        "config_setting",
        "constraint_setting",
        "constraint_value",
        "environment",
        "platform",
        "toolchain",
    }
)


def is_sorted(rule: str, is_native: bool, attribute: str) -> bool:
    """Whether Bazel puts the list in order when it loads the rule."""
    if attribute in _SORTED_EVERYWHERE:
        return attribute != "tags" or not (is_native and rule in _TAGS_AS_WRITTEN)
    return is_native and rule in _SORTED.get(attribute, ())


def sorted_attributes(rule: str, is_native: bool, attributes: Iterable[str]) -> tuple[str, ...]:
    """Those of a rule's attributes that are kept sorted."""
    return tuple(name for name in attributes if is_sorted(rule, is_native, name))
