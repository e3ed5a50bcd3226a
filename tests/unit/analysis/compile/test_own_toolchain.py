"""A workspace's own `cc_toolchain_config` is run dry, and gives its words."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.analysis.compile.words import FromToolchain
from bazelscope.api import Workspace
from bazelscope.questions.compile.answer import CompileAnswer
from tests.support.files import write_files

CONFIG = """\
load(
    "@bazel_tools//tools/cpp:cc_toolchain_config_lib.bzl",
    "action_config", "env_entry", "env_set", "feature", "feature_set", "flag_group", "flag_set",
    "tool", "tool_path", "with_feature_set",
)

COMPILE = ["c-compile", "c++-compile"]
LINK = ["c++-link-executable", "c++-link-dynamic-library", "c++-link-nodeps-dynamic-library"]

def _flags(flags, actions = COMPILE, features = []):
    wanted = [with_feature_set(features = features)] if features else []
    return [flag_set(
        actions = actions, flag_groups = [flag_group(flags = flags)], with_features = wanted,
    )]

def _impl(ctx):
    return [cc_common.create_cc_toolchain_config_info(
        ctx = ctx,
        features = [
            feature(name = "warnings", enabled = True, flag_sets = _flags(["-Wown", "-Wtwice"])),
            feature(name = "more", enabled = True, flag_sets = _flags(["-Wtwice", ctx.attr.mark])),
            feature(
                name = "default_compile_flags",
                enabled = True,
                flag_sets = _flags(["-O7"], features = ["opt"]),
            ),
            feature(name = "opt", implies = ["sized"]),
            feature(name = "sized", flag_sets = _flags(["-sized"])),
            feature(name = "needs", enabled = True, flag_sets = _flags(["-needs"]),
                    requires = [feature_set(features = ["dbg"])]),
            feature(name = "dbg"),
            feature(name = "left", provides = ["side"]),
            feature(name = "right", provides = ["side"]),
            feature(name = "machine", enabled = True, flag_sets = _flags(
                ["-m" + ctx.fragments.cpp.custom_malloc] if ctx.attr.is_open else ["-mx"])),
            feature(name = "env", enabled = True, env_sets = [env_set(
                actions = COMPILE, env_entries = [env_entry(key = "OWN", value = "yes")],
            )]),
        ],
        action_configs = [action_config(
            action_name = "c-compile",
            tools = [tool(path = "bin/c-dbg", with_features = [with_feature_set(["dbg"])]),
                     tool(path = "bin/c")],
            implies = ["compiler_input_flags", "compiler_output_flags"],
        )],
        toolchain_identifier = "own",
        host_system_name = "local",
        target_system_name = "local",
        target_cpu = "k8",
        target_libc = "local",
        compiler = "own",
        abi_version = "local",
        abi_libc_version = "local",
        tool_paths = [tool_path(name = "gcc", path = "bin/g++"),
                      tool_path(name = "ar", path = "/usr/bin/own-ar")] + [
            tool_path(name = name, path = name)
            for name in ["cpp", "gcov", "ld", "nm", "objdump", "strip"]
        ],
        builtin_sysroot = "/sys",
    )]

config = rule(
    _impl,
    attrs = {"mark": attr.string(), "is_open": attr.bool()},
    fragments = ["cpp"],
)
"""
FILES = {
    "WORKSPACE": "",
    ".bazelversion": "4.2.3\n",
    "tc/config.bzl": CONFIG,
    "tc/BUILD": """\
load(":config.bzl", "config")
config(name = "config", mark = "-mark")
config(name = "open", is_open = True)
[cc_toolchain(
    name = "cc_" + name, toolchain_config = ":" + name, toolchain_identifier = "own",
    all_files = ":empty", compiler_files = ":empty", dwp_files = ":empty",
    linker_files = ":empty", objcopy_files = ":empty", strip_files = ":empty",
) for name in ("config", "open")]
filegroup(name = "empty")
cc_toolchain_suite(name = "suite", toolchains = {"k8": ":cc_config", "arm": ":cc_open"})
""",
    "BUILD": """\
