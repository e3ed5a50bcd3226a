"""What native rules depend on once they were given something, although no file says so.

Bazel computes these defaults from other attributes of the rule; those that nothing moves are in
the tables of the rules. Measured with `query --output=xml` on each attribute of each native
rule in 0.24.1, 2.1.0 and 4.2.3. Bazel: `LateBoundDefault`, `ComputedDefault`.
"""

from __future__ import annotations

from collections.abc import Mapping

from bazelscope.base.label import MAIN_ROOT, Label, PackageId, parse_label
from bazelscope.bazel.attribute_types import RuleClass
from bazelscope.bazel.encoded_values import Encoded
from bazelscope.bazel.facts.fact import tables
from bazelscope.bazel.release import Release

_TEST_RUNNER = "@bazel_tools//tools/jdk:TestRunner"
_EXPERIMENTAL_TEST_RUNNER = "@bazel_tools//tools/jdk:ExperimentalTestRunner"

_KNOWN = tables("native_rules")


def configuration_field_label(fragment: str, name: str, release: Release) -> str | None:
    """What a query takes `configuration_field` for; None where that is not known."""
    if (fragment, name) == ("apple", "xcode_config_label") and not release.xcodes_of_cpp:
        return "@bazel_tools//tools/objc:host_xcodes"
    label = _KNOWN["configuration fields"].get(f"{fragment}.{name}")
    return None if label is None else label[0]


OPTIONS_OF_DEFAULTS: Mapping[Label, str] = {
    parse_label(text, MAIN_ROOT): option
    for text, (option,) in _KNOWN["options of defaults"].items()
}
"""The options that say what late-bound attributes hold, in the place of their defaults."""


LATE_BOUND: Mapping[str, str] = {
    attribute: option for attribute, (option,) in _KNOWN["options of late-bound attributes"].items()
}
"""The options whose labels private attributes hold, which have no default."""

_DEF_PARSER = "$def_parser"
_PARTS_OF_DEF_PARSER = ("@bazel_tools//third_party/def_parser", "@bazel_tools//tools/cpp")
"""What every rule of C++ needs does not need itself. Bazel: `BazelCppRuleClasses`."""


def from_other_attributes(
    package: PackageId, rule_class: RuleClass, attributes: Mapping[str, Encoded], release: Release
) -> tuple[tuple[str, Encoded], ...]:
    """The values of private attributes that Bazel computes from those that were set, and from
    where the rule is."""
    rule = rule_class.name
    if _DEF_PARSER in rule_class.attributes and str(package).startswith(_PARTS_OF_DEF_PARSER):
        return ((_DEF_PARSER, None),)
    if rule == "genrule":
        outs = attributes.get("outs")
        if attributes.get("executable") is True and type(outs) is tuple and len(outs) == 1:
            return (("$is_executable", True),)
    elif rule == "java_binary":
        defaults: list[tuple[str, Encoded]] = []
        if attributes.get("create_executable") is False:
            defaults.append(("$is_executable", False))
        if attributes.get("use_testrunner") is True:
            defaults += _test_runners(release)
        return tuple(defaults)
    elif rule == "java_test" and attributes.get("use_testrunner") is False:
        return tuple((name, None) for name, _ in _test_runners(release))
    return tuple(
        (private, label)
        for name, (private, label) in _KNOWN["defaults of attributes that are set"].items()
        if attributes.get(name) and private in rule_class.attributes
    )


def _test_runners(release: Release) -> list[tuple[str, Encoded]]:
    runners: list[tuple[str, Encoded]] = [("$testsupport", _TEST_RUNNER)]
    if release.experimental_test_runner:
        runners.append(("$experimental_testsupport", _EXPERIMENTAL_TEST_RUNNER))
    return runners
