"""Which targets the patterns of `cquery` stand for: releases before 3 analyse what a build would,
without test_suites and, before 2.1, without what is manual."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bazelscope.api import Workspace
from bazelscope.query.formats.written import ask_query
from tests.oracle.implementation_worlds import write_stubs
from tests.support.bazel import Bazel
from tests.support.files import write_files

pytestmark = pytest.mark.oracle

_RULES = """
def _impl(ctx):
    return []
r = rule(_impl)
"""
_BUILD = """
load(":rules.bzl", "r")
r(name = "plain")
r(name = "manual", tags = ["manual"])
test_suite(name = "empty", tests = [])
test_suite(name = "no_tests", tags = ["manual"])
config_setting(name = "cs", values = {"define": "a=1"})
config_setting(name = "used", values = {"define": "b=1"})
alias(name = "al", actual = ":plain")
alias(name = "choice", actual = select({":used": ":manual", "//conditions:default": ":plain"}))
filegroup(name = "fg", srcs = ["src.txt"])
filegroup(name = "fg_manual", srcs = [":below"], tags = ["manual"])
filegroup(name = "below", tags = ["manual"])
filegroup(name = "over", testonly = 1, srcs = [":suite_below"])
test_suite(name = "suite_below")
genrule(name = "g", outs = ["g.txt"], cmd = "x")
genrule(name = "gm", outs = ["gm.txt"], cmd = "x", tags = ["manual"])
exports_files(["src.txt"])
constraint_setting(name = "cons")
constraint_value(name = "cv", constraint_setting = ":cons")
platform(name = "plat", constraint_values = [":cv"])
toolchain_type(name = "tt")
toolchain(name = "tc", toolchain = ":plain", toolchain_type = ":tt")
package_group(name = "pg")
"""
_LINES = (
    ("//p:*",),
    ("//p:all", "--build_manual_tests"),
    ("//p:no_tests + //p:plain",),
    ("deps(//p:fg_manual) + //p:all",),
    ("//... - //p:plain", "--define=b=1"),
)


@pytest.mark.parametrize("version", ["4.2.3", "2.1.0", "0.26.1", "0.24.1"])
def test_patterns(version: str, bazel: Callable[[str], Bazel], warm_path: Path) -> None:
    root = warm_path / "w"
    files = {"WORKSPACE": "", "p/rules.bzl": _RULES, "p/BUILD": _BUILD}
    write_files(root, {**files, "p/src.txt": "", "q/BUILD": 'filegroup(name = "deep")\n'})
    real, flags = bazel(version), write_stubs(warm_path / "stubs")
    tools = "--notool_deps" if version == "4.2.3" else "--nohost_deps"
    differing = []
    for pattern, *words in _LINES:
        line = [*words, *flags, "--noimplicit_deps", tools]
        said = real.cquery(root, pattern, *line)
        if version != "4.2.3":
            # What an earlier line has analysed would be there still.
            real.run(root, "clean").checked()
        theirs = sorted({one.split()[0] for one in said.lines if one.startswith("//")})
        asked = Workspace.open(root, bazel_version=version).configure(line, command="cquery")
        answer = ask_query(
            asked.world, asked.envelope_of_flags, pattern, str(root), asked.directory_package
        )
        text = answer.text()
        assert isinstance(text, str)
        ours = sorted({one.split()[0] for one in text.splitlines() if one.startswith("//")})
        if theirs != ours:
            differing.append((pattern, words, {*theirs} - {*ours}, {*ours} - {*theirs}))
    assert not differing
