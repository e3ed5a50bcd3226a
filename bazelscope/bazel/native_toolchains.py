"""The toolchain types that Bazel's own rules ask for, and what Bazel itself registers for them.

Only a graph with implicit dependencies shows them: they are met on every machine, so that
nothing else about a rule hangs on them. Measured with 2.1.0 and 4.2.3; older Bazels show them
otherwise, and are left alone.
Bazel: `CcToolchainRequiringRule`, `PyBinaryBaseRule`, `cc_configure.bzl`, `python.WORKSPACE`.
"""

from __future__ import annotations

from bazelscope.base.label import Label
from bazelscope.bazel.attribute_types import RuleClass, ToolchainRequirement
from bazelscope.bazel.release import Release

REGISTERED_BY_BAZEL = (
    "@local_config_cc_toolchains//:all",
    "@bazel_tools//tools/python:autodetecting_toolchain",
)
"""The patterns that the end of every WORKSPACE registers, for these types."""

FOR_JAVA_BY_BAZEL = (
    Label("bazel_tools", "tools/jdk", "dummy_java_toolchain"),
    Label("bazel_tools", "tools/jdk", "dummy_java_runtime_toolchain"),
)
"""What stands for Java's toolchains until 5, where options name them. Bazel: `jdk.WORKSPACE`."""

RULE_SETS_WITHOUT_CC = frozenset(
    {
        *("rules_go", "io_bazel_rules_go", "gazelle", "bazel_gazelle", "rules_rust", "rules_rs"),
        *("rules_python", "rules_java", "rules_jvm_external", "rules_kotlin"),
        *("io_bazel_rules_kotlin", "rules_scala", "io_bazel_rules_scala", "rules_nodejs"),
        *("build_bazel_rules_nodejs", "aspect_rules_js", "aspect_rules_ts", "aspect_bazel_lib"),
        *("bazel_lib", "rules_ruby", "rules_shell", "rules_proto", "protobuf", "rules_pkg"),
        *("com_google_protobuf", "com_github_grpc_grpc", "rules_docker", "io_bazel_rules_docker"),
        *("rules_oci", "rules_license", "bazel_skylib", "buildifier_prebuilt", "rules_perl"),
        *("rules_d", "rules_dotnet", "rules_closure", "io_bazel_rules_closure", "rules_buf"),
        *("rules_android", "build_bazel_rules_android"),
    }
)
"""Repositories, by the names of modules and those usual in WORKSPACE, whose documentation has
toolchains of their own languages and tools, and none for C++."""

_TYPE_ATTRIBUTES = ("$cc_toolchain_type", "$py_toolchain_type")
CC_TYPE = Label("bazel_tools", "tools/cpp", "toolchain_type")
# They name the type, to tell it to others.
_NAME_ONLY = frozenset({"apple_cc_toolchain", "cc_toolchain", "cc_toolchain_suite"})
# They ask for it, and do not name it in an attribute (4.2.3).
_NAMELESS = frozenset({"java_library", "java_plugin", "objc_import"})
# Since 3.0 the toolchains of these have the configuration of the rule: a rule class takes that
# from the last of its ancestors, so that most which are meant to have it have not (4.2.3).
_WITH_TRANSITION = _NAMELESS | {
    *("android_binary", "android_library", "android_local_test", "apple_binary"),
    *("apple_static_library", "cc_import", "j2objc_library", "java_binary"),
    *("java_test", "objc_library"),
}


def native_requirements(
    rule_class: RuleClass, release: Release
) -> tuple[ToolchainRequirement, ...]:
    """The toolchain types of a native rule class; none of a class of Starlark."""
    name = rule_class.name
    is_native = rule_class.is_known and not rule_class.defined_at
    if not is_native or name in _NAME_ONLY or not release.native_toolchain_types:
        return ()
    types: list[Label] = []
    for attribute in _TYPE_ATTRIBUTES:
        definition = rule_class.attributes.get(attribute)
        if definition is not None and isinstance(definition.default, Label):
            types.append(definition.default)
    if name in _NAMELESS and release.toolchain_transition:
        types.append(CC_TYPE)
    return tuple(ToolchainRequirement(label) for label in types)


def keeps_configuration(rule_class: RuleClass, release: Release) -> bool:
    """Whether the toolchains of a rule class have the configuration of the rule; if not, they
    are built for the host. Bazel: `RuleClass.useToolchainTransition`."""
    if release.toolchains_keep_configuration:
        return True
    if rule_class.defined_at:
        return rule_class.keeps_toolchains
    return release.toolchain_transition and rule_class.name in _WITH_TRANSITION
