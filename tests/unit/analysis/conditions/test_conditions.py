"""config_setting entries: what matches, what does not and why."""

from __future__ import annotations

import pytest

from bazelscope.analysis.conditions.match_result import Match, MatchResult, NoMatch, UnknownMatch
from bazelscope.analysis.conditions.matcher import Conditions
from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.base.label import Label
from bazelscope.base.unknown import Reason
from tests.unit.analysis.analysis_world import (
    BOOL_FLAG,
    INT_FLAG,
    LIST_FLAG,
    STRING_FLAG,
    World,
    configuration,
    label,
    select,
)


def match(world: World, configuration: Configuration, label: Label) -> MatchResult:
    return Conditions(world, configuration).match(label)


def outcome(result: MatchResult) -> str:
    return {Match: "match", NoMatch: "no match", UnknownMatch: "error"}[type(result)]


VALUES = [
    # flags, values of the config_setting, outcome under 4.2.3 on linux
    ("", {"cpu": "k8"}, "match"),
    ("", {"cpu": "aarch64"}, "no match"),
    ("--cpu=aarch64", {"cpu": "aarch64"}, "match"),
    ("", {"compilation_mode": "fastbuild"}, "match"),
    ("--compilation_mode=opt", {"compilation_mode": "OPT"}, "match"),
    ("--compilation_mode=opt", {"compilation_mode": "fast"}, "error"),
    ("--stamp=1", {"stamp": "yes"}, "match"),
    ("--stamp=1", {"stamp": "TRUE"}, "match"),
    ("", {"stamp": "0"}, "match"),
    ("", {"stamp": ""}, "error"),
    ("", {"stamp": "maybe"}, "error"),
    ("", {"c": "opt"}, "error"),
    ("", {"nostamp": "1"}, "error"),
    ("", {"--cpu": "k8"}, "error"),
    ("", {"keep_going": "false"}, "error"),
    ("", {"no_such_option": "1"}, "error"),
    ("--copt=-O3 --copt=-g", {"copt": "-O3"}, "match"),
    ("--copt=-O3 --copt=-g", {"copt": "-O3,-g"}, "no match"),
    ("", {"copt": "-O3"}, "no match"),
    ("--define=a=1", {"define": "a=1"}, "match"),
    ("--define=a=1 --define=a=2", {"define": "a=1"}, "no match"),
    ("--define=a=1,b=1", {"define": "a=1"}, "no match"),
    ("--define=a=1,b=1", {"define": "a=1,b=1"}, "match"),
    ("", {"define": "a"}, "error"),
    ("", {"compiler": "gcc"}, "no match"),
    ("", {"apple_platform_type": "MACOS"}, "match"),
    ("", {"start_end_lib": "1"}, "match"),
    ("", {"host_force_python": "PY3"}, "error"),
    ("", {"crosstool_top": "bazel_tools//tools/cpp:toolchain"}, "no match"),
    ("--runs_per_test=2", {"jobs": "2"}, "error"),
    ("", {"crosstool_top": "@bazel_tools//tools/cpp:toolchain"}, "match"),
    ("--cpu=aarch64", {"cpu": "aarch64", "compilation_mode": "opt"}, "no match"),
]


@pytest.mark.parametrize(("flags", "values", "expected"), VALUES)
def test_values(flags: str, values: dict[str, str], expected: str) -> None:
    world = World()
    setting = world.rule("config_setting", "//p:c", values=values)
    assert outcome(match(world, world.configuration(*flags.split()), setting)) == expected


def test_no_match_names_wanted_got_and_the_instance() -> None:
    world = World()
    setting = world.rule(
        "config_setting", "//p:c", values={"cpu": "k8"}, define_values={"a": "1", "b": "2"}
    )
    result = match(world, world.configuration("--define=a=1", "--define=b=3"), setting)
    assert isinstance(result, NoMatch)
    (diff,) = result.diffs
    assert (diff.what, diff.wanted, diff.got) == ("--define=b", "2", "3")
    assert diff.set_by is not None
    assert diff.set_by.text == "--define=b=3"
    assert [r.what for r in result.requirements] == ["--cpu", "--define=a", "--define=b"]


def test_an_empty_config_setting_is_an_error() -> None:
    world = World()
    result = match(world, world.configuration(), world.rule("config_setting", "//p:c"))
    assert isinstance(result, UnknownMatch)
    assert result.unknown.reason is Reason.FAILED


