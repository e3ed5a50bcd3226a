"""Implementations run dry: what they provide, make and refuse; files as 4.2.3 has them."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.analysis.conditions.match_result import UnknownMatch
from bazelscope.analysis.rules.provided import Implemented, name_of
from bazelscope.api import Workspace
from bazelscope.base.label import Label
from bazelscope.base.unknown import Reason, Unknown
from tests.support.files import write_files
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


_PROVIDERS = """
Info = provider(fields = ["names"])
def _impl(ctx):
    below = [d[Info].names for d in ctx.attr.deps if Info in d]
    return [Info(names = depset([ctx.label.name], transitive = below)), OutputGroupInfo(o = [])]
r = rule(implementation = _impl, attrs = {"deps": attr.label_list()})
"""


def test_providers_of_dependencies(tmp_path: Path) -> None:
    build = """
r(name = "top", deps = [":a", ":way", ":g"])
r(name = "a")
r(name = "b")
alias(name = "way", actual = ":b")
genrule(name = "g", outs = ["g.txt"], cmd = "")
"""
    result = known(ran(tmp_path, _PROVIDERS, build))
    assert [name_of(key) for key in result.providers] == ["//:rules.bzl%Info", "OutputGroupInfo"]
    (info, _) = result.providers.values()
    assert str(info.fields["names"]) == 'depset(["a", "b", "top"])'


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
        ("return [DefaultInfo(files = [1])]", "expected depset for 'files' but got list"),
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
    line = 3 if body.startswith("return [D") or body == "return 1" or "x = 2" in body else 4
    assert (result.failure.span.path, result.failure.span.line) == ("rules.bzl", line)


UNKNOWN = [
    ("if ctx.fragments.cpp.compiler: fail()", "ctx.fragments"),
    ("for f in ctx.attr.cc.files.to_list(): fail()", "cc_library"),
    ("if ctx.attr.cc[CcInfo].x == 1: fail()", "CcInfo"),
    ("if hasattr(ctx.attr.cc, 'proto'): fail()", "proto"),
    ("ctx.actions.odd()", "ctx.actions.odd"),
    ("while_ = [x for y in range(10000) for x in range(10000)]", "steps"),
    ("x = 'x' * 100000000", "limit"),
    ("x = [1]\n    for i in range(60): x = [x, x]\n    fail(str(x))", ""),
]


@pytest.mark.parametrize(("body", "reason"), UNKNOWN)
def test_what_cannot_be_followed_is_unknown(tmp_path: Path, body: str, reason: str) -> None:
    rules = f"""
def _impl(ctx):
    {body}
r = rule(implementation = _impl, attrs = {{"cc": attr.label()}})
"""
    result = ran(tmp_path, rules, 'cc_library(name = "c")\nr(name = "top", cc = "c")')
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


def test_a_rule_that_depends_on_one_of_its_own_kind_is_no_recursion(tmp_path: Path) -> None:
    chain = "\n".join(f'r(name = "n{i}", deps = ["n{i + 1}"])' for i in range(400))
    build = f'r(name = "top", deps = ["n0"])\n{chain}\nr(name = "n400")'
    (info, _) = known(ran(tmp_path, _PROVIDERS, build)).providers.values()
    assert len(info.fields["names"].depset_elements()) == 402


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


def test_a_toolchain_configuration(tmp_path: Path) -> None:
    rules = """
load("@bazel_tools//tools/cpp:cc_toolchain_config_lib.bzl", "feature", "tool_path")
def _impl(ctx):
    return cc_common.create_cc_toolchain_config_info(
        ctx = ctx,
        compiler = "gcc",
        features = [feature(name = "opt", enabled = True)],
        tool_paths = [tool_path(name = "gcc", path = "/usr/bin/gcc")],
    )
r = rule(implementation = _impl, provides = [CcToolchainConfigInfo])
"""
    result = known(ran(tmp_path, rules, 'r(name = "top")'))
    info = result.providers["CcToolchainConfigInfo"]
    assert info.fields["compiler"] == "gcc"
    assert info.fields["features"][0].fields["name"] == "opt"


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
        "other": exec_group(toolchains = ["//:tt"], exec_compatible_with = ["//:no"]),
    },
)
"""
_GROUPS = """
load(":rules.bzl", "tc")
toolchain_type(name = "tt")
tc(name = "tc_one")
toolchain(name = "one", toolchain = ":tc_one", toolchain_type = ":tt")
r(name = "top")
"""


def test_fragments_and_execution_groups(tmp_path: Path) -> None:
    """As 4.2.3 has them; what a group that asks for more gets is not told."""
    words = ["--copt=-DA", "--copt=-DB", "--linkopt=-lz", "--extra_toolchains=//:one"]
    result = ran(tmp_path / "told", _FRAGMENTS % 9, _GROUPS, *words)
    assert isinstance(result, Implemented)
    assert result.failure is not None
    assert result.failure.message == (
        '[["-DA", "-DB"], [], [], ["-lz"], "@local_config_platform//:host", False, ":", True,'
        ' "tc_one"]'
    )
    decides = _FRAGMENTS.replace("fail(str(seen[:%d]))", "if seen[-1]: fail()")
    assert "ctx.exec_groups" in why_unknown(ran(tmp_path / "untold", decides, _GROUPS, *words))


