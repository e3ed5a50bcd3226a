"""The platforms that toolchain resolution makes dependencies, as cquery listed them."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.graph.target_graph import TargetGraph
from bazelscope.api import Workspace
from bazelscope.base.label import PackageId, parse_label

WORKSPACE = """\
register_toolchains("//tc:t")
register_execution_platforms("//tc:first", "//tc:second")
bind(name = "bound", actual = "//p:plain")
"""
TOOLCHAINS = """\
load(":rules.bzl", "tool")
constraint_setting(name = "s")
constraint_value(name = "v", constraint_setting = ":s")
platform(name = "first")
platform(name = "second", constraint_values = [":v"])
platform(name = "target", constraint_values = [":v"])
alias(name = "target_alias", actual = ":target")
alias(name = "second_alias", actual = ":second")
toolchain_type(name = "type")
tool(name = "impl")
toolchain(name = "t", toolchain = ":impl", toolchain_type = ":type")
"""
RULES = """\
def _tool(ctx):
    return [platform_common.ToolchainInfo()]

def _impl(ctx):
    return []

tool = rule(_tool)
setting = rule(_impl, build_setting = config.bool())
plain = rule(_impl, attrs = {"tool": attr.label(cfg = "exec"), "value": attr.label()})
needs = rule(_impl, toolchains = ["//tc:type"])
"""
BUILD = """\
load("//tc:rules.bzl", "needs", "plain", "setting")
plain(name = "plain")
needs(name = "needs")
filegroup(name = "files")
alias(name = "alias", actual = ":files")
setting(name = "setting", build_setting_default = False)
config_setting(name = "condition", values = {"cpu": "k8"})
genrule(name = "gen", outs = ["o"], cmd = "")
constraint_setting(name = "constraint")
toolchain_type(name = "type")
"""
NARROWED = """
plain(name = "narrowed", exec_compatible_with = ["//tc:v"])
config_setting(name = "on_v", constraint_values = ["//tc:v"])
plain(name = "tool", value = select({":on_v": ":files", "//conditions:default": None}))
plain(name = "user", tool = ":tool")
plain(name = "narrowed_user", tool = ":tool", exec_compatible_with = ["//tc:v"])
"""
TARGET, FIRST, SECOND = "//tc:target", "//tc:first", "//tc:second"
AUTOMATIC = "@local_config_platform//:host"
OLD_HOST = "@bazel_tools//platforms:host_platform"
TYPE, TOOL, VALUE = "//tc:type", "//tc:impl", "//tc:v"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name, text in {
        "WORKSPACE": WORKSPACE,
        "tc/BUILD": TOOLCHAINS,
        "tc/rules.bzl": RULES,
        "p/BUILD": BUILD,
        "q/BUILD": 'load("//tc:rules.bzl", "plain")\nfilegroup(name = "files")\n' + NARROWED,
    }.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return tmp_path


def graph_of(root: Path, version: str, implicit: bool, *flags: str) -> ConfiguredGraph:
    if version == "0.24.1":  # which has build settings by a flag only, and no "exec" yet
        flags += ("--experimental_build_setting_api",)
        rules = root / "tc/rules.bzl"
        rules.write_text(rules.read_text().replace('cfg = "exec"', 'cfg = "host"'))
    asked = Workspace.open(root, bazel_version=version).configure([f"--platforms={TARGET}", *flags])
    graph = TargetGraph(asked.loader, version, implicit=implicit)
    return ConfiguredGraph(graph, asked.world.configuration)


def direct(graph: ConfiguredGraph, text: str) -> set[str]:
    label = parse_label(text, PackageId("", ""))
    return {str(node.label) for node in graph.deps([label], depth=1)} - {text}


PLAIN = {
    "0.24.1": {OLD_HOST, TARGET},
    "2.1.0": {AUTOMATIC, FIRST, TARGET},
    "4.2.3": {AUTOMATIC, FIRST, TARGET},
}
NO_PLATFORMS = ("//p:constraint", "//p:setting", "//p:type")


@pytest.mark.parametrize("version", ["0.24.1", "2.1.0", "4.2.3"])
def test_with_implicit_dependencies(root: Path, version: str) -> None:
    graph = graph_of(root, version, True)
    assert direct(graph, "//p:plain") == PLAIN[version]
    assert direct(graph, "//p:condition") == PLAIN[version]
    assert direct(graph, "//p:gen") >= PLAIN[version]
    of_files = PLAIN[version] if version == "4.2.3" else set()
    assert direct(graph, "//p:files") == of_files
    assert direct(graph, "//p:alias") == {"//p:files"}
    for label in NO_PLATFORMS:
        assert direct(graph, label) == set(), label
    of_type = set() if version == "0.24.1" else {TYPE}
    chosen = {FIRST}
    assert direct(graph, "//p:needs") == PLAIN[version] | chosen | of_type | {TOOL}


@pytest.mark.parametrize(
    ("version", "label", "expected"),
    [
        ("0.24.1", "//p:plain", set()),
        ("0.24.1", "//p:needs", {OLD_HOST}),
        ("0.24.1", "//external:bound", {"//p:plain", OLD_HOST, TARGET}),
        ("2.1.0", "//p:plain", {AUTOMATIC}),
        ("2.1.0", "//p:files", set()),
        ("2.1.0", "//p:needs", {AUTOMATIC, TYPE, TOOL}),
        ("2.1.0", "//q:narrowed", {AUTOMATIC, FIRST, VALUE}),
        ("2.1.0", "//external:bound", {"//p:plain", AUTOMATIC, FIRST, TARGET}),
        ("4.2.3", "//p:plain", set()),
        ("4.2.3", "//p:needs", set()),
        ("4.2.3", "//q:narrowed", set()),
        ("4.2.3", "//external:bound", {"//p:plain", AUTOMATIC, FIRST, TARGET}),
    ],
)
def test_without_implicit_dependencies(
    root: Path, version: str, label: str, expected: set[str]
) -> None:
    assert direct(graph_of(root, version, False), label) == expected


@pytest.mark.parametrize(
    ("version", "flag", "expected"),
    [
        ("2.1.0", "--platforms=//tc:target_alias", {AUTOMATIC, "//tc:target_alias"}),
        (
            "2.1.0",
            "--extra_execution_platforms=//tc:second_alias",
            {AUTOMATIC, "//tc:second_alias"},
        ),
        ("4.2.3", "--platforms=//tc:target_alias", set()),
    ],
)
def test_a_chosen_platform_that_an_alias_names_is_not_hidden(
    root: Path, version: str, flag: str, expected: set[str]
) -> None:
    assert direct(graph_of(root, version, False, flag), "//p:plain") == expected


def test_a_rule_that_narrows_the_choice_depends_on_all_of_it(root: Path) -> None:
    found = direct(graph_of(root, "4.2.3", True), "//q:narrowed")
    assert found == {AUTOMATIC, FIRST, SECOND, TARGET, VALUE}


@pytest.mark.parametrize(
    ("flag", "platform"),
    [
        ("--extra_execution_platforms=//tc:second_alias", "//tc:second"),
        ("--extra_execution_platforms=//tc:second", "//tc:second"),
        ("--host_platform=//tc:second_alias", FIRST),
    ],
)
def test_tools_are_built_for_the_platform_itself_that_an_alias_names(
    root: Path, flag: str, platform: str
) -> None:
    graph = graph_of(root, "4.2.3", False, flag)
    made = {
        node.configuration.value("platforms").value
        for node in graph.deps([parse_label("//q:user", PackageId("", ""))])
        if node.configuration is not None and node.description == "exec"
    }
    assert made == {platform}


@pytest.mark.parametrize(
    ("label", "flags", "is_taken"),
    [
        ("//q:user", (), False),
        ("//q:user", ("--extra_execution_platforms=//tc:second",), True),
        ("//q:narrowed_user", (), True),
    ],
)
@pytest.mark.parametrize("version", ["2.1.0", "4.2.3"])
def test_tools_are_built_for_the_platform_that_is_chosen(
    root: Path, version: str, label: str, flags: tuple[str, ...], is_taken: bool
) -> None:
    graph = graph_of(root, version, False, *flags)
    found = {str(node.label) for node in graph.deps([parse_label(label, PackageId("", ""))])}
    assert ("//q:files" in found) == is_taken
