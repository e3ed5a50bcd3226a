"""Implementations run dry: what they provide, make and refuse; files as 4.2.3 has them."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.analysis.rules.provided import Implemented
from bazelscope.base.unknown import Reason, Unknown
from tests.unit.analysis.rules.rules_world import known, paths, ran, why_unknown

BIN = "bazel-out/k8-fastbuild/bin"

_FILES = """
def _impl(ctx):
    made = ctx.actions.declare_file("sub/%s.o" % ctx.label.name)
    tree = ctx.actions.declare_directory("tree", sibling = made)
    ctx.actions.write(made, ctx.attr.text)
    args = ctx.actions.args()
    args.add("--out", made)
    args.add_all(ctx.files.srcs, before_each = "-i", map_each = _short)
    args.add_joined(["a", "b"], join_with = ",", format_each = "<%s>")
    ctx.actions.run(
        executable = ctx.executable.tool,
        arguments = ["first", args],
        inputs = ctx.files.srcs,
        outputs = [tree, ctx.outputs.out],
        mnemonic = "Make",
    )
    return [DefaultInfo(files = depset([made], transitive = [d.files for d in ctx.attr.srcs]))]

def _short(file):
    return file.short_path

r = rule(
    implementation = _impl,
    attrs = {
        "out": attr.output(),
        "srcs": attr.label_list(allow_files = True),
        "text": attr.string(),
        "tool": attr.label(executable = True, cfg = "host"),
    },
)
"""
_USE = """
genrule(name = "g", outs = ["g.txt"], cmd = "")
sh_binary(name = "sh", srcs = ["s.sh"])
config_setting(name = "opt", values = {"compilation_mode": "opt"})
r(name = "top", srcs = select({":opt": ["x.txt"], "//conditions:default": [":g", "x.txt"]}),
  out = "top.out", text = "hello", tool = ":sh")
"""


def test_files_and_actions(tmp_path: Path) -> None:
    result = known(ran(tmp_path, _FILES, _USE))
    assert paths(result) == [f"{BIN}/g.txt", "x.txt", f"{BIN}/sub/top.o"]
    assert [file.short_path for file in result.outputs] == ["top.out", "sub/top.o", "sub/tree"]
    write, run = result.actions
    assert (write.mnemonic, write.given["content"]) == ("FileWrite", "hello")
    assert run.mnemonic == "Make"
    assert str(run.given["executable"]) == "<generated file sh>"
    made = f"{BIN}/sub/top.o"
    expected = ("first", "--out", made, "-i", "g.txt", "-i", "x.txt", "<a>,<b>")
    assert run.words() == expected


def test_the_configuration_chooses(tmp_path: Path) -> None:
    result = ran(tmp_path, _FILES, _USE, "--compilation_mode=opt")
    assert paths(result) == ["x.txt", "bazel-out/k8-opt/bin/sub/top.o"]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ('fail("not", ctx.label)', "not //:top"),
        ('{}["x"]', "key"),
        ("ctx.attr.nowhere", "nowhere"),
        ("ctx.attr.dep[Info]", "<target //:d> (rule 'd') doesn't contain declared provider 'Info'"),
        ("return 1", "Rule should return a struct or a list, but got int"),
        ("return [Info(x = 1), Info(x = 2)]", "Multiple conflicting returned providers"),
        ("Info(y = 1)", "unexpected keyword 'y'"),
        ("return [DefaultInfo(files = [1])]", "parameter 'files' got value of type 'list'"),
    ],
)
def test_failures(tmp_path: Path, body: str, message: str) -> None:
    rules = f"""
Info = provider(fields = ["x"])
def _impl(ctx):
    {body}
def _nothing(ctx): return []
d = rule(_nothing)
r = rule(implementation = _impl, attrs = {{"dep": attr.label()}})
"""
    result = ran(
        tmp_path, rules, 'load(":rules.bzl", "d")\nd(name = "d")\nr(name = "top", dep = "d")'
    )
    assert isinstance(result, Implemented)
    assert result.failure is not None
    assert message in result.failure.message
    assert result.failure.span is not None
    line = 3 if body == "return 1" or "x = 2" in body else 4
    assert (result.failure.span.path, result.failure.span.line) == ("rules.bzl", line)


UNKNOWN = [
    ("if ctx.fragments.cpp.custom_malloc: fail()", "ctx.fragments"),
    ("for f in ctx.attr.cc.files.to_list(): fail()", "cc_library"),
    ("if ctx.attr.cc[CcInfo].linking_context == 1: fail()", "CcInfo"),
    ("if hasattr(ctx.attr.cc, 'proto'): fail()", "proto"),
    ("if ctx.created_actions(): fail()", "ctx.created_actions"),
    ("while_ = [x for y in range(10000) for x in range(10000)]", "steps"),
    ("x = 'x' * 100000000", "limit"),
    ("x = [1]\n    for i in range(60): x = [x, x]\n    fail(str(x))", ""),
]


@pytest.mark.parametrize(("body", "reason"), UNKNOWN)
def test_what_cannot_be_followed_is_unknown(tmp_path: Path, body: str, reason: str) -> None:
    rules = f"""
def _impl(ctx):
    {body}
r = rule(implementation = _impl, attrs = {{"cc": attr.label()}}, fragments = ["cpp"])
"""
    result = ran(
        tmp_path,
        rules,
        'cc_library(name = "c", srcs = ["c.cc"], features = ["f"])\nr(name = "top", cc = "c")',
    )
    assert reason in why_unknown(result)


def test_a_dependency_that_fails_is_no_failure_of_its_user(tmp_path: Path) -> None:
    rules = """
def _impl(ctx):
    if not ctx.attr.deps:
        fail("none")
