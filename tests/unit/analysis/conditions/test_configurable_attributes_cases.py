"""What select() does in attributes: a case for each behaviour that Bazel 4.2.3's own
ConfigurableAttributesTest is about, in our words, decided by bazelscope from files.

Of its 56 tests, 54 have a case here and one a test of its own; WITHOUT names the other, with
the reason.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.api import Workspace
from bazelscope.base.label import PackageId, parse_label
from tests.unit.analysis.conditions.case_world import Case, Check

BAZELS_OWN_TESTS = 56

WITHOUT = {
    "computedDefaults": "a default that Java code computes, in a rule that only that test has",
}

CONDITIONS = """\
config_setting(name = "a", values = {"test_arg": "a"})
config_setting(name = "b", values = {"test_arg": "b"})
"""
DEFAULT = "//conditions:default"
NO_MATCH_TEXT = "error: Configurable attribute"


def case(name: str, says: str, build: str, *checks: tuple[str, str, object], **more: str) -> Case:
    """A case about targets of `//foo`, with the conditions a and b beside it."""
    files = {"cond/BUILD": CONDITIONS, "foo/BUILD": build}
    files.update({key.replace("__", "/"): text for key, text in more.items()})
    made = tuple(Check(flags, f"//foo:{what}", expected) for flags, what, expected in checks)
    return Case(name, says, files, made)


def hello(deps: str, rule: str = "filegroup", attribute: str = "srcs") -> str:
    return f'{rule}(name = "hello", {attribute} = {deps})\n'


WITH_DEFAULT = hello(
    'select({"//cond:a": [":adep"], "//cond:b": [":bdep"], "//conditions:default": [":other"]})'
)
WITHOUT_DEFAULT = hello('select({"//cond:a": [":adep"], "//cond:b": [":bdep"]})')
PRECISION = """\
config_setting(name = "one", values = {"compilation_mode": "opt"})
config_setting(name = "two", values = {"compilation_mode": "opt", "define": "foo=bar"})
config_setting(
    name = "three",
    values = {"compilation_mode": "opt", "define": "foo=bar", "test_arg": "baz"},
)
"""
FRUIT = """\
constraint_setting(name = "fruit")
constraint_value(name = "apple", constraint_setting = ":fruit")
constraint_value(name = "banana", constraint_setting = ":fruit")
platform(name = "apples", constraint_values = [":apple"])
platform(name = "bananas", constraint_values = [":banana"])
config_setting(name = "is_apple", constraint_values = [":apple"])
config_setting(name = "is_banana", constraint_values = [":banana"])
"""
RULES_BZL = """\
def _impl(ctx):
    return []

def _derived(value):
    return Label("//foo:%s" % value)

