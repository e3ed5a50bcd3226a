"""Flag values with their defaults, and what reaches the execution configuration."""

from __future__ import annotations

import pytest

from bazelscope.analysis.configuration.flag_types import (
    ValueTypeError,
    parse_boolean,
    parse_integer,
    parse_value,
)
from bazelscope.analysis.graph.aliases import cquery_label
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.graph.target_graph import TargetGraph
from bazelscope.bazel import flag_catalog
from bazelscope.bazel.hosts import Host
from bazelscope.bazel.release import Release
from tests.unit.analysis.analysis_world import World, configuration, label, select


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
    assert [str(c) for c in mac.constraint_values(Release.of("0.24.1"))] == [
        "@bazel_tools//platforms:aarch64",
        "@bazel_tools//platforms:osx",
    ]
    assert [str(c) for c in mac.constraint_values(Release.of("4.2.3"))] == [
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


SINCE_8 = [
    # version, flags, option, its values in the execution configuration
    ("8.7.0", "--features=a --host_features=b", "features", ("b",)),
    ("8.7.0", "--features=a", "features", ()),
    ("7.7.1", "--features=a", "features", ()),
    ("7.7.1", "--features=a --incompatible_use_host_features=false", "features", ("a",)),
    ("6.5.0", "--features=a", "features", ("a",)),
    ("6.5.0", "--features=a --incompatible_use_host_features=true", "features", ()),
    ("7.7.1", "--host_copt=-x", "copt", ("-g0", "-x")),
    ("8.7.0", "--host_copt=-x", "copt", ("-x", "-g0")),
    ("9.1.0", "--copt=-x", "cxxopt", ("-g0",)),
    ("9.1.0", "--host_per_file_copt=a@-x --per_file_copt=b@-y", "per_file_copt", ("a@-x",)),
    ("7.7.1", "--compiler=gcc", "compiler", ("gcc",)),
    ("8.7.0", "--compiler=gcc", "compiler", ()),
    ("8.7.0", "--compiler=gcc --host_compiler=clang", "compiler", ("clang",)),
    ("7.7.1", "--fdo_optimize=x", "fdo_optimize", ("x",)),
    ("9.1.0", "--fdo_optimize=x", "fdo_optimize", ()),
    ("8.7.0", "--allow_unresolved_symlinks=true", "allow_unresolved_symlinks", ("true",)),
    ("8.7.0", "--host_features=b", "host_features", ("b",)),
    ("8.7.0", "--host_jvmopt=-x", "jvmopt", ("-x",)),
    ("8.7.0", "--jvmopt=-x", "jvmopt", ("-XX:ErrorFile=/dev/stderr",)),
    ("4.2.3", "--jvmopt=-x", "jvmopt", ("-XX:ErrorFile=/dev/stderr",)),
]


@pytest.mark.parametrize(("version", "flags", "option", "expected"), SINCE_8)
def test_the_execution_configuration_is_made_in_starlark_since_8(
    version: str, flags: str, option: str, expected: tuple[str, ...]
) -> None:
    # Bazel: builtin_exec_platforms.bzl, FunctionTransitionUtil.maybeGetExecDefaults: what the
    # transition does not name has its default. Before: CppOptions.getHost, JavaOptions.getHost;
    # `features`: CoreOptions, --incompatible_use_host_features (bazel#16626, #17498).
    made = configuration(*flags.split(), bazel_version=version).exec()
    assert made.value(option).values == expected


def test_windows_has_no_g0_in_the_execution_configuration() -> None:
    # Bazel: builtin_exec_platforms.bzl since 8.0.0 (bazel#24562).
    made = configuration("--host_copt=/x", bazel_version="8.7.0", host="windows").exec()
    assert made.value("copt").values == ("/x",)


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
    definition = flag_catalog.load("4.2.3").find(option)
    assert definition is not None
    assert parse_value(definition, text).text == canonical


@pytest.mark.parametrize(
    ("option", "text"),
    [("compilation_mode", "fast"), ("stamp", ""), ("define", "=x"), ("define", "x")],
)
def test_values_that_are_none(option: str, text: str) -> None:
    definition = flag_catalog.load("4.2.3").find(option)
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
