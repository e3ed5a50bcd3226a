"""A toolchain is told in spite of registrations that cannot be read, where these are hardly for
C++; what is taken for granted is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.api import Workspace
from bazelscope.questions.compile.answer import CompileAnswer
from tests.support.files import write_files

BUILD = 'cc_library(name = "lib", srcs = ["a.cc"])\n'
RUST = """\
module(name = "m")
bazel_dep(name = "rules_rust", version = "0.60.0")
rust = use_extension("@rules_rust//rust:extensions.bzl", "rust")
use_repo(rust, "rust_toolchains")
register_toolchains("@rust_toolchains//:all")
"""
LLVM = """\
module(name = "m")
bazel_dep(name = "toolchains_llvm", version = "1.1.2")
llvm = use_extension("@toolchains_llvm//toolchain/extensions:llvm.bzl", "llvm")
use_repo(llvm, "llvm_toolchain")
register_toolchains("@llvm_toolchain//:all")
"""


def compiled(root: Path, files: dict[str, str]) -> CompileAnswer:
    write_files(root, {"BUILD": BUILD, **files})
    return Workspace.open(root, host="linux").configure(()).compile("//:lib", "a.cc")


@pytest.mark.parametrize(
    ("files", "assumed"),
    [
        pytest.param(
            {"MODULE.bazel": RUST, ".bazelversion": "8.5.0"},
            "@rust_toolchains//:all",
            id="a rule set of another language",
        ),
        pytest.param(
            {"MODULE.bazel": RUST.replace(":all", ":one"), ".bazelversion": "8.5.0"},
            "@rust_toolchains//:one",
            id="one target of a rule set of another language",
        ),
        pytest.param(
            {
                "WORKSPACE": 'load("@far//:deps.bzl", "far_deps")\nfar_deps()\n',
                ".bazelversion": "7.4.0",
            },
            "@far//:deps.bzl",
            id="a call that says nothing of toolchains",
        ),
    ],
)
def test_what_is_hardly_for_cpp_is_assumed_away(
    tmp_path: Path, files: dict[str, str], assumed: str
) -> None:
    answer = compiled(tmp_path, files)
    toolchain = answer.toolchain
    assert toolchain.unknown is None
    assert (f"{assumed}, which cannot be read, registers no C++ tool") in toolchain.assumed
    assert "..." not in [word.text for word in answer.actions[0].words]


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"MODULE.bazel": LLVM, ".bazelversion": "8.5.0"}, id="one that is for C++"),
        pytest.param(
            {
                "WORKSPACE": 'load("@far//:deps.bzl", "far_register_toolchains")\n'
                "far_register_toolchains()\n",
                ".bazelversion": "7.4.0",
            },
            id="a call that says that it is about toolchains",
        ),
    ],
)
def test_what_may_be_for_cpp_makes_the_words_unknown(tmp_path: Path, files: dict[str, str]) -> None:
    answer = compiled(tmp_path, files)
    toolchain = answer.toolchain
    assert toolchain.unknown is not None
    assert "..." in [word.text for word in answer.actions[0].words]
    opened = Workspace.open(tmp_path, host="linux")
    effects = [
        one
        for word in opened.configure(["//:lib", "-c", "opt"]).explain().words
        for one in word.compiler
    ]
    assert [(one.words, one.unknown is None) for one in effects] == [((), False)]