cc_library(name = "lib", srcs = ["a.cc", "b.c"], copts = ["-DCC=$(CC)"])
cc_library(name = "both", srcs = ["a.cc"], features = ["left", "right"])
""",
}
OWN = "--crosstool_top=//tc:suite"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write_files(tmp_path, FILES)
    return tmp_path


def asked(root: Path, target: str, *flags: str, source: str | None = None) -> CompileAnswer:
    return Workspace.open(root, host="linux").configure((OWN, *flags)).compile(target, source)


def words(answer: CompileAnswer) -> list[str]:
    return [word.text for word in answer.actions[0].words]


def test_features_give_their_words_in_order(root: Path) -> None:
    line = words(asked(root, "//:lib", "-c", "opt", "--copt=-g", source="a.cc"))
    kept = [one for one in line if one.startswith(("-O", "-W", "-s", "-n", "-mark", "-g", "--sys"))]
    # The flags of default_compile_flags come first, wherever it stands; the user's come last.
    assert kept == ["-O7", "-Wown", "-Wtwice", "-Wtwice", "-mark", "-sized", "-g", "--sysroot=/sys"]
    assert line[0] == "tc/bin/g++"
    assert "-DCC=tc/bin/g++" in line


def test_requirements_and_tools(root: Path) -> None:
    assert "-needs" not in words(asked(root, "//:lib", source="a.cc"))
    assert "-needs" in words(asked(root, "//:lib", "-c", "dbg", source="a.cc"))
    assert words(asked(root, "//:lib", source="b.c"))[0] == "tc/bin/c"
    assert words(asked(root, "//:lib", "-c", "dbg", source="b.c"))[0] == "tc/bin/c-dbg"


def test_each_word_has_its_place(root: Path) -> None:
    answer = asked(root, "//:lib", source="a.cc")
    places = {
        (word.text, word.origin.feature): word.origin.location.short
        for word in answer.actions[0].words
        if isinstance(word.origin, FromToolchain) and word.origin.location is not None
    }
    lines = CONFIG.split("\n")

    def line_of(text: str) -> str:
        return f"tc/config.bzl:{next(i for i, one in enumerate(lines, 1) if text in one)}"

    assert places[("-Wown", "warnings")] == line_of('"-Wown"')
    assert places[("-Wtwice", "warnings")] == line_of('name = "warnings"')
    assert places[("-Wtwice", "more")] == line_of('name = "more"')
    assert places[("-mark", "more")] == "tc/BUILD:2", "not in the file: the target that says it"


def test_what_a_fragment_says_is_one_unknown_word(root: Path) -> None:
    answer = asked(root, "//:lib", "--cpu=arm", source="a.cc")
    unknown = [word for word in answer.actions[0].words if word.unknown is not None]
    assert [word.text for word in unknown] == ["..."]
    assert "ctx.fragments" in str(unknown[0].unknown)
    assert answer.is_open
    assert "-Wown" in words(answer)


def test_what_bazel_refuses_is_no_line(root: Path) -> None:
    answer = asked(root, "//:both")
    assert "Symbol side is provided by all of the following features: left right" in answer.problem
    assert not answer.actions
    answer = asked(root, "//:lib", "--features=-user_compile_flags")
    assert "unconditionally implies feature 'user_compile_flags'" in answer.problem
    answer = asked(root, "//:lib", "--force_pic", "--features=-pic")
    assert "PIC compilation is requested" in answer.problem
    answer = asked(root, "//:lib", "--cpu=ppc")
    assert answer.toolchain is not None and answer.toolchain.unknown is not None
    assert "does not contain a toolchain for cpu 'ppc'" in str(answer.toolchain.unknown)


def test_variables_of_the_environment(root: Path) -> None:
    answer = asked(root, "//:lib")
    own = [one for one in answer.environment if one.name == "OWN"]
    assert [one.value for one in own] == ["yes"]


def test_what_old_releases_ask_of_a_toolchain(root: Path) -> None:
    config = CONFIG.replace(
        'feature(name = "dbg"),',
        'feature(name = "dbg"), feature(name = "random_seed", flag_sets = _flags(["-seed"])),',
    )
    without_actions = config.replace("action_configs = [action", "action_configs = [] and [action")
    for version, text, is_asked in (
        ("0.24.1", without_actions, True),
        ("2.1.0", without_actions, False),
    ):
        write_files(root, {"tc/config.bzl": text})
        opened = Workspace.open(root, host="linux", bazel_version=version)
        line = words(opened.configure((OWN,)).compile("//:lib", "a.cc"))
        assert ("-seed" in line) == is_asked
    write_files(root, {"tc/config.bzl": config})
    opened = Workspace.open(root, host="linux", bazel_version="0.24.1")
    answer = opened.configure((OWN,)).compile("//:lib", "a.cc")
    assert answer.toolchain is not None
    assert "multiple action configs for 'c-compile'" in str(answer.toolchain.unknown)


def test_an_own_feature_of_coverage_is_all_there_is_in_old_releases(root: Path) -> None:
    without_actions = CONFIG.replace("action_configs = [action", "action_configs = [] and [action")
    own = without_actions.replace(
        'feature(name = "dbg"),',
        'feature(name = "dbg"), feature(name = "coverage", flag_sets = _flags(["-covered"])),',
    )
    for version, text, wanted in (
        ("0.24.1", own, ["-covered"]),
        ("0.24.1", without_actions, ["-fprofile-arcs", "-ftest-coverage"]),
        ("2.1.0", own, ["-fprofile-arcs", "-ftest-coverage", "-covered"]),
    ):
        write_files(root, {"tc/config.bzl": text})
        opened = Workspace.open(root, host="linux", bazel_version=version)
        asking = opened.configure((OWN, "--collect_code_coverage"))
        line = words(asking.compile("//:lib", "a.cc"))
        assert [one for one in line if one.startswith(("-fpro", "-ftest", "-covered"))] == wanted


def test_a_shared_library_of_old_releases_takes_archives_with_pic(root: Path) -> None:
    config = CONFIG.replace("action_configs = [action", "action_configs = [] and [action").replace(
        'feature(name = "dbg"),', 'feature(name = "dbg"), feature(name = "supports_pic"),'
    )
    libraries = """\
