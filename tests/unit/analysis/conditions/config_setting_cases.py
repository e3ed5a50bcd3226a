"""The cases of test_config_setting_cases.py: what a config_setting matches, one behaviour each.

The names are those of the tests in Bazel's ConfigSettingTest; the words and files are ours.
"""

from __future__ import annotations

from tests.unit.analysis.conditions.case_world import MATCH, NO_MATCH, Case, Check

LOAD = 'load("//:flags.bzl", "bool_flag", "int_flag", "list_flag", "plain", "string_flag")\n'


def setting(name: str = "c", **entries: object) -> str:
    text = "".join(f", {key} = {value!r}" for key, value in entries.items())
    return f'config_setting(name = "{name}"{text})\n'


def feature(name: str, values: list[str], default: str) -> str:
    return (
        f'config_feature_flag(name = "{name}", allowed_values = {values!r},'
        f' default_value = "{default}")\n'
    )


def case(name: str, says: str, build: str, *checks: tuple[str, object]) -> Case:
    """A case about `//test:c` in one package."""
    made = tuple(Check(flags, "//test:c", expected) for flags, expected in checks)
    return Case(name, says, {"test/BUILD": LOAD + build}, made)


def refinement(name: str, says: str, one: str, other: str, winner: str | None) -> Case:
    """Both settings hold; `winner` is the branch that a select() between them takes."""
    build = one + other + feature("f1", ["right", "wrong"], "right")
    build += feature("f2", ["good", "bad"], "good")
    build += 'filegroup(name = "g", srcs = select({":one": ["one"], ":other": ["other"]}))\n'
    expected: object = [winner] if winner else "error: Illegal ambiguous match"
    checks = (Check("--copt=-Dright --javacopt=-Dgood", "//test:g.srcs", expected),)
    return Case(name, says, {"test/BUILD": build}, checks)


BOTH = {"copt": "-Dright", "javacopt": "-Dgood"}
COPT = {"copt": "-Dright"}
JAVACOPT = {"javacopt": "-Dgood"}
FLAGS = {":f1": "right", ":f2": "good"}
F1 = {":f1": "right"}
F2 = {":f2": "good"}
RIGHT = feature("f1", ["right", "wrong"], "right")
CITY = """\
constraint_setting(name = "building")
constraint_value(name = "tower", constraint_setting = ":building")
constraint_value(name = "needle", constraint_setting = ":building")
constraint_setting(name = "museum")
constraint_value(name = "old", constraint_setting = ":museum")
constraint_value(name = "new", constraint_setting = ":museum")
constraint_setting(name = "park")
constraint_value(name = "green", constraint_setting = ":park")
platform(name = "east", constraint_values = [":tower"])
platform(name = "west", constraint_values = [":needle"])
platform(name = "both", constraint_values = [":tower", ":old"])
platform(name = "museum_only", constraint_values = [":old"])
platform(name = "all", constraint_values = [":tower", ":old", ":green"])
"""

