"""The C++ compiler on Windows where something unread may register another toolchain."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from bazelscope.cli.entry import cli
from tests.support.files import write_files

_BUILD = """
config_setting(name = "m", flag_values = {"@bazel_tools//tools/cpp:compiler": "msvc-cl"})
filegroup(name = "b", srcs = select({":m": ["m"], "//conditions:default": []}))
"""
_MODULE = """
bazel_dep(name = "toolchains_llvm", version = "1.0.0")
llvm = use_extension("@toolchains_llvm//toolchain/extensions:llvm.bzl", "llvm")
use_repo(llvm, "llvm_toolchain")
register_toolchains("@llvm_toolchain//:all")
"""


@pytest.mark.parametrize(("module", "is_assumed"), [(_MODULE, True), ("", False)])
def test_msvc_is_taken_for_granted_and_said_to_be(
    module: str, is_assumed: bool, tmp_path: Path
) -> None:
    write_files(tmp_path, {"WORKSPACE": "", "MODULE.bazel": module, "BUILD": _BUILD, "m": ""})
    line = ["explain", "--workspace", str(tmp_path), "--no-cache", "--bazel-version", "7.4.1"]
    done = CliRunner().invoke(cli, [*line, "--host", "windows", "--full", "//:b"])
    told = " ".join(done.output.split())
    assert "takes //:m" in told
    assert ("other toolchains may be registered" in told) is is_assumed