def test_default_info_shows_what_it_was_made_of(tmp_path: Path) -> None:
    """The fields as 0.26.1, 2.1.0 and 4.2.3 have them."""
    rules = """
def _shown(info):
    names = ["data_runfiles", "default_runfiles", "files_to_run"]
    return " ".join([type(getattr(info, name)) for name in names])

def _impl(ctx):
    runfiles = ctx.runfiles()
    both = DefaultInfo(runfiles = runfiles)
    made = [both, DefaultInfo(data_runfiles = runfiles), DefaultInfo()]
    fail(", ".join([_shown(one) for one in made]), hasattr(both, "runfiles"))

r = rule(_impl)
"""
    result = ran(tmp_path, rules, 'r(name = "top")')
    assert isinstance(result, Implemented)
    assert result.failure is not None
    expected = (
        "runfiles runfiles NoneType, runfiles NoneType NoneType, NoneType NoneType NoneType False"
    )
    assert result.failure.message == expected


def test_unknown_runfiles_are_runfiles(tmp_path: Path) -> None:
    rules = """
def _impl(ctx):
    runfiles = ctx.runfiles(transitive_files = ctx.attr.dep[CcInfo].files)
    if type(runfiles) != "runfiles":
        fail("no runfiles")
    return []

r = rule(_impl, attrs = {"dep": attr.label()})
"""
    known(ran(tmp_path, rules, 'cc_library(name = "c")\nr(name = "top", dep = ":c")'))


def test_files_are_in_the_order_of_their_paths(tmp_path: Path) -> None:
    rules = """
def _impl(ctx):
    fail(sorted(ctx.files.srcs), ctx.files.srcs[0] < ctx.files.srcs[1])

r = rule(_impl, attrs = {"srcs": attr.label_list(allow_files = True)})
"""
    build = """
genrule(name = "g", outs = ["made.txt"], cmd = "")
r(name = "top", srcs = ["c.txt", "a.txt", ":g"])
"""
    result = ran(tmp_path, rules, build)
    assert isinstance(result, Implemented)
    assert result.failure is not None
    # A generated file lies below `bazel-out`.
    expected = "[<source file a.txt>, <generated file made.txt>, <source file c.txt>] False"
    assert result.failure.message == expected


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


def test_a_rule_that_extends_a_test_is_one(tmp_path: Path) -> None:
    rules = """
def _impl(ctx):
    out = ctx.actions.declare_file("out")
    ctx.actions.write(out, "", is_executable = True)
    return [DefaultInfo(executable = out)]

parent_test = rule(_impl, test = True)
child_test = rule(_impl, parent = parent_test)
r = child_test
"""
    build = 'load(":rules.bzl", "child_test")\nchild_test(name = "top")'
    result = known(ran(tmp_path, rules, build, version="8.4.0"))
    assert result.rule_class == "child_test"


def test_files_of_modules_lie_below_canonical_names(tmp_path: Path) -> None:
    files = {
        "MODULE.bazel": """
files = "@bazel_tools//tools/build_defs/repo:local.bzl"
local_repository = use_repo_rule(files, "local_repository")
local_repository(name = "far", path = "far")
""",
        "far/REPO.bazel": "",
        "far/BUILD": 'exports_files(["x.txt"])',
        "far/x.txt": "",
    }
    write_files(tmp_path, files)
    rules = """
def _impl(ctx):
    [file] = ctx.files.srcs
    fail(file.short_path, file.path, file.owner.workspace_name)

r = rule(_impl, attrs = {"srcs": attr.label_list(allow_files = True)})
"""
    build = 'r(name = "top", srcs = ["@far//:x.txt"])'
    result = ran(tmp_path, rules, build, version="8.4.0")
    assert isinstance(result, Implemented)
    assert result.failure is not None
    name = "+_repo_rules+far"
    assert result.failure.message == f"../{name}/x.txt external/{name}/x.txt {name}"


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


def test_a_provider_of_a_repository_may_be_what_a_native_rule_returns(tmp_path: Path) -> None:
    rules = """
JavaPluginInfo, _new = provider(init = lambda **kwargs: kwargs)
Other = provider()

def _impl(ctx):
    if Other in ctx.attr.dep:
        fail("a rule of Bazel's has none of ours")
    ctx.attr.dep[JavaPluginInfo]

r = rule(_impl, attrs = {"dep": attr.label()})
"""
    build = 'java_plugins_flag_alias(name = "flags")\nr(name = "top", dep = ":flags")'
    known(ran(tmp_path, rules, build, version="9.1.0"))


def test_actions_of_a_target_are_a_provider_too(tmp_path: Path) -> None:
    rules = """
def _impl(ctx):
    if not ctx.attr.dep[Actions].by_file:
        fail("bazelscope cannot know")

r = rule(_impl, attrs = {"dep": attr.label()})
"""
    result = ran(tmp_path, rules, 'filegroup(name = "f")\nr(name = "top", dep = ":f")')
    assert isinstance(result, Unknown) or result.failure is None


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


@pytest.mark.parametrize("returned", ["", "OutputGroupInfo(all = depset(ctx.files.srcs))"])
def test_every_rule_has_output_groups(tmp_path: Path, returned: str) -> None:
    rules = f"""
def _impl(ctx):
    return [{returned}]

r = rule(_impl, attrs = {{"srcs": attr.label_list()}}, provides = [DefaultInfo, OutputGroupInfo])
"""
    known(ran(tmp_path, rules, 'r(name = "top")'))