r = rule(implementation = _impl, attrs = {"deps": attr.label_list()})
"""
    result = ran(tmp_path, rules, 'r(name = "top", deps = ["a"])\nr(name = "a")')
    assert isinstance(result, Unknown)
    assert (result.reason, result.detail) == (Reason.FAILED, "`//:a` fails")


def test_a_toolchain_configuration(tmp_path: Path) -> None:
    rules = """
load("@bazel_tools//tools/cpp:cc_toolchain_config_lib.bzl", "feature", "tool_path")
def _impl(ctx):
    return cc_common.create_cc_toolchain_config_info(
        ctx = ctx,
        compiler = "gcc",
        toolchain_identifier = "x", host_system_name = "x", target_system_name = "x",
        target_cpu = "x", target_libc = "x", abi_version = "x", abi_libc_version = "x",
        features = [feature(name = "opt", enabled = True)],
        tool_paths = [tool_path(name = "gcc", path = "/usr/bin/gcc")],
    )
r = rule(implementation = _impl, provides = [CcToolchainConfigInfo])
"""
    result = known(ran(tmp_path, rules, 'r(name = "top")'))
    info = result.providers["CcToolchainConfigInfo"]
    assert info.fields["compiler"] == "gcc"
    assert info.fields["features"][0].fields["name"] == "opt"


def test_an_analysis_test_gets_its_program_from_bazel(tmp_path: Path) -> None:
    rules = """
def _impl(ctx):
    return [AnalysisTestResultInfo(success = True, message = "")]
r_test = rule(_impl, analysis_test = True)
r = r_test
"""
    build = 'load(":rules.bzl", "r_test")\nr_test(name = "top")'
    assert "AnalysisTestResultInfo" in known(ran(tmp_path, rules, build)).providers


def test_an_executable_rule_must_have_a_program(tmp_path: Path) -> None:
    rules = "def _impl(ctx): return []\nr = rule(_impl, executable = True)"
    result = ran(tmp_path, rules, 'r(name = "top")')
    assert isinstance(result, Implemented)
    assert result.failure is not None
    assert "needs to create an executable File" in result.failure.message


_XCODE = """
def _impl(ctx):
    config = ctx.attr._xcode_config[apple_common.XcodeVersionConfig]
    if ctx.attr.old and not config.xcode_version():
        fail("no Xcode")
    _, words, _ = ctx.resolve_command(command = "echo")
    env = dict(ctx.configuration.default_shell_env)
    env.update(apple_common.apple_host_system_env(config))
    out = ctx.actions.declare_file("out")
    ctx.actions.run_shell(outputs = [out], command = words if ctx.attr.words else "x", env = env)
    return [DefaultInfo(files = depset([out]))]

r = rule(
    implementation = _impl,
    attrs = {
        "old": attr.bool(),
        "words": attr.bool(),
        "_xcode_config": attr.label(
            default = configuration_field(fragment = "apple", name = "xcode_config_label"),
        ),
    },
    fragments = ["apple"],
)
"""


@pytest.mark.parametrize(
    ("build", "failure"),
    [
        ('r(name = "top")', None),
        ('r(name = "top", old = True)', "no Xcode"),
        ('r(name = "top", words = True)', "'command' must be of type string. passing"),
    ],
)
def test_rules_of_apple_where_there_is_no_xcode(
    build: str, failure: str | None, tmp_path: Path
) -> None:
    result = ran(tmp_path, _XCODE, build)
    assert isinstance(result, Implemented)
    if failure is None:
        assert paths(result) == [f"{BIN}/out"]
        assert result.actions[0].given["env"] == {}
    else:
        assert result.failure is not None
        assert result.failure.message.startswith(failure)


def test_what_is_decided_by_an_unknown_type_is_in_doubt(tmp_path: Path) -> None:
    rules = """
def _impl(ctx):
    if type(ctx.attr.dep[CcInfo].linking_context) != "LinkingContext":
        fail("no linking context")
    return []

r = rule(_impl, attrs = {"dep": attr.label()})
"""
    result = ran(tmp_path, rules, 'cc_library(name = "c")\nr(name = "top", dep = ":c")')
    assert "type(" in why_unknown(result)


def test_how_many_targets_a_split_makes_is_unknown(tmp_path: Path) -> None:
    rules = """
def _split(settings, attr):
    return [{"//command_line_option:cpu": cpu} for cpu in ["arm", "k8"]]

def _impl(ctx):
    if len(ctx.attr.deps) != 2:
        fail("one for each cpu")
    return []

r = rule(_impl, attrs = {
    "deps": attr.label_list(
        cfg = transition(
            implementation = _split,
            inputs = [],
            outputs = ["//command_line_option:cpu"],
        ),
    ),
    "_whitelist_function_transition": attr.label(
        default = "@bazel_tools//tools/whitelists/function_transition_whitelist",
    ),
})
"""
    result = ran(tmp_path, rules, 'filegroup(name = "f")\nr(name = "top", deps = [":f"])')
    assert isinstance(result, Unknown) or result.failure is None


def test_a_rule_that_extends_a_test_is_one(tmp_path: Path) -> None:
    rules = """
def _impl(ctx):
    out = ctx.actions.declare_file("out")
    ctx.actions.write(out, "", is_executable = True)
    return [DefaultInfo(executable = out)]

def _child(ctx):
    return ctx.super()

parent_test = rule(_impl, test = True)
child_test = rule(_child, parent = parent_test)
r = child_test
"""
    build = 'load(":rules.bzl", "child_test")\nchild_test(name = "top")'
    result = known(ran(tmp_path, rules, build, version="8.4.0"))
    assert result.rule_class == "child_test"