cc_library(name = "lib", srcs = ["a.cc"], features = ["supports_pic"])
cc_binary(name = "b.so", srcs = ["b.cc"], linkshared = 1, deps = [":lib"])
"""
    write_files(root, {"tc/config.bzl": config, "BUILD": libraries})
    for version, wanted in (("0.24.1", "liblib.pic.a"), ("2.1.0", "liblib.a")):
        opened = Workspace.open(root, host="linux", bazel_version=version)
        answer = opened.configure((OWN, "-c", "opt", "--dynamic_mode=off")).compile("//:b.so")
        (link,) = [one for one in answer.actions if one.output.endswith("b.so")]
        (archive,) = [word.text for word in link.words if word.text.endswith(".a")]
        assert archive.rpartition("/")[2] == wanted


@pytest.mark.parametrize(("version", "is_refused"), [("4.2.3", True), ("8.0.0", False)])
def test_a_toolchain_without_a_tool_is_refused(root: Path, version: str, is_refused: bool) -> None:
    write_files(root, {"tc/config.bzl": CONFIG.replace('"nm", ', "")})
    opened = Workspace.open(root, host="linux", bazel_version=version)
    flags = (OWN, "--noincompatible_enable_cc_toolchain_resolution")
    answer = opened.configure(flags).compile("//:lib", "a.cc")
    assert answer.toolchain is not None
    assert ("Tool path for 'nm' is missing" in str(answer.toolchain.unknown)) == is_refused
    assert ("-Wown" in [word.text for one in answer.actions for word in one.words]) != is_refused


def test_explain_says_what_an_option_comes_to_beside_it(root: Path) -> None:
    opened = Workspace.open(root, host="linux")
    answer = opened.configure(("//:lib", OWN, "-c", "opt", "--copt=-O1")).explain()
    (effect,) = [one for word in answer.words for one in word.compiler if one.words == ("-O1",)]
    assert effect.unknown is None
    assert effect.beats == ("-O7 of opt",)
    write_files(
        root,
        {"tc/config.bzl": CONFIG.replace('implies = ["sized"]', 'flag_sets = _flags(["-O8"])')},
    )
    answer = Workspace.open(root, host="linux").configure(("//:lib", OWN, "-c", "opt")).explain()
    (effect,) = [one for word in answer.words for one in word.compiler]
    assert effect.words == ("-O7", "-O8"), "those of the feature that has the mode's name, too"


_OF_RULES_CC = """
load("@rules_cc//cc:cc_toolchain_config_lib.bzl", "env_entry", "env_set", "feature", "flag_group",
     "flag_set", "tool_path")