BUILD_SETTINGS = [
    ("", STRING_FLAG, "a", "a", "match"),
    ("--//f:f=b", STRING_FLAG, "a", "a", "no match"),
    ("--//f:f=b", STRING_FLAG, "a", "b", "match"),
    ("", BOOL_FLAG, True, "yes", "match"),
    ("--//f:f=0", BOOL_FLAG, True, "FALSE", "match"),
    ("", BOOL_FLAG, True, "maybe", "error"),
    ("", INT_FLAG, 7, "7", "match"),
    ("", INT_FLAG, 7, "07", "error"),
    ("", INT_FLAG, 16, "0x10", "match"),
    ("", LIST_FLAG, ["x", "y"], "x", "match"),
    ("", LIST_FLAG, ["x", "y"], "x,y", "error"),
    ("--//f:f=a,b", LIST_FLAG, ["x", "y"], "b", "match"),
    ("--//f:f=a,b", LIST_FLAG, ["x", "y"], "x", "no match"),
]


@pytest.mark.parametrize(("flags", "kind", "default", "wanted", "expected"), BUILD_SETTINGS)
def test_flag_values(flags: str, kind: object, default: object, wanted: str, expected: str) -> None:
    world = World()
    world.rule(kind, "//f:f", build_setting_default=default)  # type: ignore[arg-type]
    setting = world.rule("config_setting", "//p:c", flag_values={"//f:f": wanted})
    assert outcome(match(world, world.configuration(*flags.split()), setting)) == expected


def test_a_label_flag_compares_labels() -> None:
    world = World()
    world.rule("label_flag", "//f:f", build_setting_default="//p:x")
    setting = world.rule("config_setting", "//p:c", flag_values={"//f:f": ":x"})
    assert isinstance(match(world, world.configuration(), setting), Match)
    assert isinstance(match(world, world.configuration("--//f:f=//p:y"), setting), NoMatch)


def platform_world(version: str = "4.2.3") -> World:
    world = World(version)
    world.rule("constraint_setting", "@platforms//os:os")
    world.rule("constraint_setting", "@platforms//cpu:cpu")
    for os in ("linux", "windows"):
        world.rule(
            "constraint_value", f"@platforms//os:{os}", constraint_setting="@platforms//os:os"
        )
    for cpu in ("x86_64", "aarch64"):
        world.rule(
            "constraint_value",
            f"@platforms//cpu:{cpu}",
            constraint_setting="@platforms//cpu:cpu",
        )
    world.rule("constraint_setting", "//c:color", default_constraint_value="//c:red")
    world.rule("constraint_value", "//c:red", constraint_setting=":color")
    world.rule("constraint_value", "//c:blue", constraint_setting=":color")
    world.rule("platform", "//p:base", constraint_values=["@platforms//os:windows"])
    world.rule(
        "platform",
        "//p:child",
        parents=[":base"],
        constraint_values=["//c:blue", "@platforms//cpu:aarch64"],
    )
    return world


CONSTRAINTS = [
    ("", "linux", ["@platforms//os:linux"], "match"),
    ("", "linux-aarch64", ["@platforms//cpu:aarch64"], "match"),
    ("", "windows", ["@platforms//os:linux"], "no match"),
    ("--platforms=//p:child", "linux", ["@platforms//os:windows", "//c:blue"], "match"),
    ("--platforms=//p:base", "linux", ["//c:red"], "match"),
    ("--platforms=//p:base", "linux", ["@platforms//cpu:x86_64"], "no match"),
    ("--host_platform=//p:child", "linux", ["//c:blue"], "match"),
    ("--platforms=//gone:p", "linux", ["@platforms//os:linux"], "error"),
]


@pytest.mark.parametrize(("flags", "host", "values", "expected"), CONSTRAINTS)
def test_constraint_values(flags: str, host: str, values: list[str], expected: str) -> None:
    world = platform_world()
    setting = world.rule("config_setting", "//p:c", constraint_values=values)
    configuration = world.configuration(*flags.split(), host=host)
    assert outcome(match(world, configuration, setting)) == expected


