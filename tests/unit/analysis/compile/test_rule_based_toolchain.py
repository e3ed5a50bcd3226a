"""Toolchains of rules_cc's own rules are read off their targets, on bazelscope's model of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.analysis.compile.words import FromToolchain
from bazelscope.api import Workspace
from bazelscope.questions.compile.answer import CompileAnswer
from tests.support.files import write_files

TOOLCHAIN = """\
load("@rules_cc//cc/toolchains:actions.bzl", "cc_action_type_set")
load("@rules_cc//cc/toolchains:args.bzl", "cc_args")
load("@rules_cc//cc/toolchains:args_list.bzl", "cc_args_list")
load("@rules_cc//cc/toolchains:artifacts.bzl", "cc_artifact_name_pattern")
load("@rules_cc//cc/toolchains:feature.bzl", "cc_feature")
load("@rules_cc//cc/toolchains:feature_constraint.bzl", "cc_feature_constraint")
load("@rules_cc//cc/toolchains:feature_set.bzl", "cc_feature_set")
load("@rules_cc//cc/toolchains:make_variable.bzl", "cc_make_variable")
load("@rules_cc//cc/toolchains:nested_args.bzl", "cc_nested_args")
load("@rules_cc//cc/toolchains:tool.bzl", "cc_tool")
load("@rules_cc//cc/toolchains:tool_map.bzl", "cc_tool_map")
load("@rules_cc//cc/toolchains:toolchain.bzl", "cc_toolchain")
load("@rules_cc//cc/toolchains/args:sysroot.bzl", "cc_sysroot")
load("@bazel_skylib//rules/directory:directory.bzl", "directory")
load("@bazel_skylib//rules/directory:subdirectory.bzl", "subdirectory")
load("@unknown//:rules.bzl", "strange_args")

A = "@rules_cc//cc/toolchains/actions:"
V = "@rules_cc//cc/toolchains/variables:"

directory(name = "root", srcs = [])
subdirectory(name = "usr", parent = ":root", path = "usr")
cc_sysroot(name = "sysroot", sysroot = ":usr")
cc_args(name = "warn", actions = [A + "compile_actions"], args = ["-Wone", "-W100%"])
cc_args(name = "cpp", actions = [A + "cpp_compile_actions"], args = ["-only-cpp"], env = {"E": "1"})
cc_action_type_set(
    name = "all_but_cpp",
    actions = [A + "compile_actions"],
    excludes = [A + "cpp_compile"],
)
cc_args(name = "not_cpp", actions = [":all_but_cpp"], args = ["-not-cpp"])
cc_args(
    name = "of_file",
    actions = [A + "c_compile"],
    args = ["-map={file}", "{{brace}}"],
    format = {"file": "map.txt"},
)
cc_args(name = "fast", actions = [A + "compile_actions"], args = ["-O7"])
cc_args(
    name = "unless_fast",
    actions = [A + "compile_actions"],
    args = ["-slow"],
    requires_any_of = [":not_fast"],
)
cc_args(
    name = "defines",
    actions = [A + "compile_actions"],
    nested = [":define"],
    requires_not_none = V + "preprocessor_defines",
)
cc_nested_args(
    name = "define",
    args = ["-own-D{}"],
    iterate_over = V + "preprocessor_defines",
)
cc_args_list(name = "some", args = [":warn", ":cpp", ":of_file", ":not_cpp"])
cc_feature(name = "fast_feature", feature_name = "fast", args = [":fast"], implies = [":more"])
cc_feature(name = "more", feature_name = "more")
cc_feature(
    name = "own_defines",
    feature_name = "own_defines",
    args = [":defines"],
)
cc_feature(name = "left", feature_name = "left", mutually_exclusive = [":right"])
cc_feature(name = "right", feature_name = "right", mutually_exclusive = [":right"])
cc_feature_constraint(name = "not_fast", none_of = [":fast_feature"])
cc_feature_set(name = "set", all_of = [":own_defines", ":more"])
cc_make_variable(name = "variable", variable_name = "OWN", value = "own value")
cc_artifact_name_pattern(
    name = "objects",
    category = "@rules_cc//cc/toolchains/artifacts:object_file",
    prefix = "",
    extension = ".obj",
)
strange_args(name = "strange")

