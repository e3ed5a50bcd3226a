"""What native rules depend on although no file says so, and `info build-language` keeps quiet.

Bazel computes these defaults: from the configuration (`:x`; a query takes what Bazel names as
the default of the default), from other attributes of the rule, or they are the private
attributes of aspects that an attribute carries. Measured with `query --output=xml` on one rule
of each native class in 0.24.1, 2.1.0 and 4.2.3. Bazel: `LateBoundDefault`, `ComputedDefault`,
`AspectDefinition`.
"""

from __future__ import annotations

from collections.abc import Mapping

from bazelscope.loading.encoding import Encoded

Version = tuple[int, int, int]

_CC_TOOLCHAIN = "@bazel_tools//tools/cpp:toolchain"
_TEST_RUNNER = "@bazel_tools//tools/jdk:TestRunner"
_EXPERIMENTAL_TEST_RUNNER = "@bazel_tools//tools/jdk:ExperimentalTestRunner"

_DEFAULTS: Mapping[str, str | bool] = {
    "$def_parser": "@bazel_tools//tools/def_parser:def_parser",
    "$tools_repository": "@bazel_tools",
    ":android_sdk": "@bazel_tools//tools/android:sdk",
    ":cc_toolchain": _CC_TOOLCHAIN,
    ":coverage_report_generator": "@bazel_tools//tools/test:coverage_report_generator",
    ":coverage_support": "@bazel_tools//tools/test:coverage_support",
    ":header_scanner": "@bazel_tools//tools/objc:header_scanner",
    ":proto_compiler": "@com_google_protobuf//:protoc",
    ":xcode_config": "@bazel_tools//tools/objc:host_xcodes",
}
"""By attribute, whatever the rule."""

_DEFAULTS_OF_RULES: Mapping[tuple[str, str], str | bool] = {
    ("cc_host_toolchain_alias", ":alias"): _CC_TOOLCHAIN,
    ("cc_toolchain_alias", ":alias"): _CC_TOOLCHAIN,
    ("java_binary", "$is_executable"): True,
    ("java_runtime_alias", ":alias"): "@bazel_tools//tools/jdk:jdk",
    ("java_test", "$experimental_testsupport"): _EXPERIMENTAL_TEST_RUNNER,
    ("java_test", "$testsupport"): _TEST_RUNNER,
    ("java_toolchain_alias", ":alias"): "@bazel_tools//tools/jdk:toolchain",
}

_J2OBJC = (
    "@bazel_tools//third_party/java/j2objc:jre_core_lib",
    "@bazel_tools//third_party/java/j2objc:jre_emul.jar",
    "@bazel_tools//tools/j2objc:j2objc_deploy.jar",
    "@bazel_tools//tools/j2objc:j2objc_header_map",
    "@bazel_tools//tools/j2objc:j2objc_proto_toolchain",
    "@bazel_tools//tools/j2objc:j2objc_wrapper",
    "@bazel_tools//tools/zip:zipper",
)
_ASPECTS: Mapping[str, tuple[str, ...]] = {
    "cc_proto_library": ("@com_google_protobuf//:cc_toolchain", _CC_TOOLCHAIN),
    "j2objc_library": _J2OBJC,
    "java_proto_library": (
        "@bazel_tools//tools/jdk:current_java_toolchain",
        "@com_google_protobuf//:java_toolchain",
    ),
}
_ASPECTS_SINCE: Mapping[str, tuple[tuple[Version, str], ...]] = {
    "j2objc_library": (
        ((1, 0, 0), "@bazel_tools//third_party/java/j2objc:jre_emul_module"),
        ((1, 0, 0), "@bazel_tools//tools/cpp:grep-includes"),
    ),
}
_ASPECTS_UNTIL: Mapping[str, tuple[tuple[Version, str], ...]] = {
    "java_proto_library": (((4, 0, 0), "@bazel_tools//tools/jdk:current_host_java_runtime"),),
}

# The labels that `configuration_field(FRAGMENT, NAME)` stands for in a query.
_CONFIGURATION_FIELDS: Mapping[tuple[str, str], str] = {
    ("apple", "xcode_config_label"): "@bazel_tools//tools/objc:host_xcodes",
    ("coverage", "output_generator"): "@bazel_tools//tools/test:lcov_merger",
    ("cpp", "cc_toolchain"): "@bazel_tools//tools/cpp:crosstool",
    ("proto", "proto_compiler"): "@com_google_protobuf//:protoc",
}


def computed_default(rule: str, attribute: str, version: Version) -> str | bool | None:
    """The default that Bazel computes for an attribute of a native rule; None if it does not."""
    if attribute == ":aspect_proto_toolchain_for_javalite":
        repository = "com_google_protobuf" + ("" if version >= (4, 0, 0) else "_javalite")
        return f"@{repository}//:javalite_toolchain"
    found = _DEFAULTS_OF_RULES.get((rule, attribute))
    return _DEFAULTS.get(attribute) if found is None else found


def aspect_labels(rule: str, version: Version) -> tuple[str, ...]:
    """The targets that the aspects of a native rule's attributes bring along."""
    found = list(_ASPECTS.get(rule, ()))
    found += [label for since, label in _ASPECTS_SINCE.get(rule, ()) if version >= since]
    found += [label for until, label in _ASPECTS_UNTIL.get(rule, ()) if version < until]
    return tuple(found)


def configuration_field_label(fragment: str, name: str) -> str | None:
    """What a query takes `configuration_field` for; None where that is not known."""
    return _CONFIGURATION_FIELDS.get((fragment, name))


def from_other_attributes(
    rule: str, attributes: Mapping[str, Encoded], version: Version
) -> tuple[tuple[str, Encoded], ...]:
    """The values of private attributes that Bazel computes from those that were set."""
    if rule == "genrule":
        outs = attributes.get("outs")
        if attributes.get("executable") is True and type(outs) is tuple and len(outs) == 1:
            return (("$is_executable", True),)
    elif rule == "java_binary":
        found: list[tuple[str, Encoded]] = []
        if attributes.get("create_executable") is False:
            found.append(("$is_executable", False))
        if attributes.get("use_testrunner") is True:
            found += _test_runners(version)
        return tuple(found)
    elif rule == "java_test" and attributes.get("use_testrunner") is False:
        return tuple((name, None) for name, _ in _test_runners(version))
    return ()


def _test_runners(version: Version) -> list[tuple[str, Encoded]]:
    found: list[tuple[str, Encoded]] = [("$testsupport", _TEST_RUNNER)]
    if version < (1, 0, 0):
        found.append(("$experimental_testsupport", _EXPERIMENTAL_TEST_RUNNER))
    return found