@pytest.mark.parametrize(
    ("version", "flags", "expected"),
    [
        ("0.24.1", "--cpu=aarch64", "match"),
        ("0.24.1", "--cpu=aarch64 --host_platform=//p:child", "match"),
        ("0.24.1", "--cpu=aarch64 --incompatible_auto_configure_host_platform=1", "no match"),
        ("2.1.0", "--cpu=aarch64", "no match"),
        ("2.1.0", "--cpu=aarch64 --incompatible_auto_configure_host_platform=0", "match"),
        ("4.2.3", "--cpu=aarch64", "no match"),
        ("4.2.3", "--cpu=aarch64 --incompatible_auto_configure_host_platform=0", "match"),
    ],
)
def test_a_target_platform_that_is_not_given_follows_cpu_or_is_the_hosts(
    version: str, flags: str, expected: str
) -> None:
    """Measured with each of these Bazels."""
    world = platform_world(version)
    place = "@platforms//cpu"
    if version == "0.24.1":
        place = "@bazel_tools//platforms"
        world.rule("constraint_setting", f"{place}:cpu")
        for name in ("x86_64", "aarch64"):
            world.rule("constraint_value", f"{place}:{name}", constraint_setting=":cpu")
    setting = world.rule("config_setting", "//p:c", constraint_values=[f"{place}:aarch64"])
    assert outcome(match(world, world.configuration(*flags.split()), setting)) == expected


def test_a_constraint_value_is_a_key_since_version_4() -> None:
    for version, expected in (("4.2.3", "match"), ("2.1.0", "error")):
        world = platform_world(version)
        result = match(world, world.configuration(), label("@platforms//os:linux"))
        assert outcome(result) == expected


def test_an_unknown_package_is_unknown_unless_another_entry_differs() -> None:
    world = World()
    world.unknown_packages.add(label("@gone//:f").package_id)
    setting = world.rule(
        "config_setting", "//p:c", values={"cpu": "k8"}, flag_values={"@gone//:f": "x"}
    )
    unknown = match(world, world.configuration(), setting)
    assert isinstance(unknown, UnknownMatch)
    assert unknown.unknown.reason is Reason.NOT_FETCHED
    assert isinstance(match(world, world.configuration("--cpu=arm"), setting), NoMatch)


def test_two_values_of_a_constraint_setting_are_refused_beside_an_unknown_flag() -> None:
    world = World()
    world.unknown_packages.add(label("@gone//:f").package_id)
    world.rule("constraint_setting", "//p:building")
    for name in ("tower", "needle"):
        world.rule("constraint_value", f"//p:{name}", constraint_setting="//p:building")
    setting = world.rule(
        "config_setting",
        "//p:c",
        flag_values={"@gone//:f": "x"},
        constraint_values=["//p:tower", "//p:needle"],
    )
    refused = match(world, world.configuration(), setting)
    assert isinstance(refused, UnknownMatch)
    assert refused.unknown.reason is Reason.FAILED
    assert "two values of `//p:building`" in str(refused.unknown)


def test_aliases_are_followed_and_cycles_found() -> None:
    world = World()
    setting = world.rule("config_setting", "//p:c", values={"cpu": "k8"})
    world.rule("alias", "//p:a", actual=":b")
    world.rule("alias", "//p:b", actual=":c")
    world.rule("alias", "//p:x", actual=":y")
    world.rule("alias", "//p:y", actual=":x")
    result = match(world, world.configuration(), label("//p:a"))
    assert isinstance(result, Match)
    assert (result.condition, result.setting) == (label("//p:a"), setting)
    cycle = match(world, world.configuration(), label("//p:x"))
    assert isinstance(cycle, UnknownMatch)
    assert "cycle" in cycle.unknown.detail


def group_world() -> World:
    """skylib's config_setting_group: `all` is a and b, `any` is a or b."""
    world = World()
    world.rule("config_setting", "//p:a", define_values={"a": "1"})
    world.rule("config_setting", "//p:b", define_values={"b": "1"})
    none = "//conditions:default"
    world.rule("alias", "//p:all", actual=select({":a": ":b", none: ":a"}))
    world.rule("alias", "//p:any", actual=select({":a": ":a", none: ":b"}))
    return world


@pytest.mark.parametrize(
    ("flags", "all_of", "any_of"),
    [
        ("", "no match", "no match"),
        ("--define=a=1", "no match", "match"),
        ("--define=b=1", "no match", "match"),
        ("--define=a=1 --define=b=1", "match", "match"),
    ],
)
def test_groups(flags: str, all_of: str, any_of: str) -> None:
    world = group_world()
    conditions = Conditions(world, world.configuration(*flags.split()))
    assert outcome(conditions.match(label("//p:all"))) == all_of
    assert outcome(conditions.match(label("//p:any"))) == any_of


