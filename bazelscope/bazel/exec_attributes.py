"""Attributes of native rules that are built for an execution platform.

What Bazel tells of its rules (`info build-language`) knows the host configuration only; which
attributes of 4.2.3 are for an execution platform is read from its sources: `CcToolchainRule`,
`GenRuleBaseRule`, `BazelJavaRuleClasses`, `JavaToolchainRule`, `JavaPackageConfigurationRule`,
`BazelProtoLibraryRule`, `ProtoLangToolchainRule`. Before, they were the host's, which is told.
"""

from __future__ import annotations

from bazelscope.bazel.release import Release

_CC_TOOLCHAIN = frozenset(
    {
        *("all_files", "ar_files", "as_files", "compiler_files"),
        *("compiler_files_without_includes", "coverage_files", "dwp_files", "linker_files"),
        *("objcopy_files", "strip_files"),
        *("$interface_library_builder", "$link_dynamic_library_tool", ":zipper"),
    }
)
_JAVA_RULE = frozenset({"plugins", "exported_plugins", ":java_plugins", "$launcher"})
_JAVA_TOOLCHAIN = frozenset(
    {
        *("genclass", "header_compiler", "header_compiler_direct", "ijar", "jacocorunner"),
        *("java_runtime", "javabuilder", "javac", "oneversion", "oneversion_whitelist"),
        *("package_configuration", "proguard_allowlister", "resourcejar", "singlejar"),
        *("timezone_data", "tools"),
    }
)
_BY_RULE: dict[str, frozenset[str]] = {
    "apple_cc_toolchain": _CC_TOOLCHAIN,
    "cc_toolchain": _CC_TOOLCHAIN,
    "java_binary": _JAVA_RULE,
    "java_library": _JAVA_RULE,
    "java_package_configuration": frozenset({"packages"}),
    "java_plugin": _JAVA_RULE,
    "java_test": _JAVA_RULE | {":lcov_merger"},
    "java_toolchain": _JAVA_TOOLCHAIN,
    "proto_lang_toolchain": frozenset({"plugin"}),
    "proto_library": frozenset({":proto_compiler"}),
}
_SINCE = Release.of("4.2.3")
"""The oldest table that lacks them."""


def is_for_execution(rule: str, attribute: str, table: Release) -> bool:
    """Whether an attribute of a native rule, in the table of some version, is one of these."""
    if (rule, attribute) == ("genrule", "exec_tools"):
        return True
    return table >= _SINCE and attribute in _BY_RULE.get(rule, ())