load("@rules_cc//cc/common:cc_common.bzl", "cc_common")
load("@rules_cc//cc/toolchains:cc_toolchain_config_info.bzl", "CcToolchainConfigInfo")

def _impl(ctx):
    flags = [flag_group(flags = ["-Wown"])]
    return cc_common.create_cc_toolchain_config_info(
        ctx = ctx,
        features = [feature(
            name = "own",
            enabled = True,
            flag_sets = [flag_set(actions = ["c++-compile"], flag_groups = flags)],
            env_sets = [env_set(["c++-compile"], [env_entry("A", "b", "output_file")])],
        )],
        toolchain_identifier = "own",
        host_system_name = "", target_system_name = "", target_cpu = "", target_libc = "",
        compiler = "own", abi_version = "", abi_libc_version = "",
        tool_paths = [tool_path(name = "gcc", path = "/bin/own-g++")],
    )

config = rule(_impl, provides = [CcToolchainConfigInfo])
"""
_MODULE_FILES = {
    "MODULE.bazel": """
bazel_dep(name = "rules_cc", version = "0.1.1")
register_toolchains("//tc:toolchain")
""",
    "tc/config.bzl": _OF_RULES_CC,
    "tc/BUILD": """
load("@rules_cc//cc/toolchains:cc_toolchain.bzl", "cc_toolchain")
load(":config.bzl", "config")
config(name = "config")
filegroup(name = "empty")
cc_toolchain(
    name = "cc", toolchain_config = ":config", all_files = ":empty", compiler_files = ":empty",
    dwp_files = ":empty", linker_files = ":empty", objcopy_files = ":empty", strip_files = ":empty",
)
toolchain(
    name = "toolchain", toolchain = ":cc",
    toolchain_type = "@bazel_tools//tools/cpp:toolchain_type",
)
""",
    "BUILD": """
load("@rules_cc//cc:cc_library.bzl", "cc_library")
cc_library(name = "lib", srcs = ["a.cc"])
""",
    "a.cc": "",
}


@pytest.mark.parametrize("version", ["7.7.1", "8.7.0", "9.1.0"])
def test_a_toolchain_made_with_the_files_of_rules_cc_is_known(tmp_path: Path, version: str) -> None:
    write_files(tmp_path, _MODULE_FILES)
    workspace = Workspace.open(tmp_path, bazel_version=version, host="linux")
    answer = workspace.configure([]).compile("//:lib")
    assert not answer.unknowns
    words = [word.text for one in answer.actions for word in one.words]
    assert "/bin/own-g++" in words and "-Wown" in words
    explained = workspace.configure(["//:lib", "-c", "opt", "--copt=-Wno-own"]).explain()
    effects = [one for word in explained.words for one in word.compiler]
    # Bazel's own toolchain, which is not taken, would add -O2.
    assert [(one.words, one.beats) for one in effects] == [((), ()), (("-Wno-own",), ("-Wown",))]
