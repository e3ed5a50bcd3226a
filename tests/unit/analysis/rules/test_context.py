"""What `ctx` tells an implementation: settings, toolchains, features, fragments, texts, outputs."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.analysis.conditions.match_result import UnknownMatch
from bazelscope.analysis.rules.provided import Implemented
from bazelscope.api import Workspace
from bazelscope.base.label import Label
from bazelscope.base.unknown import Reason, Unknown
from tests.support.files import write_files
from tests.unit.analysis.rules.rules_world import known, paths, ran


def test_build_settings_have_the_values_of_the_command_line(tmp_path: Path) -> None:
    rules = """
Info = provider()
def _impl(ctx):
    return Info(value = ctx.build_setting_value)
r = rule(implementation = _impl, build_setting = config.int(flag = True))
"""
    build = 'r(name = "top", build_setting_default = 3)'
    for words, value in (((), 3), (("--//:top=5",), 5)):
        (info, _) = known(ran(tmp_path, rules, build, *words)).providers.values()
        assert info.fields == {"value": value}


def test_a_toolchain_is_what_resolution_chooses(tmp_path: Path) -> None:
    rules = """
Info = provider()
def _tool(ctx):
    return [platform_common.ToolchainInfo(name = ctx.label.name)]
tool = rule(_tool)
def _impl(ctx):
    return [Info(name = ctx.toolchains["//:type"].name)]
r = rule(_impl, toolchains = ["//:type"])
"""
    build = """
load(":rules.bzl", "tool")
toolchain_type(name = "type")
tool(name = "impl")
toolchain(name = "chain", toolchain = ":impl", toolchain_type = ":type")
r(name = "top")
"""
    result = known(ran(tmp_path, rules, build, "--extra_toolchains=//:chain"))
    (info, _) = result.providers.values()
    assert info.fields == {"name": "impl"}


def test_expansions(tmp_path: Path) -> None:
    rules = """
Info = provider()
def _impl(ctx):
    return [Info(
        location = ctx.expand_location("a $(location :x.txt) $(rootpath :g)", ctx.attr.deps),
        variable = ctx.expand_make_variables("c", "$$ $(TARGET_CPU) $(V) $(W)", {"W": "w"}),
        words = ctx.tokenize("a 'b c' d"),
    )]
r = rule(implementation = _impl, attrs = {"deps": attr.label_list(allow_files = True)})
"""
    build = """
genrule(name = "g", outs = ["g.txt"], cmd = "")
r(name = "top", deps = ["x.txt", ":g"])
"""
    (info, _) = known(ran(tmp_path, rules, build, "--define=V=v")).providers.values()
    assert info.fields == {
        "location": "a x.txt g.txt",
        "variable": "$ k8 v w",
        "words": ["a", "b c", "d"],
    }


_FEATURES = """
def _impl(ctx):
    ctx.actions.write(ctx.outputs.out, str(ctx.features) + str(ctx.disabled_features))

r = rule(implementation = _impl, attrs = {"out": attr.output()})
"""
_OF_LINE = ("--features=c1", "--features=-c2", "--features=p1", "--features=-zz")


@pytest.mark.parametrize(
    ("words", "features", "asked", "off"),
    [
        ((), "", ["p1", "p3"], ["p2"]),
        ((), '["zz", "-p1", "aa", "-c1", "p2"]', ["aa", "p2", "p3", "zz"], ["c1", "p1"]),
        ((), '["x", "-x", "c1", "no_x"]', ["c1", "no_x", "p1", "p3"], ["p2", "x"]),
        (_OF_LINE, '["zz", "-p1", "p2"]', ["c1", "p2", "p3"], ["c2", "p1", "zz"]),
        (_OF_LINE, "", ["c1", "p1", "p3"], ["c2", "p2", "zz"]),
        (("--features=x,y",), "", ["p1", "p3", "x,y"], ["p2"]),
        (
            ("--define=a=1", "--features=-s1"),
            'select({":a": ["s1", "s3"], "//conditions:default": ["-s2"]})',
            ["p1", "p3", "s3"],
            ["p2", "s1"],
        ),
    ],
)
def test_features(
    tmp_path: Path, words: tuple[str, ...], features: str, asked: list[str], off: list[str]
) -> None:
    """As 0.24.1, 2.1.0 and 4.2.3 have them, asked one by one."""
    given = f", features = {features}" if features else ""
    build = (
        'package(features = ["p1", "-p2", "p3"])\n'
        'config_setting(name = "a", define_values = {"a": "1"})\n'
        f'r(name = "top", out = "o"{given})\n'
    )
    (written,) = known(ran(tmp_path, _FEATURES, build, *words)).actions
    assert written.given["content"] == f"{asked}{off}".replace("'", '"')


_FRAGMENTS = """
Info = provider()
def _tc(ctx):
    return [platform_common.ToolchainInfo(text = ctx.label.name)]