def test_a_group_reports_everything_it_asked() -> None:
    world = group_world()
    both = world.configuration("--define=a=1", "--define=b=1")
    result = match(world, both, label("//p:all"))
    assert isinstance(result, Match)
    assert [r.what for r in result.requirements] == ["--define=a", "--define=b"]
    neither = match(world, world.configuration(), label("//p:any"))
    assert isinstance(neither, NoMatch)
    assert [d.what for d in neither.diffs] == ["--define=a", "--define=b"]


def test_of_a_group_any_member_is_enough_or_each_is_needed() -> None:
    world = group_world()
    none = "//conditions:default"
    world.rule("alias", "//p:never", actual=select({":a": ":b", none: ":b"}))

    def lacks(condition: str) -> list[list[str]]:
        result = match(world, world.configuration(), label(condition))
        return [[entry.what for entry in way] for way in result.unmet_ways]

    assert lacks("//p:any") == [["--define=a"], ["--define=b"]]
    assert lacks("//p:all") == [["--define=a"]]
    assert lacks("//p:never") == [["--define=b"]]  # With a alone, it is b that counts all the same.


def test_something_else_is_no_condition() -> None:
    world = World()
    world.rule("filegroup", "//p:f")
    for text in ("//p:f", "//p:gone", "//gone:x"):
        result = match(world, world.configuration(), label(text))
        assert isinstance(result, UnknownMatch)
        assert result.unknown.reason is Reason.FAILED


CC_TYPE = "@bazel_tools//tools/cpp:toolchain_type"
COMPILERS = [
    ("4.2.3", "linux", "", "compiler", "match"),
    ("4.2.3", "linux", "", "msvc-cl", "no match"),
    ("4.2.3", "windows", "", "msvc-cl", "match"),
    ("7.0.0", "linux", "", "clang", "no match"),
    ("7.0.0", "linux", "", "gcc", "match"),
    ("7.0.0", "linux", "--repo_env=CC=clang-19", "clang", "match"),
    ("7.0.0", "linux", "--action_env=CC=/usr/bin/clang", "clang", "match"),
    ("7.0.0", "linux", "--action_env=CC=clang --repo_env=CC=g++-13", "gcc", "match"),
    ("7.0.0", "linux", "--repo_env=CC=icx", "gcc", "error"),
    ("7.0.0", "linux", "--repo_env=BAZEL_COMPILER=icx", "icx", "match"),
    ("7.0.0", "windows", "--extra_toolchains=//x:y", "msvc-cl", "error"),
    ("4.2.3", "windows", "--extra_toolchains=//x:y", "msvc-cl", "match"),
    ("4.2.3", "macos", "--repo_env=BAZEL_USE_CPP_ONLY_TOOLCHAIN=1", "compiler", "match"),
    ("5.0.0", "macos", "--repo_env=BAZEL_USE_CPP_ONLY_TOOLCHAIN=1", "clang", "match"),
    ("7.0.0", "linux", "", "msvc-cl", "no match"),
    ("4.2.3", "linux", "--crosstool_top=//my:toolchain", "compiler", "error"),
    ("4.2.3", "linux", "--cpu=arm", "compiler", "error"),
]


@pytest.mark.parametrize(("version", "host", "flags", "wanted", "expected"), COMPILERS)
def test_the_compiler_of_the_toolchain(
    version: str, host: str, flags: str, wanted: str, expected: str
) -> None:
    world = World(version)
    flag = "@bazel_tools//tools/cpp:compiler"
    setting = world.rule("config_setting", "//p:c", flag_values={flag: wanted})
    configuration = world.configuration(*flags.split(), host=host)
    assert outcome(match(world, configuration, setting)) == expected


