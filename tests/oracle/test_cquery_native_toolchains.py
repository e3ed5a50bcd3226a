"""What native rules depend on by themselves, and by the toolchains that they ask for, beside
`bazel cquery` with implicit dependencies: Bazel's own repositories are there for both sides."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.oracle import query_language_world
from tests.support import ours, query_output
from tests.support.bazel import Bazel
from tests.support.files import write_files
from tests.support.query_output import differences

pytestmark = pytest.mark.oracle

BUILD = """\
load(":rules.bzl", "asks")

cc_library(name = "cc_library", srcs = ["a.cc"], hdrs = ["a.h"])
cc_binary(name = "cc_binary", srcs = ["a.cc"], deps = [":cc_library"])
cc_test(name = "cc_test", srcs = ["a.cc"])
cc_import(name = "cc_import", static_library = "a.a")
py_library(name = "py_library", srcs = ["a.py"])
py_binary(name = "py_binary", srcs = ["py_binary.py"])
py_test(name = "py_test", srcs = ["py_test.py"])
sh_library(name = "sh_library", srcs = ["a.sh"])
sh_binary(name = "sh_binary", srcs = ["a.sh"])
sh_test(name = "sh_test", srcs = ["a.sh"])
filegroup(name = "filegroup", srcs = ["a.sh"])
genrule(name = "genrule", outs = ["o"], cmd = "", tools = [":sh_library"])
alias(name = "alias", actual = ":cc_library")
asks(name = "starlark")
"""
RULES = """\
def _impl(ctx):
    return []

asks = rule(
    implementation = _impl,
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
)
"""
TARGETS = (
    *("cc_library", "cc_binary", "cc_test", "cc_import", "py_library", "py_binary", "py_test"),
    *("sh_library", "sh_binary", "sh_test", "filegroup", "genrule", "alias", "starlark"),
)
BAZELS_OWN = (
    *("bazel_tools", "local_config_cc", "local_config_cc_toolchains", "local_config_platform"),
    *("local_config_sh", "platforms"),
)


@pytest.mark.parametrize("version", ["2.1.0", "4.2.3"])
def test_with_implicit_dependencies(
    version: str, bazel: Callable[[str], Bazel], warm_path: Path
) -> None:
    root = warm_path / "w"
    files = ["a.cc", "a.h", "a.a", "a.py", "py_binary.py", "py_test.py", "a.sh"]
    write_files(root, {"WORKSPACE": "", "BUILD": BUILD, "rules.bzl": RULES})
    write_files(root, dict.fromkeys(files, ""))
    _, stubs = query_language_world.lay_out(warm_path / "stubs")
    real = bazel(version)
    base = real.run(root, "info", "output_base").checked().lines[-1]
    for target in TARGETS:
        said = real.cquery(root, f"deps(//:{target})", *stubs).checked()
        bazels = query_output.configured_nodes(said.lines)
        owns = [f"--override_repository={name}={base}/external/{name}" for name in BAZELS_OWN]
        line = (*stubs, *owns, f"//:{target}")
        found = ours.configured_nodes(root, version, line, implicit=True)
        difference = differences(found, bazels)
        assert not difference, (target, difference)
