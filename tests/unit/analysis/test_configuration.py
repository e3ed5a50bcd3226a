"""Flag values with their defaults, and what reaches the execution configuration."""

from __future__ import annotations

import pytest
from analysis_world import World, configuration, label, select

from bazelscope.analysis.aliases import cquery_label
from bazelscope.analysis.configured import ConfiguredGraph
from bazelscope.analysis.flag_types import ValueTypeError, parse_boolean, parse_integer, parse_value
from bazelscope.analysis.graph import TargetGraph
from bazelscope.analysis.hosts import Host
from bazelscope.flags import catalog


@pytest.mark.parametrize(
    ("host", "version", "cpu"),
    [
        ("linux", "4.2.3", "k8"),
        ("linux-aarch64", "4.2.3", "aarch64"),
        ("macos", "4.2.3", "darwin"),
        ("macos", "7.0.0", "darwin_x86_64"),
        ("macos-arm64", "4.2.3", "darwin_arm64"),
        ("windows", "4.2.3", "x64_windows"),
        ("freebsd", "4.2.3", "freebsd"),
    ],
)
def test_the_default_cpu(host: str, version: str, cpu: str) -> None:
    made = configuration(bazel_version=version, host=host)
    assert made.value("cpu").value == cpu
    assert made.value("cpu").is_default


def test_an_empty_cpu_is_the_default() -> None:
    assert configuration("--cpu=").value("cpu").value == "k8"


def test_defaults_come_from_the_version() -> None:
    assert configuration().value("compilation_mode").value == "fastbuild"
    assert configuration().value("copt").values == ()
    assert configuration().value("no_such_option").values == ()


def test_host_constraints_by_version() -> None:
    mac = Host.parse("macos-arm64")
    assert [str(c) for c in mac.constraint_values("0.24.1")] == [
        "@bazel_tools//platforms:aarch64",
        "@bazel_tools//platforms:osx",
    ]
    assert [str(c) for c in mac.constraint_values("4.2.3")] == [
        "@platforms//cpu:aarch64",
        "@platforms//os:osx",
    ]


EXEC = [
    # flags, option, its value in the execution configuration
    ("", "compilation_mode", "opt"),
    ("--compilation_mode=dbg", "compilation_mode", "opt"),
    ("--host_compilation_mode=dbg", "compilation_mode", "dbg"),
    ("--cpu=arm", "cpu", "k8"),
    ("--host_cpu=arm", "cpu", "arm"),
    ("--stamp=1", "stamp", "false"),
    ("--copt=-O3", "copt", "-g0"),
    ("--host_copt=-O1", "copt", "-O1"),
    ("--features=x", "features", "x"),
    ("--strip=never", "strip", "always"),
    ("--compiler=gcc", "compiler", "gcc"),
    ("--crosstool_top=//my:tools", "crosstool_top", "//my:tools"),
    ("--host_crosstool_top=//my:host", "crosstool_top", "//my:host"),
    ("--platforms=//my:p", "platforms", ""),
    ("--host_platform=//my:p", "platforms", "//my:p"),
]


@pytest.mark.parametrize(("flags", "option", "expected"), EXEC)
def test_the_execution_configuration(flags: str, option: str, expected: str | None) -> None:
    made = configuration(*flags.split()).exec()
    assert made.value(option).value == expected
    assert made.exec() is made


def test_features_have_a_host_option_of_their_own_in_newer_versions() -> None:
    words = ("--features=x", "--host_features=y")
    newer = configuration(*words, bazel_version="7.7.1").exec()
    assert newer.value("features").value == "y"


def test_defines_reach_the_execution_configuration() -> None:
    define = configuration("--define=a=1").exec().define("a")
    assert define is not None
    assert define.value == "1"


def test_changes_of_a_transition_come_first_and_distinguish() -> None:
    top = configuration("--cpu=arm")
    changed = top.with_changes({"cpu": configuration("--cpu=ppc").value("cpu")}, {})
    assert changed.value("cpu").value == "ppc"
    assert changed.key != top.key
    assert top.exec().key != top.key


PARSED = [
    ("compilation_mode", "OPT", "opt"),
    ("stamp", "Yes", "true"),
    ("build_python_zip", "AUTO", "auto"),
    ("build_python_zip", "1", "true"),
    ("crosstool_top", "a/b:c", "//a/b:c"),
    ("crosstool_top", "//a/b", "//a/b:b"),
    ("crosstool_top", "@r", "@r//:r"),
    ("define", "a=b=c", "a=b=c"),
    ("macos_sdk_version", "11.0", "11.0"),
]


@pytest.mark.parametrize(("option", "text", "canonical"), PARSED)
def test_values_by_type(option: str, text: str, canonical: str) -> None:
    definition = catalog.load("4.2.3").find(option)
    assert definition is not None
    assert parse_value(definition, text).text == canonical


@pytest.mark.parametrize(
    ("option", "text"),
    [("compilation_mode", "fast"), ("stamp", ""), ("define", "=x"), ("define", "x")],
)
def test_values_that_are_none(option: str, text: str) -> None:
    definition = catalog.load("4.2.3").find(option)
    assert definition is not None
    with pytest.raises(ValueTypeError):
        parse_value(definition, text)


def test_integers_are_those_of_java() -> None:
    assert [parse_integer(text, 31) for text in ("10", "-3", "0x10", "010", "0")] == [
        10,
        -3,
        16,
        8,
        0,
    ]
    for text in ("", "09", "1.0", "2147483648", "ten"):
        with pytest.raises(ValueTypeError):
            parse_integer(text, 31)
    assert parse_integer("2147483648", 63) == 2147483648
    assert [parse_boolean(t) for t in ("T", "no")] == [True, False]


@pytest.mark.parametrize(
    ("version", "shown"),
    [("4.2.3", ["a", "c", "t"]), ("2.1.0", ["c", "t"]), ("0.24.1", ["t"])],
)
def test_labels_as_cquery_prints_them(version: str, shown: list[str]) -> None:
    world = World(version)
    world.rule("config_setting", "//p:c", values={"cpu": "k8"})
    world.rule("alias", "//p:a", actual=":c")
    world.rule("filegroup", "//p:t", srcs=select({":a": []}))
    graph = ConfiguredGraph(TargetGraph(world, version), world.configuration())
    labels = {cquery_label(graph, node) for node in graph.deps([label("//p:t")])}
    assert sorted(at.name for at in labels) == shown