@pytest.mark.parametrize(
    ("written", "flags", "expected"),
    [
        ({}, "", "error"),
        ({"target_settings": ["//t:cross"]}, "", "match"),
        ({"target_settings": ["//t:cross"]}, "--//t:release", "error"),
        ({"target_compatible_with": ["@platforms//os:macos"]}, "", "match"),
        ({"target_compatible_with": ["@platforms//os:linux"]}, "", "error"),
        ({"target_settings": ["//p:c"]}, "", "error"),
    ],
)
def test_a_registered_toolchain_counts_where_it_may_be_chosen(
    written: dict[str, list[str]], flags: str, expected: str
) -> None:
    world = World("7.0.0")
    world.rule("constraint_setting", "@platforms//os:os")
    for name in ("linux", "macos"):
        setting = "@platforms//os:os"
        world.rule("constraint_value", f"@platforms//os:{name}", constraint_setting=setting)
    world.rule(BOOL_FLAG, "//t:release", build_setting_default=False)
    world.rule("config_setting", "//t:cross", flag_values={"//t:release": "True"})
    toolchain = world.rule(
        "toolchain", "//t:t", toolchain_type=CC_TYPE, toolchain="//t:x", **written
    )
    world.registrations["register_toolchains"] = (toolchain,)
    values = {"@bazel_tools//tools/cpp:compiler": "gcc"}
    setting = world.rule("config_setting", "//p:c", flag_values=values)
    assert outcome(match(world, world.configuration(*flags.split()), setting)) == expected


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        ("--extra_toolchains=//t:java", "match"),
        ("--extra_toolchains=//t:java,//t:cc", "error"),
        ("--extra_toolchains=//t:none", "error"),
        ("--extra_toolchains=//t:alias", "error"),
    ],
)
def test_a_toolchain_of_a_flag_counts_if_it_is_for_c(flags: str, expected: str) -> None:
    world = World("7.0.0")
    for name, kind in (("java", "@bazel_tools//tools/jdk:toolchain_type"), ("cc", CC_TYPE)):
        world.rule("toolchain", f"//t:{name}", toolchain_type=kind, toolchain="//t:x")
    world.rule("alias", "//t:alias", actual="//t:cc")
    values = {"@bazel_tools//tools/cpp:compiler": "gcc"}
    setting = world.rule("config_setting", "//p:c", flag_values=values)
    assert outcome(match(world, world.configuration(flags), setting)) == expected


@pytest.mark.parametrize(
    ("version", "wanted", "expected"),
    [
        ("4.2.3", "07", "error"),
        ("2.1.0", "07", "match"),
        ("2.1.0", "0x7", "match"),
        ("4.2.3", "0o7", "match"),
        ("2.1.0", "0o7", "error"),
    ],
)
def test_integers_of_build_settings_by_version(version: str, wanted: str, expected: str) -> None:
    world = World(version)
    world.rule(INT_FLAG, "//f:f", build_setting_default=7)
    setting = world.rule("config_setting", "//p:c", flag_values={"//f:f": wanted})
    assert outcome(match(world, world.configuration(), setting)) == expected


def test_the_hosts_platform_does_not_follow_host_cpu_in_2_1_0() -> None:
    world = World()
    for package, name in (("cpu", "x86_64"), ("os", "linux")):
        setting = f"@platforms//{package}:{package}"
        world.rule("constraint_setting", setting)
        world.rule("constraint_value", f"@platforms//{package}:{name}", constraint_setting=setting)
    world.rule("config_setting", "//c:x86", constraint_values=["@platforms//cpu:x86_64"])
    top = configuration("--cpu=arm", "--host_cpu=arm", bazel_version="2.1.0")
    assert isinstance(match(world, top, label("//c:x86")), Match)
    assert isinstance(match(world, top.of_host(), label("//c:x86")), Match)


@pytest.mark.parametrize(("version", "expected"), [("0.24.1", "error"), ("2.1.0", "match")])
def test_before_0_27_flag_values_takes_feature_flags_alone(version: str, expected: str) -> None:
    """Measured: 0.24.1 and 0.26.1 refuse `flag_values` of a build setting in Starlark."""
    world = World(version)
    world.rule(INT_FLAG, "//f:f", build_setting_default=7)
    world.rule("config_feature_flag", "//f:x", allowed_values=["a", "b"], default_value="a")
    setting = world.rule("config_setting", "//p:c", flag_values={"//f:f": "7"})
    feature = world.rule("config_setting", "//p:d", flag_values={"//f:x": "a"})
    assert outcome(match(world, world.configuration(), setting)) == expected
    assert outcome(match(world, world.configuration(), feature)) == "match"


@pytest.mark.parametrize(
    ("option", "flags", "expected"),
    [
        ("host_platform", "", "no match"),
        ("host_platform", "--host_platform=", "no match"),
        ("host_platform", "--host_platform=//p:p", "no match"),
        ("auto_cpu_environment_group", "", "no match"),
        ("platform_mappings", "", "no match"),
        ("xbinary_fdo", "", "match"),
    ],
)
def test_nothing_is_the_empty_text_that_unsets_an_option_by_default(
    option: str, flags: str, expected: str
) -> None:
    """Measured: 2.1.0 and 4.2.3."""
    world = World("4.2.3")
    setting = world.rule("config_setting", "//p:c", values={option: ""})
    assert outcome(match(world, world.configuration(flags), setting)) == expected