tc = rule(_tc)
def _impl(ctx):
    cpp, platform = ctx.fragments.cpp, ctx.fragments.platform
    seen = [cpp.copts, cpp.cxxopts, cpp.conlyopts, cpp.linkopts, str(platform.platform)]
    seen += [ctx.configuration.coverage_enabled, ctx.configuration.host_path_separator]
    seen += ["same" in ctx.exec_groups, ctx.exec_groups["same"].toolchains["//:tt"].text]
    seen.append(ctx.exec_groups["other"].toolchains["//:tt"].text)
    fail(str(seen[:%d]))
r = rule(
    implementation = _impl,
    fragments = ["cpp", "platform"],
    toolchains = ["//:tt"],
    exec_groups = {
        "same": exec_group(toolchains = ["//:tt"]),
        "other": exec_group(toolchains = ["//:tt"], exec_compatible_with = ["//:here"]),
    },
)
"""
_GROUPS = """
load(":rules.bzl", "tc")
toolchain_type(name = "tt")
tc(name = "tc_one")
toolchain(name = "one", toolchain = ":tc_one", toolchain_type = ":tt")
constraint_setting(name = "where", default_constraint_value = ":here")
constraint_value(name = "here", constraint_setting = ":where")
r(name = "top")
"""


def test_fragments_and_execution_groups(tmp_path: Path) -> None:
    """As 4.2.3 has them."""
    words = ["--copt=-DA", "--copt=-DB", "--linkopt=-lz", "--extra_toolchains=//:one"]
    words.append("--experimental_exec_groups")
    result = ran(tmp_path / "told", _FRAGMENTS % 10, _GROUPS, *words)
    assert isinstance(result, Implemented)
    assert result.failure is not None
    assert result.failure.message == (
        '[["-DA", "-DB"], [], [], ["-lz"], "@local_config_platform//:host", False, ":", True,'
        ' "tc_one", "tc_one"]'
    )


def test_toolchains_of_a_class_may_add_make_variables(tmp_path: Path) -> None:
    rules = """
def _impl(ctx):
    ctx.expand_make_variables("x", "$(CARGO)", {})
    return []

def _chain(ctx):
    return [platform_common.ToolchainInfo(), platform_common.TemplateVariableInfo({"CARGO": "c"})]

chain = rule(_chain)
r = rule(_impl, toolchains = ["//:type"])
"""
    build = """
load("//:rules.bzl", "chain")
toolchain_type(name = "type")
chain(name = "c")
toolchain(name = "t", toolchain = ":c", toolchain_type = ":type")
r(name = "top")
"""
    result = ran(tmp_path, rules, build, "--extra_toolchains=//:t")
    assert isinstance(result, Unknown) or result.failure is None


def test_make_variables_are_a_dict(tmp_path: Path) -> None:
    rules = """
def _impl(ctx):
    mine = dict(ctx.var)
    mine.update({"X": "1"})
    fail(mine["COMPILATION_MODE"], mine["X"], "Y" in (ctx.var | {"Y": "2"}), "GONE" in ctx.var)

r = rule(_impl)
"""
    result = ran(tmp_path, rules, 'r(name = "top")', "-c", "opt", version="8.4.0")
    assert isinstance(result, Implemented)
    assert result.failure is not None
    assert result.failure.message == "opt 1 True False"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "False False True, True False True"),
        (("--stamp", "--noenable_runfiles"), "False True False, True False False"),
    ],
)
def test_what_bazels_own_rules_ask_of_the_configuration(
    tmp_path: Path, words: tuple[str, ...], told: str
) -> None:
    rules = """
def _impl(ctx):
    own = ctx.configuration
    answers = [own.is_tool_configuration(), own.stamp_binaries(), own.runfiles_enabled()]
    said = " ".join([str(one) for one in answers])
    for tool in ctx.attr.tools:
        fail("{}, {}".format(said, tool[Said].text))
    return [Said(text = said)]