CASES = [
    case(
        "matchingCriteria",
        "every entry must hold",
        setting(values={"compilation_mode": "dbg", "stamp": "1"}),
        ("-c opt --stamp", NO_MATCH),
        ("-c dbg --nostamp", NO_MATCH),
        ("-c opt --nostamp", NO_MATCH),
        ("-c dbg --stamp", MATCH),
    ),
    case("labelGetter", "a setting goes by its label", setting(values={"cpu": "k8"}), ("", MATCH)),
    case(
        "unknownOption",
        "an option that Bazel does not have is an error",
        setting(values={"not_an_option": "bar"}),
        ("", "error: unknown option `not_an_option`"),
    ),
    case(
        "invalidOptionValue",
        "so is a text that is no value of the option",
        setting(values={"compilation_mode": "baz"}),
        ("", "error: `baz` is not one of"),
    ),
    case(
        "invalidOptionFartherDown",
        "an error counts although an entry before it does not hold",
        setting(values={"compilation_mode": "opt", "not_an_option": "bar"}),
        ("", "error: unknown option `not_an_option`"),
    ),
    case(
        "nonselectableOption",
        "some options of the configuration cannot be asked about",
        setting(values={"host_force_python": "PY3"}),
        ("", "error: "),
    ),
    case(
        "nonselectableCustomMessageOption",
        "and the error says what to ask instead",
        setting(values={"host_force_python": "PY3"}),
        ("", "error: ask about `@bazel_tools//tools/python:python_version` instead"),
    ),
    case(
        "nonselectableAllowlistedOption_OutOfToolsPackage",
        "some only Bazel's own tools may ask about",
        setting(values={"python_version": "PY3"}),
        ("", "error: only those in `@bazel_tools//tools/...` may"),
    ),
    case(
        "internalOption",
        "an option that only Bazel itself sets is none",
        setting(values={"is exec configuration": "0"}),
        ("", "error: unknown option `is exec configuration`"),
    ),
    Case(
        "noneValueInSetting",
        "None is no value",
        {"test/BUILD": 'config_setting(name = "c", values = {"cpu": None})\n'},
        (Check("", "//test:c.values", "error: None"),),
    ),
    case(
        "emptySettings",
        "a setting asks for something",
        setting(values={}),
        ("", "error: Either values, flag_values or constraint_values must be specified"),
    ),
    case(
        "multiValueDict",
        "of --define the last of each name counts",
        setting(values={"define": "foo=bar"}),
        ("", NO_MATCH),
        ("--define foo=bar", MATCH),
        ("--define foo=baz", NO_MATCH),
        ("--define foo=bar --define bar=baz", MATCH),
        ("--define foo=bar --define bar=baz --define foo=nope", NO_MATCH),
        ("--define foo=nope --define bar=baz --define foo=bar", MATCH),
    ),
    case(
        "invalidDefineProducesError",
        "a define is an assignment",
        setting(values={"define": "foo"}),
        ("", "error: no `name=value`"),
    ),
    case(
        "multipleDefines",
        "define_values asks for several at once",
        setting(define_values={"foo1": "bar", "foo2": "baz"}),
        ("", NO_MATCH),
        ("--define foo1=bar", NO_MATCH),
        ("--define foo2=baz", NO_MATCH),
        ("--define foo1=bar --define foo2=baz", MATCH),
    ),
    case(
        "multiValueDictSettingAlwaysSingleEntry",
        "a comma in a define's value is part of it",
        setting(values={"define": "foo=bar,baz=bat"}),
        ("", NO_MATCH),
        ("--define foo=bar", NO_MATCH),
        ("--define foo=bar --define baz=bat", NO_MATCH),
        ("--define foo=bar,baz=bat", MATCH),
        ("--define other=more --define foo=bar,baz=bat", MATCH),
    ),
    case(
        "definesCrossAttributes",
        "values and define_values add up",
        setting(values={"define": "a=c"}, define_values={"b": "d"}),
        ("", NO_MATCH),
        ("--define a=c", NO_MATCH),
        ("--define b=d", NO_MATCH),
        ("--define a=c --define b=d", MATCH),
    ),
    case(
        "multiValueListSingleExpectedValue",
        "an option that accumulates must hold the value among others",
        setting(values={"copt": "-Dfoo"}),
        ("", NO_MATCH),
        ("--copt -Dfoo", MATCH),
        ("--copt -Dbar", NO_MATCH),
        ("--copt -Dfoo --copt -Dbar", MATCH),
        ("--copt -Dbar --copt -Dfoo", MATCH),
    ),
    case(
        "multiValueListMultipleExpectedValues",
        "an option that takes lists must hold all of the wanted list",
        setting(values={"extra_toolchains": "one,two"}),
        ("", NO_MATCH),
        ("--extra_toolchains one", NO_MATCH),
        ("--extra_toolchains two", NO_MATCH),
        ("--extra_toolchains one --extra_toolchains two", MATCH),
        ("--extra_toolchains two --extra_toolchains one", MATCH),
        ("--extra_toolchains one,two", MATCH),
        ("--extra_toolchains two,one", MATCH),
        ("--extra_toolchains ten,two --extra_toolchains three,one", MATCH),
    ),
    case(
        "multiValueListSingleValueThatLooksLikeMultiple",
        "where an option takes no lists, a comma is part of the value",
        setting(values={"copt": "one,two"}),
        ("", NO_MATCH),
        ("--copt one", NO_MATCH),
        ("--copt two", NO_MATCH),
        ("--copt one --copt two", NO_MATCH),
        ("--copt one,two --copt one", MATCH),
        ("--copt two,one --copt one", NO_MATCH),
    ),
    case(
        "selectForDefaultCrosstoolTop",
        "the default of a label option matches",
        setting(values={"crosstool_top": "@bazel_tools//tools/cpp:toolchain"}),
        ("", MATCH),
    ),
    case(
        "matchesIfFlagValuesAndValuesBothMatch",
        "values and flag_values both hold",
        setting(flag_values=F1, values=COPT) + RIGHT,
        ("--copt=-Dright", MATCH),
    ),
    case(
        "matchesIfFlagValuesMatchAndValuesAreEmpty",
        "flag_values alone will do",
        setting(flag_values=F1, values={}) + RIGHT,
        ("--copt=-Dright", MATCH),
    ),
    case(
        "matchesIfValuesMatchAndFlagValuesAreEmpty",
        "so will values alone",
        setting(flag_values={}, values=COPT),
        ("--copt=-Dright", MATCH),
    ),
    case(
        "doesNotMatchIfNeitherFlagValuesNorValuesMatches",
        "neither holds",
        setting(flag_values={":f1": "wrong"}, values={"copt": "-Dwrong"}) + RIGHT,
        ("--copt=-Dright", NO_MATCH),
    ),
    case(
        "doesNotMatchIfFlagValuesDoNotMatchAndValuesAreEmpty",
        "flag_values alone, and they do not hold",
        setting(flag_values={":f1": "wrong"}, values={}) + RIGHT,
        ("", NO_MATCH),
    ),
    case(
        "doesNotMatchIfFlagValuesDoNotMatchButValuesDo",
        "flag_values do not hold beside values that do",
        setting(flag_values={":f1": "wrong"}, values=COPT) + RIGHT,
        ("--copt=-Dright", NO_MATCH),
    ),
    case(
        "doesNotMatchIfValuesDoNotMatchAndFlagValuesAreEmpty",
        "values alone, and they do not hold",
        setting(flag_values={}, values={"copt": "-Dwrong"}),
        ("--copt=-Dright", NO_MATCH),
    ),
    case(
        "doesNotMatchIfValuesDoNotMatchButFlagValuesDo",
        "values do not hold beside flag_values that do",
        setting(flag_values=F1, values={"copt": "-Dwrong"}) + RIGHT,
        ("--copt=-Dright", NO_MATCH),
    ),
    case(
        "doesNotMatchIfEvenOneFlagValueDoesNotMatch",
        "one of two flags differs",
        setting(flag_values={":f1": "right", ":f2": "bad"})
        + RIGHT
        + feature("f2", ["good", "bad"], "good"),
        ("", NO_MATCH),
    ),
    refinement(
        "doesNotRefineSettingWithSameValuesAndSameFlagValues",
        "equal settings do not beat each other",
        setting("one", flag_values=FLAGS, values=BOTH),
        setting("other", flag_values=FLAGS, values=BOTH),
        None,
    ),
    refinement(
        "doesNotRefineSettingWithDifferentValuesAndSameFlagValues",
        "neither do those with values of their own",
        setting("one", flag_values=FLAGS, values=JAVACOPT),
        setting("other", flag_values=FLAGS, values=COPT),
        None,
    ),
    refinement(
        "doesNotRefineSettingWithSameValuesAndDifferentFlagValues",
        "or flags of their own",
        setting("one", flag_values=F1, values=BOTH),
        setting("other", flag_values=F2, values=BOTH),
        None,
    ),
    refinement(
        "doesNotRefineSettingWithDifferentValuesAndDifferentFlagValues",
        "or both",
        setting("one", flag_values=F1, values=COPT),
        setting("other", flag_values=F2, values=JAVACOPT),
        None,
    ),
    refinement(
        "doesNotRefineSettingWithDifferentValuesAndSubsetFlagValues",
        "more flags do not help where values differ",
        setting("one", flag_values=FLAGS, values=COPT),
        setting("other", flag_values=F1, values=JAVACOPT),
        None,
    ),
    refinement(
        "doesNotRefineSettingWithSubsetValuesAndDifferentFlagValues",
        "more values do not help where flags differ",
        setting("one", flag_values=F1, values=BOTH),
        setting("other", flag_values=F2, values=COPT),
        None,
    ),
    refinement(
        "refinesSettingWithSubsetValuesAndSameFlagValues",
        "more values beat fewer",
        setting("one", flag_values=FLAGS, values=BOTH),
        setting("other", flag_values=FLAGS, values=COPT),
        "one",
    ),
    refinement(
        "refinesSettingWithSameValuesAndSubsetFlagValues",
        "more flags beat fewer",
        setting("one", flag_values=FLAGS, values=BOTH),
        setting("other", flag_values=F1, values=BOTH),
        "one",
    ),
    refinement(
        "refinesSettingWithSubsetValuesAndSubsetFlagValues",
        "more of both beats fewer",
        setting("one", flag_values=FLAGS, values=BOTH),
        setting("other", flag_values=F1, values=COPT),
        "one",
    ),
    case(
        "matchesAliasedFlagsInFlagValues",
        "a flag may be named by an alias",
        setting(flag_values={":alias": "right"})
        + 'alias(name = "alias", actual = ":f1")\n'
        + RIGHT,
        ("", MATCH),
    ),
    refinement(
        "aliasedFlagsAreCountedInRefining",
        "an alias counts as the flag that it names",
        setting("one", flag_values={":a1": "right", ":f2": "good"}, values=COPT),
        setting("other", flag_values=F1, values=COPT) + 'alias(name = "a1", actual = ":f1")\n',
        "one",
    ),
    case(
        "referencingSameFlagViaMultipleAliasesFails",
        "one flag may not be asked about twice",
        setting(flag_values={":alias": "right", ":f1": "right"})
        + 'alias(name = "alias", actual = ":f1")\n'
        + RIGHT,
        ("", "error: twice"),
    ),
    case(
        "requiresValidValueForFlagValues",
        "the wanted value must be one that the flag may have",
        setting(flag_values={":f1": "invalid"}) + RIGHT,
        ("", "error: `//test:f1` in `flag_values` may not be"),
    ),
    case(
        "usesAliasLabelWhenReportingErrorInFlagValues",
        "an error names the flag as the setting does",
        setting(flag_values={":alias": "invalid"})
        + 'alias(name = "alias", actual = ":f1")\n'
        + RIGHT,
        ("", "error: `//test:alias`"),
    ),
    case(
        "buildsettings_matchesFromDefault",
        "a build setting that is not set has its default",
        setting(flag_values={":s": "a"}) + 'string_flag(name = "s", build_setting_default = "a")\n',
        ("", MATCH),
    ),
    case(
        "buildsettings_matchesFromCommandLine",
        "the command line sets it",
        setting(flag_values={":s": "b"}) + 'string_flag(name = "s", build_setting_default = "a")\n',
        ("--//test:s=b", MATCH),
    ),
    case(
        "buildsettings_convertedType",
        "the wanted text is read as the setting's type",
        setting(flag_values={":s": "True"})
        + 'bool_flag(name = "s", build_setting_default = 1 == 1)\n',
        ("", MATCH),
    ),
    case(
        "buildsettings_doesntMatch",
        "another value does not match",
        setting(flag_values={":s": "a"}) + 'string_flag(name = "s", build_setting_default = "a")\n',
        ("--//test:s=b", NO_MATCH),
    ),
    case(
        "buildsettings_badType",
        "a text that is no value of the type is an error",
        setting(flag_values={":s": "many"}) + 'int_flag(name = "s", build_setting_default = 3)\n',
        ("", "error: `many` is not an int"),
    ),
    case(
        "notBuildSettingOrFeatureFlag",
        "only build settings and feature flags can be asked about",
        setting(flag_values={":s": "a"}) + 'plain(name = "s")\n',
        ("", "error: no build setting"),
    ),
    *(
        case(
            name,
            f"a build setting that {a} beside a feature flag that {b}",
            setting(flag_values={":s": wanted, ":f1": flag})
            + 'string_flag(name = "s", build_setting_default = "a")\n'
            + RIGHT,
            ("", expected),
        )
        for name, a, b, wanted, flag, expected in (
            ("buildsettingsMatch_featureFlagsMatch", "holds", "holds", "a", "right", MATCH),
            (
                "buildsettingsMatch_featureFlagsDontMatch",
                "holds",
                "differs",
                "a",
                "wrong",
                NO_MATCH,
            ),
            (
                "buildsettingsDontMatch_featureFlagsMatch",
                "differs",
                "holds",
                "b",
                "right",
                NO_MATCH,
            ),
        )
    ),
    case(
        "constraintValue",
        "the target platform must have the constraint value",
        CITY + setting(constraint_values=[":tower"]),
        ("--platforms=//test:east", MATCH),
        ("--platforms=//test:west", NO_MATCH),
        ("", NO_MATCH),
    ),
    case(
        "multipleConstraintValues",
        "all of several, and more do no harm",
        CITY + setting(constraint_values=[":tower", ":old"]),
        ("--platforms=//test:both", MATCH),
        ("--platforms=//test:museum_only", NO_MATCH),
        ("--platforms=//test:all", MATCH),
    ),
    case(
        "definesAndConstraints",
        "constraints, values and defines add up",
        CITY
        + setting(constraint_values=[":tower"], values={"define": "a=c"}, define_values={"b": "d"}),
        ("--platforms=//test:east --define a=c --define b=d", MATCH),
        ("--platforms=//test:east", NO_MATCH),
        ("--define a=c", NO_MATCH),
        ("--define a=c --platforms=//test:east", NO_MATCH),
    ),
    case(
        "multipleValuesPerSetting",
        "two values of one constraint setting exclude each other: an error",
        CITY + setting(constraint_values=[":tower", ":needle", ":old", ":new"]),
        ("", "error: two values of `//test:building`"),
    ),
    case(
        "notAConstraintValue",
        "what is no constraint_value cannot be asked for",
        setting(constraint_values=[":g"]) + 'genrule(name = "g", outs = ["o"], cmd = "")\n',
        ("", "error: `//test:g` is not a constraint_value"),
    ),
    case(
        "simpleStarlarkFlag",
        "a build setting's value matches, another does not",
        setting(flag_values={":s": "b"}) + 'string_flag(name = "s", build_setting_default = "a")\n',
        ("", NO_MATCH),
        ("--//test:s=b", MATCH),
    ),
    case(
        "starlarkListFlagSingleValue",
        "a list of one has that one",
        setting(flag_values={":s": "one"})
        + 'list_flag(name = "s", build_setting_default = ["one"])\n',
        ("", MATCH),
        ("--//test:s=other", NO_MATCH),
    ),
    case(
        "starlarkListFlagMultiValue",
        "a list of several has each of them",
        setting(flag_values={":s": "two"})
        + 'list_flag(name = "s", build_setting_default = ["one", "two"])\n',
        ("", MATCH),
        ("--//test:s=one,two,three", MATCH),
        ("--//test:s=one,three", NO_MATCH),
    ),
    case(
        "canOnlyMatchSingleValueInMultiValueFlags",
        "of a list one element is asked for, not several",
        setting(flag_values={":s": "a,b"})
        + 'list_flag(name = "s", build_setting_default = ["a"])\n',
        ("", "error: takes one value, not `a,b`"),
    ),
    case(
        "canOnlyMatchSingleValueInMultiValueFlags",
        "no text is a list without elements (4.2.3, measured)",
        setting(flag_values={":s": ""}) + 'list_flag(name = "s", build_setting_default = [])\n',
        ("", "error: takes one value, not ``"),
    ),
    case(
        "singleValueThatLooksLikeMultiValueIsOkay",
        "a comma in a string is part of it",
        setting(flag_values={":s": "a,b"})
        + 'string_flag(name = "s", build_setting_default = "a,b")\n',
        ("", MATCH),
    ),
    case(
        "selectForDefaultGrteTop",
        "the word `default` stands for no libc, which is the default (4.2.3, measured)",
        setting(values={"grte_top": "default"}),
        ("", MATCH),
        ("--grte_top=default", MATCH),
        ("--grte_top=//a", NO_MATCH),
    ),
]
