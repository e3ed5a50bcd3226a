"""What Bazel's own rules do not take, and what their implementations refuse (measured: 4.2.3)."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.api import Workspace
from tests.support.files import write_files
from tests.unit.analysis.refusals.closure_world import refused

_LIB = """
package(default_visibility = ["//visibility:public"])
exports_files(["x.txt"])
filegroup(name = "none")
filegroup(name = "one", srcs = ["x.txt"])
filegroup(name = "two", srcs = ["x.txt", "y.txt"])
cc_library(name = "cc")
alias(name = "also_cc", actual = ":cc")
"""


@pytest.mark.parametrize(
    ("build", "expected"),
    [
        ('cc_library(name = "top", srcs = ["//lib:x.txt"])', "misplaced"),
        ('cc_library(name = "top", srcs = ["//lib:one"])', "misplaced"),
        ('cc_library(name = "top", srcs = ["a.cc", "libx.so.1.2"], deps = ["//lib:also_cc"])', ""),
        ('cc_library(name = "top", deps = ["//lib:one"])', "misplaced"),
        ('cc_test(name = "top", deps = ["//lib:one"])', "misplaced"),
        ('cc_library(name = "top", data = ["//lib:one"], hdrs = ["//lib:x.txt"])', ""),
        ('py_library(name = "top", deps = ["//lib:cc"])', "missing-provider"),
        ('py_library(name = "top", deps = ["//lib:x.txt"])', "misplaced"),
        ('test_suite(name = "top", tests = ["//lib:cc"])', "misplaced"),
        ('sh_binary(name = "top", srcs = ["//lib:two"])', "implementation-failed"),
        ('sh_binary(name = "top", srcs = ["//lib:one"])', ""),
        ('py_binary(name = "top", srcs = ["x.py"])', "implementation-failed"),
        ('py_binary(name = "top", srcs = ["x.py"], main = "x.py")', ""),
        ('genrule(name = "top", outs = ["o"])', "missing-attribute"),
        ('genrule(name = "top", outs = ["o", "p"], cmd = "x", executable = 1)', "implementation"),
        ('genrule(name = "top", outs = ["o"], cmd = "$(NONE)")', "expansion-failed"),
        ('genrule(name = "top", outs = ["o"], cmd = "${HOME}")', "expansion-failed"),
        ('genrule(name = "top", outs = ["o"], cmd = "$$HOME $(BINDIR) $@ $(location o)")', ""),
        ('genrule(name = "top", outs = ["o"], cmd = "$(location //lib:one)")', "expansion-failed"),
        (
            (
                'genrule(name = "top", outs = ["o"], srcs = ["//lib:two"],'
                ' cmd = "$(location //lib:two)")'
            ),
            "expansion-failed",
        ),
        (
            (
                'genrule(name = "top", outs = ["o"], srcs = ["//lib:two"],'
                ' cmd = "$(locations //lib:two)")'
            ),
            "",
        ),
        ('genrule(name = "top", outs = ["o"], cmd_bash = "x", cmd = "$(NONE)")', ""),
        ('genrule(name = "top", outs = ["o"], cmd_bash = "$(NONE)", cmd = "x")', "expansion"),
        ('genrule(name = "top", outs = ["o"], cmd_bat = "$(NONE)", cmd = "x")', ""),
        ('genrule(name = "top", outs = ["o"], cmd_bat = "x")', "missing-attribute"),
        ('cc_library(name = "top", copts = ["$(NONE)"])', "expansion-failed"),
        ('cc_library(name = "top", includes = ["$(NONE)"])', "expansion-failed"),
        ('sh_test(name = "top", srcs = ["x.sh"], env = {"A": "$(NONE)"})', "expansion-failed"),
        (
            (
                'sh_test(name = "top", srcs = ["x.sh"], data = ["//lib:one"],'
                ' env = {"A": "$(location //lib:one)"})'
            ),
            "",
        ),
        (
            (
                'cc_binary(name = "top", srcs = ["x.cc"], additional_linker_inputs ='
                ' ["//lib:x.txt"], linkopts = ["$(location //lib:x.txt)"])'
            ),
            "",
        ),
        (
            (
                'genrule(name = "top", outs = ["o"], tools = ["//lib:two"],'
                ' cmd = "$(location //lib:two)")'
            ),
            "expansion-failed",
        ),
        ('filegroup(name = "top", visibility = [":none"])', "no-such-target"),
        ('filegroup(name = "top", visibility = ["//nowhere:none"])', "no-such-package"),
        ('filegroup(name = "top", visibility = ["//lib:one"])', "misplaced"),
        ('package_group(name = "g")\nfilegroup(name = "top", visibility = [":g"])', ""),
        ('package_group(name = "g")\nfilegroup(name = "top", srcs = [":g"])', "misplaced"),
        (
            (
                'package_group(name = "g")\n'
                'java_package_configuration(name = "top", packages = [":g"])'
            ),
            "",
        ),
        ('cc_library(name = "top", copts = ["$(STACK_FRAME_UNLIMITED)"])', ""),
    ],
)
def test_native_rules(tmp_path: Path, build: str, expected: str) -> None:
    kinds = {one.kind.value for one in refused(tmp_path, build, lib=_LIB)}
    assert kinds == set() if not expected else len(kinds) == 1
    assert all(kind.startswith(expected) for kind in kinds)


_LATER = """
filegroup(name = "data", srcs = ["x.txt"])
genrule(name = "made", outs = ["o.h"], cmd = "x")
cc_library(name = "cc")
"""


@pytest.mark.parametrize(
    ("build", "first"),
    [
        ('cc_library(name = "top", data = [":data"], defines = ["A=$(rootpath :data)"])', "5.0.0"),
        ('cc_library(name = "top", data = [":data"], includes = ["$(location :data)"])', "6.0.0"),
        ('cc_library(name = "top", copts = ["-DA=$B ${C}"])', "6.0.0"),
        ('cc_library(name = "top", deps = [":made"])', "6.0.0"),
        ('cc_binary(name = "top", srcs = ["a.wasm"])', "6.0.0"),
        ('py_library(name = "top", deps = [":cc"])', "7.0.0"),
        ('sh_test(name = "top", srcs = ["top.sh"], args = ["$(rlocationpath top.sh)"])', "5.4.0"),
    ],
)
def test_what_rules_take_since_later_releases(tmp_path: Path, build: str, first: str) -> None:
    build = _LATER + build + '\ncc_import(name = "none")'
    assert refused(tmp_path, build, version="4.2.3")
    assert refused(tmp_path, build, version="7.0.0", target="//:none") == ()
    for version in ("5.0.0", "5.4.0", "6.0.0", "7.0.0"):
        assert bool(refused(tmp_path, build, version=version)) == (version < first), version


@pytest.mark.parametrize(("version", "is_refused"), [("4.2.3", True), ("7.4.1", False)])
def test_an_interpreter_on_a_drive(tmp_path: Path, version: str, is_refused: bool) -> None:
    build = """
