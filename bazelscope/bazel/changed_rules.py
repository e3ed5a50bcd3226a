"""What went of native rules after the newest table, and what became of those that stayed.

Each row has the first release of which it is known; `later_rules` says where that is from. What
went is refused by name, where anything else that a table lacks may be newer than the table.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from bazelscope.bazel.attribute_types import AttributeDefinition, AttributeType
from bazelscope.bazel.facts.fact import Numbers
from bazelscope.bazel.release import Release

_CONSTRAINTS = ("constraint_setting", "constraint_value", "platform")
_JAVA = ("java_binary", "java_library", "java_plugin", "java_test")
_OF_PROTO = ("cc_proto_library", "java_lite_proto_library", "java_proto_library")
_PROFILES = ("fdo_prefetch_hints", "fdo_profile", "memprof_profile")

_GONE_RULES: tuple[tuple[Numbers, tuple[str, ...]], ...] = (
    (
        (7, 0, 0),
        (
            *("apple_binary", "apple_static_library", "cc_host_toolchain_alias"),
            *("cc_shared_library_permissions", "java_runtime_alias", "java_toolchain_alias"),
            *("ninja_build", "ninja_graph"),
        ),
    ),
    (
        (8, 0, 0),
        (
            *("android_device", "android_device_script_fixture", "android_host_service_fixture"),
            *("android_instrumentation_test", "j2objc_library"),
        ),
    ),
)

_GONE: tuple[tuple[Numbers, tuple[str, ...], frozenset[str]], ...] = (
    ((7, 0, 0), _CONSTRAINTS, frozenset({"applicable_licenses", "exec_compatible_with"})),
    ((7, 0, 0), ("constraint_setting", "constraint_value"), frozenset({"exec_properties"})),
    (
        (7, 0, 0),
        ("platform",),
        frozenset({"cpu_constraints", "host_platform", "os_constraints", "target_platform"}),
    ),
    ((7, 0, 0), ("toolchain",), frozenset({"exec_properties"})),
    ((7, 0, 0), ("genrule",), frozenset({"exec_tools"})),
    ((7, 0, 0), ("apple_cc_toolchain", "cc_toolchain"), frozenset({"compiler", "cpu"})),
    ((7, 0, 0), ("cc_shared_library",), frozenset({"preloaded_deps"})),
    ((7, 0, 0), ("java_lite_proto_library",), frozenset({"strict_deps"})),
    ((7, 0, 0), ("java_toolchain",), frozenset({"javac"})),
    ((7, 0, 0), ("objc_library",), frozenset({"runtime_deps"})),
    # Rules that are written in Starlark from 8 on.
    ((8, 0, 0), _JAVA, frozenset({"resource_jars"})),
    ((8, 0, 0), ("java_toolchain",), frozenset({"output_licenses", "resourcejar"})),
    ((8, 0, 0), ("java_proto_library",), frozenset({"strict_deps"})),
    ((8, 0, 0), _OF_PROTO, frozenset({"data"})),
    ((8, 0, 0), _PROFILES, frozenset({"absolute_path_profile"})),
    (
        (8, 0, 0),
        ("propeller_optimize",),
        frozenset({"absolute_cc_profile", "absolute_ld_profile"}),
    ),
    (
        (8, 0, 0),
        (
            *("cc_import", "cc_proto_library", "java_lite_proto_library"),
            *("java_package_configuration", "java_runtime", "objc_import", "objc_library"),
            *("propeller_optimize", "proto_lang_toolchain"),
            *_PROFILES,
        ),
        frozenset({"licenses"}),
    ),
    ((9, 2, 0), ("filegroup",), frozenset({"path"})),
)

_Change = Mapping[str, object]
"""Fields of an `AttributeDefinition`, with their new values."""

_FIXED: _Change = {"configurable": False}
_OPTIONAL: _Change = {"mandatory": False}
_ONE_LABEL: _Change = {"type": AttributeType.LABEL, "default": None}

_CHANGED: tuple[tuple[Numbers, tuple[str, ...], tuple[str, ...], _Change], ...] = (
    ((6, 0, 0), ("constraint_setting",), ("default_constraint_value",), _FIXED),
    ((6, 0, 0), ("constraint_value",), ("constraint_setting",), _FIXED),
    ((6, 0, 0), ("java_toolchain",), ("java_runtime",), {"mandatory": True, "default": None}),
    ((6, 0, 0), ("py_runtime",), ("stub_shebang",), {"default": "#!/usr/bin/env python3"}),
    ((7, 0, 0), ("android_binary",), ("multidex",), {"default": "native"}),
    ((7, 0, 0), ("android_sdk",), ("main_dex_list_creator",), _OPTIONAL),
    (
        (7, 0, 0),
        ("platform",),
        ("constraint_values", "exec_properties", "parents", "remote_execution_properties"),
        _FIXED,
    ),
    (
        (8, 0, 0),
        ("java_toolchain",),
        (
            *("deps_checker", "genclass", "header_compiler", "header_compiler_direct", "ijar"),
            *("javabuilder", "singlejar"),
        ),
        _ONE_LABEL,
    ),
)

_DISTRIBS: _Change = {"type": AttributeType.STRING_LIST, "default": ()}
"""What they are from 8 on: they mean nothing any more."""

_OLD_METADATA, _METADATA = "applicable_licenses", "package_metadata"


def gone_rules(release: Release) -> frozenset[str]:
    """The rules of some table that a release has no more."""
    rows = (rules for since, rules in _GONE_RULES if since <= release.numbers)
    return frozenset(rule for rules in rows for rule in rules)


def is_gone(rule: str, attribute: str, release: Release) -> bool:
    """Whether a rule had an attribute until some release, and lacks it in this one."""
    return any(
        since <= release.numbers and rule in rules and attribute in names
        for since, rules, names in _GONE
    )


def metadata_attribute(release: Release) -> str:
    """What `default_package_metadata` of `package()` sets of each rule. Bazel:
    `RuleClass.APPLICABLE_METADATA_ATTR`; rules may be given it by its old name ever since."""
    return _METADATA if release.metadata_is_of_package else _OLD_METADATA


def is_metadata(attribute: str) -> bool:
    """Whether an attribute is that one, by its old name or by the new."""
    return attribute in (_OLD_METADATA, _METADATA)


def changed(
    rule: str, attributes: Mapping[str, AttributeDefinition], release: Release
) -> dict[str, AttributeDefinition]:
    """The attributes of a rule as they are in a release that is newer than its table."""
    own = {
        name: definition
        for name, definition in attributes.items()
        if not is_gone(rule, name, release)
    }
    for since, rules, names, change in _CHANGED:
        if since <= release.numbers and rule in rules:
            own.update({name: _with(own[name], change) for name in names if name in own})
    if not release.metadata_is_of_package:
        return own
    if "distribs" in own:
        own["distribs"] = _with(own["distribs"], _DISTRIBS)
    renamed = (
        replace(definition, name=_METADATA) if name == _OLD_METADATA else definition
        for name, definition in own.items()
    )
    return {definition.name: definition for definition in renamed}


def _with(definition: AttributeDefinition, change: _Change) -> AttributeDefinition:
    return replace(definition, **change)  # type: ignore[arg-type]