Said = provider()
r = rule(_impl, attrs = {"tools": attr.label_list(cfg = "exec")})
"""
    build = 'r(name = "tool")\nr(name = "top", tools = [":tool"])'
    result = ran(tmp_path, rules, build, *words, version="8.7.0")
    assert isinstance(result, Implemented)
    assert result.failure is not None
    assert result.failure.message == told


def test_a_setting_of_an_unknown_default_is_unknown(tmp_path: Path) -> None:
    write_files(tmp_path, {"MODULE.bazel": 'bazel_dep(name = "far", version = "1.0")'})
    rules = """
def _read(ctx):
    [int(part) for part in ctx.build_setting_value.split(".")]

version = rule(_read, build_setting = config.string())
r = rule(lambda ctx: None, attrs = {"version": attr.label()})
"""
    build = """
load("@far//:defs.bzl", "FOUND")
load("//:rules.bzl", "version")
version(name = "version", build_setting_default = FOUND)
r(name = "top", version = ":version")
config_setting(name = "is_2", flag_values = {":version": "2"})
"""
    result = ran(tmp_path, rules, build, target="//:version", version="8.4.0")
    assert isinstance(result, Unknown) or result.failure is None
    workspace = Workspace.open(tmp_path, bazel_version="8.4.0").configure(())
    holds = workspace.world.configured.conditions().match(Label("", "", "is_2"))
    assert isinstance(holds, UnknownMatch)
    assert holds.unknown.reason is not Reason.FAILED


def test_outputs_that_a_function_names(tmp_path: Path) -> None:
    rules = """
def _outputs(suffix, where):
    return {"one-two": "%{name}-a/" + suffix, "other": (where.name if where else "") + "b"}

def _impl(ctx):
    for file in [getattr(ctx.outputs, "one-two"), ctx.outputs.other]:
        ctx.actions.write(file, "")
    return [DefaultInfo(files = depset([getattr(ctx.outputs, "one-two")]))]

attrs = {"suffix": attr.string(default = "c"), "where": attr.label()}
r = rule(_impl, outputs = _outputs, attrs = attrs)
"""
    result = ran(tmp_path, rules, 'r(name = "top", where = "x")\nfilegroup(name = "x")')
    assert [path.rpartition("/bin/")[2] for path in paths(result)] == ["top-a/c"]


@pytest.mark.parametrize(
    ("version", "words", "fails"),
    [
        ("4.2.3", (), True),
        ("4.2.3", ("--experimental_allow_unresolved_symlinks",), False),
        ("7.0.0", (), False),
        ("9.1.0", (), False),
        ("9.1.0", ("--noallow_unresolved_symlinks",), True),
    ],
)
def test_links_to_anywhere_where_the_release_or_an_option_lets_them(
    tmp_path: Path, version: str, words: tuple[str, ...], fails: bool
) -> None:
    rules = """
def _impl(ctx):
    link = ctx.actions.declare_symlink("l")
    ctx.actions.symlink(output = link, target_path = "/x")
    return [DefaultInfo(files = depset([link]))]
r = rule(_impl)
"""
    result = ran(tmp_path, rules, 'r(name = "top")', *words, version=version)
    assert isinstance(result, Implemented)
    assert bool(result.failure) is fails


@pytest.mark.parametrize("version", ["6.0.0", "9.1.0"])
def test_actions_of_execution_groups(tmp_path: Path, version: str) -> None:
    rules = """
def _impl(ctx):
    out = ctx.actions.declare_file("o")
    ctx.actions.run_shell(outputs = [out], command = "true", exec_group = "g")
    return [DefaultInfo(files = depset([out]))]
r = rule(_impl, exec_groups = {"g": exec_group()})
"""
    assert paths(ran(tmp_path, rules, 'r(name = "top")', version=version))


@pytest.mark.parametrize(
    ("value", "more"),
    [
        ("ctx.features", ""),
        ("ctx.disabled_features", ""),
        ("ctx.build_setting_value", ", build_setting = config.string_list(flag = True)"),
    ],
)
def test_lists_that_are_new_each_time(tmp_path: Path, value: str, more: str) -> None:
    """Measured: 2.1.0, 4.2.3."""
    rules = f"""
Info = provider()
def _impl(ctx):
    changed = {value}
    changed.append("x")
    return Info(changed = changed[-1], again = "x" in {value})
r = rule(_impl{more})
"""
    build = f'r(name = "top"{", build_setting_default = []" if more else ""})'
    (info, _) = known(ran(tmp_path, rules, build)).providers.values()
    assert info.fields == {"changed": "x", "again": False}