py_runtime(name = "top", interpreter_path = "C:/python.exe", python_version = "PY3")
"""
    assert bool(refused(tmp_path, build, version=version)) == is_refused


@pytest.mark.parametrize(
    ("version", "words"),
    [
        ("4.2.3", ()),
        ("7.4.1", ()),
        ("8.1.0", ()),
        ("8.1.0", ("--noincompatible_locations_prefers_executable",)),
    ],
)
def test_a_program_stands_for_itself(tmp_path: Path, version: str, words: tuple[str, ...]) -> None:
    """Seen on scion, which Bazel 9.1.1 builds, and on repo-infra, which 3.4.1 does: a sh_binary is
    its script and its launcher. The option is about what implementations expand (bazel#27743)."""
    build = """
sh_binary(name = "program", srcs = ["x.sh"])
py_test(name = "top", srcs = ["top.py"], data = [":program"], args = ["$(location :program)"])
filegroup(name = "both", srcs = ["x.sh", "y.sh"])
py_test(name = "never", srcs = ["never.py"], data = [":both"], args = ["$(location :both)"])
"""
    assert refused(tmp_path, build, *words, version=version) == ()
    assert len(refused(tmp_path, build, *words, version=version, target="//:never")) == 1


_OF_ARCHIVE = """
genrule(name = "made", outs = ["o"], tools = glob(["scripts/*.py"]),
        cmd = "$(location scripts/x.py)")
genrule(name = "one", outs = ["p"], srcs = glob(["*.in"]), cmd = "cat $<")
sh_binary(name = "script", srcs = glob(["*.sh"]))
py_binary(name = "program", srcs = glob(["*.py"]))
genrule(name = "wrong", outs = ["q"], srcs = ["a.in"], cmd = "$(location b.in)")
"""


@pytest.mark.parametrize("name", ["made", "one", "script", "program", "wrong"])
def test_of_what_a_glob_may_hold(tmp_path: Path, name: str) -> None:
    """Seen on xls: nobody can tell what files an archive has that is not downloaded."""
    workspace = """
load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
http_archive(name = "far", urls = ["https://e.org/far.zip"], build_file = "//lib:far.BUILD")
"""
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib/far.BUILD").write_text(_OF_ARCHIVE)
    found = refused(tmp_path, "", workspace=workspace, target=f"@far//:{name}")
    assert [one.kind.value for one in found] == (["expansion-failed"] if name == "wrong" else [])


def test_a_program_that_names_a_module_needs_no_main_file(tmp_path: Path) -> None:
    (tmp_path / "MODULE.bazel").write_text('bazel_dep(name = "rules_python", version = "1.5.0")\n')
    build = 'load("@rules_python//python:defs.bzl", "py_binary")\n'
    build += 'py_binary(name = "top", srcs = ["x.py"], {})\n'
    for words, count in (('main_module = "x"', 0), ('main_module = ""', 1), ("", 1)):
        assert len(refused(tmp_path, build.format(words), version="8.4.0")) == count, words


def test_what_rules_refuse_in_every_release(tmp_path: Path) -> None:
    for version in ("4.2.3", "5.4.1", "6.5.0"):
        for wrong in ('deps = [":data"]', 'copts = ["$(NONE)"]', 'srcs = ["x.txt"]'):
            build = f'{_LATER}cc_library(name = "top", {wrong})'
            assert len(refused(tmp_path, build, version=version)) == 1, (version, wrong)


def test_a_variable_that_is_defined(tmp_path: Path) -> None:
    build = 'genrule(name = "top", outs = ["o"], cmd = "$(MINE)")'
    assert refused(tmp_path, build, "--define=MINE=1") == ()
    assert "$(MINE) not defined" in refused(tmp_path, build)[0].message


def test_misplaced_and_not_visible_are_told_together(tmp_path: Path) -> None:
    lib = 'filegroup(name = "shut")\nfilegroup(name = "open", visibility = ["//visibility:public"])'
    build = 'cc_library(name = "top", deps = ["//lib:shut"])'
    kinds = {one.kind.value for one in refused(tmp_path, build, lib=lib)}
    assert kinds == {"misplaced", "not-visible"}


_DEFS = """
def _impl(ctx):
    out = ctx.actions.declare_file(ctx.attr.out or "{}.o".format(ctx.attr.name))
    ctx.actions.write(out, ctx.attr.text)
    return [DefaultInfo(files = depset([out]))]
r = rule(_impl, attrs = {"out": attr.string(), "text": attr.string()})
"""


@pytest.mark.parametrize(
    ("rules", "is_conflict"),
    [
        ('r(name = "a")\nr(name = "b")', False),
        ('r(name = "a", out = "x", text = "1")\nr(name = "b", out = "x", text = "2")', True),
        ('r(name = "a", out = "x", text = "1")\nr(name = "b", out = "x", text = "1")', False),
        ('r(name = "a", out = "x")\nr(name = "b", out = "x/y/z")', True),
        ('r(name = "b", out = "x/y")\nr(name = "a", out = "x/z")', False),
        ('genrule(name = "a", outs = ["x"], cmd = "x")\nr(name = "b", out = "x")', True),
    ],
)
def test_files_that_two_targets_make(tmp_path: Path, rules: str, is_conflict: bool) -> None:
    (tmp_path / "defs.bzl").write_text(_DEFS)
    build = f'load(":defs.bzl", "r")\n{rules}\nfilegroup(name = "top", srcs = [":a", ":b"])\n'
    assert _of(tmp_path, build) == (["output-conflict"] if is_conflict else [])


def _of(root: Path, build: str) -> list[str]:
    (root / "WORKSPACE").touch()
    (root / "BUILD").write_text(build)
    asked = Workspace.open(root, bazel_version="4.2.3", host="linux").configure([])
    return [one.kind.value for one in asked.refusals("//:top")]


@pytest.mark.parametrize(
    ("version", "kinds"),
    [("2.1.0", {"invalid-condition"}), ("4.2.3", {"no-matching-toolchain"})],
)
def test_a_key_in_error_and_a_toolchain_that_is_missing(
    tmp_path: Path, version: str, kinds: set[str]
) -> None:
    (tmp_path / "t.bzl").write_text(
        "def _impl(ctx):\n    return []\n"
        'w = rule(_impl, attrs = {"s": attr.string()}, toolchains = ["//:type"])\n'
    )
    build = (
        '\nload(":t.bzl", "w")\ntoolchain_type(name = "type")\n'
        'w(name = "top", s = select({":bad": "x", "//conditions:default": "y"}))\n'
    )
    found = refused(tmp_path, build, version=version)
    assert {one.kind.value for one in found if not one.also} == kinds


@pytest.mark.parametrize(("version", "count"), [("0.24.1", 0), ("2.1.0", 0), ("4.2.3", 1)])
def test_of_protos_that_a_toolchain_leaves_out(tmp_path: Path, version: str, count: int) -> None:
    """Bazel: `--incompatible_blacklisted_protos_requires_proto_info`."""
    build = 'proto_lang_toolchain(name = "top", command_line = "x", blacklisted_protos = [":f"])\n'
    (tmp_path / "WORKSPACE").touch()
    (tmp_path / "BUILD").write_text(build + 'filegroup(name = "f")\n')
    workspace = Workspace.open(tmp_path, bazel_version=version, host="linux")
    assert len(workspace.configure([]).refusals("//:top")) == count


@pytest.mark.parametrize(
    ("kind", "refused"),
    [("pybind_extension", False), ("pybind_library_of_its_own", True)],
    ids=["by a model's macro", "by the tree's macro"],
)
def test_of_what_only_a_model_tells_the_class(tmp_path: Path, kind: str, refused: bool) -> None:
    """Seen on TensorFlow 2.19, which patches the macro of pybind11_bazel: a py_library stands
    where the model has an alias of a program."""
    files = {
        "WORKSPACE": """
load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
http_archive(name = "pybind11_bazel", urls = ["https://example.com/a.zip"])
http_archive(name = "pybind11", urls = ["https://example.com/b.zip"])
""",
        "own.bzl": """
def pybind_library_of_its_own(name, srcs):
    native.cc_binary(name = name + ".so", srcs = srcs)
    native.alias(name = name, actual = name + ".so")
""",
        "BUILD": f"""
load("@pybind11_bazel//:build_defs.bzl", "pybind_extension")
load(":own.bzl", "pybind_library_of_its_own")
{kind}(name = "ext", srcs = ["x.cc"])
py_library(name = "top", deps = [":ext"])
""",
    }
    write_files(tmp_path, files)
    workspace = Workspace.open(tmp_path, bazel_version="6.5.0", host="linux")
    assert bool(workspace.configure([]).refusals("//:top")) == refused


@pytest.mark.parametrize(("include", "count"), [("..", (1, 0)), (".", (1, 1)), ("x/..", (1, 1))])
def test_include_folders_where_repositories_lie_beside_one_another(
    tmp_path: Path, include: str, count: tuple[int, int]
) -> None:
    build = f'cc_library(name = "top", includes = ["{include}"])'
    option = "--experimental_sibling_repository_layout"
    for words, expected in zip(((), (option,)), count, strict=True):
        assert len(refused(tmp_path, build, *words, version="4.2.3")) == expected, words
