"""What implementations see of the targets that they depend on: providers, files, runfiles."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.analysis.rules.provided import Implemented, name_of
from bazelscope.base.unknown import Unknown
from tests.support.files import write_files
from tests.unit.analysis.rules.rules_world import known, paths, ran

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


def test_a_rule_that_depends_on_one_of_its_own_kind_is_no_recursion(tmp_path: Path) -> None:
    chain = "\n".join(f'r(name = "n{i}", deps = ["n{i + 1}"])' for i in range(400))
    build = f'r(name = "top", deps = ["n0"])\n{chain}\nr(name = "n400")'
    (info, _) = known(ran(tmp_path, _PROVIDERS, build)).providers.values()
    assert len(info.fields["names"].depset_elements()) == 402


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
    runfiles = ctx.runfiles(transitive_files = ctx.attr.dep[CcInfo].compilation_context.headers)
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


@pytest.mark.parametrize("returned", ["", "OutputGroupInfo(all = depset(ctx.files.srcs))"])
def test_every_rule_has_output_groups(tmp_path: Path, returned: str) -> None:
    rules = f"""
def _impl(ctx):
    return [{returned}]

r = rule(_impl, attrs = {{"srcs": attr.label_list()}}, provides = [DefaultInfo, OutputGroupInfo])
"""
    known(ran(tmp_path, rules, 'r(name = "top")'))


_STATEFUL = """
def _impl(ctx):
    program, data = [ctx.actions.declare_file(ctx.label.name + end) for end in ("", ".d")]
    ctx.actions.write(program, "", is_executable = True)
    ctx.actions.write(data, "")
    return [DefaultInfo(executable = program, default_runfiles = ctx.runfiles(files = [data]))]
r = rule(_impl, executable = True)
"""


@pytest.mark.parametrize(
    ("version", "failure"),
    [
        ("4.2.3", "main program top not included in runfiles"),
        ("8.2.0", "main program"),
        ("8.3.0", ""),
    ],
)
def test_runfiles_given_by_themselves_get_the_executable_since_8_3(
    tmp_path: Path, version: str, failure: str
) -> None:
    result = ran(tmp_path, _STATEFUL, 'r(name = "top")', version=version)
    assert isinstance(result, Implemented)
    assert (result.failure is None) == (not failure)
    assert failure in str(result.failure)


def test_make_variables_that_nobody_can_tell_may_be_keywords(tmp_path: Path) -> None:
    """Which a toolchain gives cannot be told: no text that is made of them, but no failure."""
    rules = """
load("@far//:defs.bzl", "TOOLCHAIN")
def _impl(ctx):
    return [DefaultInfo(files = depset([])), Info(text = "{GREETING}".format(**ctx.var))]
Info = provider()
r = rule(_impl, attrs = {"_tool": attr.label(default = TOOLCHAIN), "toolchains": attr.label_list()})
"""
    result = ran(tmp_path, rules, 'r(name = "top", toolchains = ["@far//:tool"])')
    assert not (isinstance(result, Implemented) and result.failure), result


def test_the_hash_of_a_file_is_that_of_bazels_own_function(tmp_path: Path) -> None:
    rules = """
load("@bazel_tools//tools/build_defs/hash:hash.bzl", "sha256", "tools")
def _impl(ctx):
    return [DefaultInfo(files = depset([sha256(ctx, ctx.file.src)]))]
r = rule(_impl, attrs = {
    "src": attr.label(allow_single_file = True),
    "sha256": tools["sha256"],
})
"""
    result = ran(tmp_path, rules, 'r(name = "top", src = "a.txt")')
    assert paths(result) == ["bazel-out/k8-fastbuild/bin/a.txt.sha256"]