limited = rule(
    implementation = _impl,
    attrs = {"one_two": attr.string(values = ["one", "two"])},
)
with_output = rule(implementation = _impl, attrs = {"out": attr.output()})
with_bool = rule(implementation = _impl, attrs = {"flag": attr.bool()})
with_default = rule(
    implementation = _impl,
    attrs = {"dep": attr.label(default = "//foo:usual")},
)
derived = rule(
    implementation = _impl,
    attrs = {"value": attr.string(), "_derived": attr.label(default = _derived)},
)
"""


ENFORCED = "--incompatible_enforce_config_setting_visibility"
PRIVATE_BY_DEFAULT = f"{ENFORCED} --incompatible_config_setting_private_default_visibility"


def visible(
    name: str, says: str, visibility: str, flags: str = "", *, refused: bool = False
) -> Case:
    build = f'config_setting(name = "c", define_values = {{"foo": "1"}}{visibility})\n'
    text = hello('select({"//vis:c": ["on"], "//conditions:default": ["off"]})')
    error = "error: target '//vis:c' is not visible from target '//foo:hello'"
    checks = (
        (flags, "hello.srcs", error if refused else ["off"]),
        (f"{flags} --define=foo=1", "hello.srcs", error if refused else ["on"]),
    )
    return case(name, says, text, *checks, vis__BUILD=build)


CASES = [
    case(
        "basicConfigurability",
        "the branch whose condition holds is taken",
        WITH_DEFAULT,
        ("--test_arg=a", "hello.srcs", ["adep"]),
        ("--test_arg=b", "hello.srcs", ["bdep"]),
    ),
    case(
        "configurabilityDefaults",
        "where none holds, the default is",
        WITH_DEFAULT,
        ("--test_arg=something_random", "hello.srcs", ["other"]),
        ("", "hello.srcs", ["other"]),
    ),
    case(
        "depsWithDuplicatesInDifferentBranches",
        "two branches may name one label",
        hello('select({"//cond:a": [":adep", ":cdep"], "//cond:b": [":bdep", ":cdep"]})'),
        ("--test_arg=a", "hello.srcs", ["adep", "cdep"]),
    ),
    case(
        "depsWithDuplicatesInSameBranch",
        "one branch may not name a label twice",
        hello('select({"//cond:a": [":adep", ":cdep", ":adep"], "//cond:b": []})'),
        ("--test_arg=a", "hello.srcs", "error: //foo:adep"),
    ),
    case(
        "duplicatesAcrossMultipleSelects",
        "nor may two selects that are added up, whichever their branches",
        hello('select({"//cond:a": ["x"], "//cond:b": ["y"]}) + select({"//cond:b": ["x"]})'),
        ("--test_arg=a", "hello.srcs", "error: //foo:x"),
    ),
    case(
        "duplicatesInDifferentBranchesMultipleSelects",
        "branches of one of them may",
        hello(
            'select({"//cond:a": ["x"], "//cond:b": ["x"]})'
            ' + select({"//cond:a": ["y"], "//cond:b": ["y"]})'
        ),
        ("--test_arg=a", "hello.srcs", ["x", "y"]),
    ),
    case(
        "duplicatesInSameBranchMultipleSelects",
        "a branch with a label twice is no better for another select beside it",
        hello(
            'select({"//cond:a": ["x", "x"], "//cond:b": ["y"]})'
            ' + select({"//cond:a": ["v"], "//cond:b": ["w"]})'
        ),
        ("--test_arg=a", "hello.srcs", "error: //foo:x"),
    ),
    case(
        "outputTypeNotConfigurable",
        "an output cannot be a select",
        'load("//:rules.bzl", "with_output")\n'
        + hello('select({"//cond:a": "a.out"})', "with_output", "out"),
        ("", "hello.out", 'error: attribute "out" is not configurable'),
        **{"rules.bzl": RULES_BZL},
    ),
    case(
        "outputListTypeNotConfigurable",
        "a list of outputs neither",
        'genrule(name = "hello", cmd = "", outs = select({"//cond:a": ["a.out"]}))\n',
        ("", "hello.outs", 'error: attribute "outs" is not configurable'),
    ),
    *(
        case(
            f"configKeyTypeChecking_{name}",
            f"a key that is {shown} is an error",
            hello(f'select({{{key}: ["x"]}})'),
            ("", "hello.srcs", f"error: got {shown} for dict key"),
        )
        for name, key, shown in (
            ("Int", "123", "int"),
            ("Bool", "True", "bool"),
            ("None", "None", "NoneType"),
        )
    ),
    case(
        "selectWithoutConditionsMakesNoSense",
        "a select without branches is an error",
        'genrule(name = "hello", outs = ["o"], cmd = select({}))\n',
        ("", "hello.cmd", "error: select({}) with an empty dictionary can never resolve"),
    ),
    case(
        "missingConfigKey",
        "a key must exist",
        hello('select({"//cond:a": ["x"], "//cond:gone": ["y"]})'),
        ("--test_arg=a", "hello.srcs", "error: gone"),
    ),
    case(
        "invalidConfigKey",
        "and be a condition",
        hello('select({"//cond:a": ["x"], ":no_setting": ["y"]})')
        + 'genrule(name = "no_setting", outs = ["o"], cmd = "")\n',
        ("--test_arg=a", "hello.srcs", "error: //foo:no_setting is not a valid select() condition"),
    ),
    case(
        "configKeyNonexistentTarget",
        "a key of one's own package that nothing declares is no condition",
        'genrule(name = "hello", outs = ["o"], cmd = select({":fake": ""}))\n',
        ("", "hello.cmd", "error: fake"),
    ),
    case(
        "configKeyNonexistentTarget_otherPackage",
        "nor is one of another package, beside a key that exists",
        'genrule(name = "hello", outs = ["o"], cmd = select({"//bar:fake": "", "//cond:a": ""}))\n',
        ("", "hello.cmd", "error: no such target"),
        bar__BUILD="",
    ),
    case(
        "multiConditionConfigKeys",
        "a condition of several entries holds if all do",
        hello('select({":both": ["x"], "//cond:b": ["y"], "//conditions:default": ["z"]})')
        + 'config_setting(name = "both",'
        ' values = {"test_arg": "a", "compilation_mode": "dbg"})\n',
        ("--test_arg=a", "hello.srcs", ["z"]),
        ("--test_arg=a --compilation_mode=dbg", "hello.srcs", ["x"]),
    ),
    case(
        "multipleMatches",
        "two that hold and neither of which is more specific are an error",
        'config_setting(name = "one", values = {"compilation_mode": "opt"})\n'
        'config_setting(name = "two", values = {"define": "foo=bar"})\n'
        + hello('select({":one": ["x"], ":two": ["y"], "//conditions:default": ["z"]})'),
        ("-c opt --define foo=bar", "hello.srcs", "error: //foo:hello:\n//foo:one\n//foo:two\n"),
    ),
    case(
        "multipleMatchesConditionAndSubcondition",
        "of a chain the most specific is taken",
        PRECISION + hello('select({":one": ["1"], ":two": ["2"], ":three": ["3"]})'),
        ("-c opt --define foo=bar --test_arg baz", "hello.srcs", ["3"]),
        ("-c opt --define foo=bar", "hello.srcs", ["2"]),
        ("-c opt", "hello.srcs", ["1"]),
    ),
    case(
        "multipleMatchesUnambiguous",
        "one that is more specific than each of the others is taken",
        'config_setting(name = "a", values = {"define": "a=1"})\n'
        'config_setting(name = "b", values = {"compilation_mode": "opt"})\n'
        'config_setting(name = "c", values = {"test_arg": "baz"})\n'
        'config_setting(name = "b_a_c", values = {"define": "a=1", "test_arg": "baz",'
        ' "compilation_mode": "opt"})\n'
        + hello('select({":a": ["1"], ":b": ["2"], ":c": ["3"], ":b_a_c": ["all"]})'),
        ("--define a=1 -c opt --test_arg baz", "hello.srcs", ["all"]),
    ),
    case(
        "noDefaultCondition",
        "a default is needed only where nothing else holds",
        WITHOUT_DEFAULT,
        ("--test_arg=a", "hello.srcs", ["adep"]),
        ("", "hello.srcs", NO_MATCH_TEXT),
    ),
    case(
        "noMatchCustomErrorMessage",
        "a select may say what is to be done then",
        hello('select({"//cond:a": ["x"]})')
        + 'filegroup(name = "custom", srcs = select({"//cond:a": ["x"]},'
        ' no_match_error = "choose a!"))\n',
        ("", "hello.srcs", NO_MATCH_TEXT),
        ("", "custom.srcs", "error: choose a!"),
    ),
    case(
        "nativeTypeConcatenatedWithSelect",
        "a list before a select stays before it",
        hello('[":always"] + select({"//cond:a": [":x"], "//cond:b": [":y"]})'),
        ("--test_arg=b", "hello.srcs", ["always", "y"]),
    ),
    case(
        "selectConcatenatedWithNativeType",
        "a list behind it behind",
        hello('select({"//cond:a": [":x"], "//cond:b": [":y"]}) + [":always"]'),
        ("--test_arg=b", "hello.srcs", ["y", "always"]),
    ),
    case(
        "selectConcatenatedWithSelect",
        "two selects are chosen each for itself and joined",
        hello(
            'select({"//cond:a": [":x"], "//cond:b": [":y"]})'
            ' + select({"//cond:a": [":x2"], "//cond:b": [":y2"]})'
        ),
        ("--test_arg=b", "hello.srcs", ["y", "y2"]),
    ),
    case(
        "selectConcatenatedWithNonSupportingType",
        "booleans cannot be joined",
        'load("//:rules.bzl", "with_bool")\n'
        + hello('0 + select({"//cond:a": 0, "//cond:b": 1})', "with_bool", "flag"),
        ("", "hello.flag", "error: type 'boolean' doesn't support select concatenation"),
        **{"rules.bzl": RULES_BZL},
    ),
    case(
        "concatenationWithDifferentTypes",
        "a list and a string neither",
        hello('select({"//cond:a": ["x"]}) + "always"'),
        ("", "hello.srcs", "error: '+' operator applied to incompatible types"),
    ),
    case(
        "selectsWithGlobs",
        "a glob is a list beside a select",
        hello('glob(["globbed/*.txt"]) + select({"//cond:a": ["x"], "//cond:b": ["y"]})'),
        ("--test_arg=b", "hello.srcs", ["globbed/one.txt", "y"]),
        **{"foo/globbed/one.txt": ""},
    ),
    case(
        "selectsWithGlobsWrongType",
        "and cannot be joined to a string",
        'genrule(name = "hello", outs = ["o"],'
        ' cmd = "echo" + select({"//cond:a": "a"}) + glob(["x"]))\n',
        ("", "hello.cmd", "error: '+' operator applied to incompatible types"),
    ),
    case(
        "globsInSelect",
        "a glob may be a branch",
        hello('["x"] + select({"//cond:a": glob(["globbed/*.txt"]), "//cond:b": ["y"]})'),
        ("--test_arg=a", "hello.srcs", ["x", "globbed/one.txt"]),
        **{"foo/globbed/one.txt": ""},
    ),
    *(
        case(
            name,
            "a value of several that are allowed may come from a select",
            'load("//:rules.bzl", "limited")\n' + hello(value, "limited", "one_two"),
            ("", "hello.one_two", "one"),
            **{"rules.bzl": RULES_BZL},
        )
        for name, value in (
            ("selectAcceptedInAttributeWithAllowedValues", f'select({{"{DEFAULT}": "one"}})'),
            ("selectConcatenationWithAllowedValues", f'"on" + select({{"{DEFAULT}": "e"}})'),
        )
    ),
    case(
        "computedDefaultAttributesCanReferenceConfigurableAttributes",
        "a default that a Starlark function computes may use a select's value",
        'load("//:rules.bzl", "derived")\n'
        + hello(f'select({{"{DEFAULT}": "base"}})', "derived", "value")
        + 'filegroup(name = "base")\n',
        ("", "hello.value", "base"),
        **{"rules.bzl": RULES_BZL},
    ),
    case(
        "selectableDefaultValueWithTypeDefault",
        "None as a branch is the type's default",
        hello('select({"//cond:a": None})'),
        ("--test_arg=a", "hello.srcs", []),
    ),
    case(
        "selectableDefaultValueWithRuleDefault",
        "or the rule's own default",
        'load("//:rules.bzl", "with_default")\nfilegroup(name = "usual")\n'
        + hello('select({"//cond:a": None})', "with_default", "dep"),
        ("--test_arg=a", "hello.dep", "//foo:usual"),
        **{"rules.bzl": RULES_BZL},
    ),
    case(
        "noneValuesWithMultipleSelectsMixedValues",
        "a select whose first branch is None cannot be joined to one of strings",
        'genrule(name = "hello", outs = ["o"], cmd = "", message ='
        ' select({"//cond:a": "one", "//cond:b": None})'
        ' + select({"//cond:a": None, "//cond:b": "two"}))\n',
        ("--test_arg=a", "hello.message", "error: '+' operator applied to incompatible types"),
    ),
    case(
        "emptySelectCannotBeConcatenated",
        "a select without branches is an error in a sum, too",
        'genrule(name = "hello", outs = ["o"], cmd = select({}) + " always")\n',
        ("", "hello.cmd", "error: select({}) with an empty dictionary can never resolve"),
    ),
    case(
        "selectOnConstraints",
        "a condition may ask for constraint values of the platform",
        FRUIT
        + hello('select({":is_apple": ["a"], ":is_banana": ["b"], "//conditions:default": []})'),
        ("--platforms=//foo:apples", "hello.srcs", ["a"]),
        ("--platforms=//foo:bananas", "hello.srcs", ["b"]),
        ("", "hello.srcs", []),
    ),
    case(
        "selectDirectlyOnConstraints",
        "a constraint value may be a key itself",
        FRUIT + hello('select({":apple": ["a"], ":banana": ["b"]})'),
        ("--platforms=//foo:apples", "hello.srcs", ["a"]),
        ("--platforms=//foo:bananas", "hello.srcs", ["b"]),
    ),
    case(
        "multipleMatchErrorWhenAliasResolvesToSameSetting",
        "a setting and its alias are two keys, and where neither holds nothing is taken",
        'config_setting(name = "c", define_values = {"foo": "1"})\n'
        'alias(name = "alias_to_c", actual = ":c")\n'
        + hello('select({":c": ["x"], "alias_to_c": ["y"]})'),
        ("", "hello.srcs", NO_MATCH_TEXT),
        ("--define=foo=1", "hello.srcs", "error: //foo:hello:\n//foo:c\n//foo:alias_to_c\n"),
    ),
    visible(
        "defaultVisibilityConfigSetting_noVisibilityEnforcement",
        "a condition that nobody made visible may be a key",
        "",
    ),
    visible(
        "privateVisibilityConfigSetting_noVisibilityEnforcement",
        "even a private one",
        ', visibility = ["//visibility:private"]',
    ),
    visible(
        "publicVisibilityConfigSetting__noVisibilityEnforcement",
        "and a public one",
        ', visibility = ["//visibility:public"]',
    ),
    visible(
        "defaultVisibilityConfigSetting_defaultIsPublic",
        "where visibility counts, a condition is public unless it says otherwise",
        "",
        ENFORCED,
    ),
    visible(
        "privateVisibilityConfigSetting_defaultIsPublic",
        "a private one cannot be a key then",
        ', visibility = ["//visibility:private"]',
        ENFORCED,
        refused=True,
    ),
    visible(
        "publicVisibilityConfigSetting_defaultIsPublic",
        "public because it says so",
        ', visibility = ["//visibility:public"]',
        ENFORCED,
    ),
    visible(
        "defaultVisibilityConfigSetting_defaultIsPrivate",
        "under one more flag its package's default counts, as for any rule",
        "",
        PRIVATE_BY_DEFAULT,
        refused=True,
    ),
    visible(
        "privateVisibilityConfigSetting_defaultIsPrivate",
        "private is private there, too",
        ', visibility = ["//visibility:private"]',
        PRIVATE_BY_DEFAULT,
        refused=True,
    ),
    visible(
        "publicVisibilityConfigSetting_defaultIsPrivate",
        "and public is public",
        ', visibility = ["//visibility:public"]',
        PRIVATE_BY_DEFAULT,
    ),
    case(
        "nonToolchainResolvingTargetsCantSelectDirectlyOnConstraints",
        "a rule that takes no part in toolchain resolution, like alias, has no such keys",
        FRUIT + 'filegroup(name = "a")\n' + hello('select({":apple": ":a"})', "alias", "actual"),
        (
            "--platforms=//foo:apples",
            "hello.actual",
            "error: //foo:apple is not a valid",
        ),
    ),
    case(
        "selectWithNonAllowedValueCausesError",
        "a branch that is none of the allowed values is an error, taken or not",
        'load("//:rules.bzl", "limited")\n'
        + hello(
            'select({"//cond:a": "three", "//conditions:default": "one"})', "limited", "one_two"
        ),
        ("", "hello.one_two", "error: has to be one of 'one' or 'two' instead of 'three'"),
        **{"rules.bzl": RULES_BZL},
    ),
    case(
        "selectWithMultipleNonAllowedValuesCausesMultipleErrors",
        "and each such branch is one",
        'load("//:rules.bzl", "limited")\n'
        + hello(
            'select({"//cond:a": "three", "//conditions:default": "four"})', "limited", "one_two"
        ),
        ("", "hello.one_two", "error: instead of 'three'"),
        ("", "hello.one_two", "error: instead of 'four'"),
        **{"rules.bzl": RULES_BZL},
    ),
    case(
        "selectConcatenationWithNonAllowedValues",
        "of a sum the whole is looked at",
        'load("//:rules.bzl", "limited")\n'
        + hello(f'"on" + select({{"{DEFAULT}": "o"}})', "limited", "one_two"),
        ("", "hello.one_two", "error: has to be one of 'one' or 'two' instead of 'ono'"),
        **{"rules.bzl": RULES_BZL},
    ),
]


@pytest.mark.parametrize("one", CASES, ids=lambda one: one.name)
def test_case(one: Case, tmp_path: Path) -> None:
    one.run(tmp_path)


def test_config_key_invalidation(tmp_path: Path) -> None:
    """configKeyInvalidation: a condition that changes is seen, kept packages or not."""
    root, cache = tmp_path / "w", tmp_path / "cache"
    root.mkdir()
    (root / "WORKSPACE").write_text("")
    for wanted, expected in (("a", "yes"), ("b", "no"), ("a", "yes")):
        (root / "BUILD").write_text(
            f'config_setting(name = "c", values = {{"test_arg": "{wanted}"}})\n'
            f'filegroup(name = "f", srcs = select({{":c": ["yes"], "{DEFAULT}": ["no"]}}))\n'
        )
        asked = Workspace.open(root, bazel_version="4.2.3", cache_dir=cache)
        graph = asked.configure(["--test_arg=a"]).world.configured
        top = graph.top(parse_label("//:f", PackageId("", "")))
        taken = [edge.target.label.name for edge in graph.taken(top)]
        assert taken == [expected, "c"], wanted


def test_every_test_of_bazels_has_a_case_or_a_reason() -> None:
    names = [one.name for one in CASES]
    assert len(set(names)) == len(names)
    assert not {*names, "configKeyInvalidation"} & set(WITHOUT)
    assert (len(names), len(WITHOUT)) == (54, BAZELS_OWN_TESTS - 55)