cc_tool(
    name = "clang",
    src = "bin/clang",
    capabilities = ["@rules_cc//cc/toolchains/capabilities:supports_pic"],
)
cc_tool_map(
    name = "tools",
    tools = {
        A + "assembly_actions": ":clang",
        A + "c_compile": ":clang",
        A + "cpp_compile_actions": ":clang",
        A + "link_actions": "bin/ld",
        A + "ar_actions": "bin/ar",
    },
)
[cc_toolchain(
    name = name,
    args = [":some", ":unless_fast", ":sysroot"] + more,
    artifact_name_patterns = [":objects"],
    compiler = "own",
    enabled_features = [
        ":set",
        "@rules_cc//cc/toolchains/args:experimental_replace_legacy_action_config_features",
    ],
    known_features = [":fast_feature", ":left", ":right"],
    make_variables = [":variable"],
    tool_map = ":tools",
) for name, more in {"cc": [], "holed": [":strange"]}.items()]

[toolchain(
    name = name + "_toolchain",
    toolchain = name,
    toolchain_type = "@bazel_tools//tools/cpp:toolchain_type",
) for name in ["cc", "holed"]]
"""
FILES = {
    "MODULE.bazel": 'bazel_dep(name = "rules_cc", version = "0.1.2")\n'
    'bazel_dep(name = "bazel_skylib", version = "1.7.1")\n'
    'bazel_dep(name = "unknown", version = "1")\n'
    'register_toolchains("//tc:cc_toolchain")\n',
    ".bazelversion": "8.1.0\n",
    "tc/BUILD": TOOLCHAIN,
    "tc/bin/clang": "",
    "tc/bin/ld": "",
    "tc/bin/ar": "",
    "tc/map.txt": "",
    "BUILD": """\
cc_library(name = "lib", srcs = ["a.cc", "b.c"], defines = ["D"], copts = ["-own=$(OWN)"])
""",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write_files(tmp_path, FILES)
    return tmp_path


def asked(root: Path, *flags: str, source: str | None = "a.cc") -> CompileAnswer:
    return Workspace.open(root, host="linux").configure(flags).compile("//:lib", source)


def words(answer: CompileAnswer) -> list[str]:
    return [word.text for word in answer.actions[0].words]


def test_words_come_in_the_order_of_rules_cc(root: Path) -> None:
    answer = asked(root)
    assert answer.toolchain is not None and answer.toolchain.unknown is None
    assert answer.toolchain.compiler == "own"
    # The toolchain's own args first, then its features; names, directories, files, variables.
    stem = "bazel-out/k8-fastbuild/bin/_objs/lib/a.pic"
    assert words(answer) == [
        *("tc/bin/clang", "-Wone", "-W100%", "-only-cpp", "-slow", "--sysroot=tc/usr"),
        *("-own-DD", "-fPIC", "-DD", f"-frandom-seed={stem}.obj"),
        *("-iquote", ".", "-iquote", "bazel-out/k8-fastbuild/bin"),
        *("-c", "a.cc", "-o", f"{stem}.obj", "-MD", "-MF", f"{stem}.d"),
        *("-own=own", "value"),
    ]
    assert {one.name: one.value for one in answer.environment}["E"] == "1"


def test_each_word_has_the_place_of_its_args(root: Path) -> None:
    line = asked(root).actions[0]
    origins = {word.text: word.origin for word in line.words}
    warn = origins["-Wone"]
    assert isinstance(warn, FromToolchain) and warn.location is not None
    assert warn.feature == "warn"
    written = TOOLCHAIN.split("\n")[warn.location.line - 1]
    assert warn.location.path == "tc/BUILD" and 'name = "warn"' in written
    slow = origins["-slow"]
    assert isinstance(slow, FromToolchain) and slow.when == "without fast"


def test_features_are_asked_for(root: Path) -> None:
    fast = words(asked(root, "--features=fast"))
    assert "-O7" in fast and "-slow" not in fast
    assert "Symbol right is provided by all" in asked(root, "--features=left,right").problem or (
        "Symbol right is provided by all"
        in asked(root, "--features=left", "--features=right").problem
    )


def test_c_has_its_own_words(root: Path) -> None:
    line = words(asked(root, source="b.c"))
    assert "-map=tc/map.txt" in line and "{brace}" in line and "-only-cpp" not in line
    assert "-not-cpp" in line and "-not-cpp" not in words(asked(root))


def test_what_cannot_be_told_is_one_word(root: Path) -> None:
    line = asked(root, "--extra_toolchains=//tc:holed_toolchain").actions[0]
    unknown = [word for word in line.words if word.unknown is not None]
    assert len(unknown) == 1 and unknown[0].text == "..."
    known = [word.text for word in line.words if word.unknown is None]
    assert known == words(asked(root))
