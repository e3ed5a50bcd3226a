"""Suites and package groups that stand in one another, more than Python's stack is deep."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.query.graphs.unconfigured_environment import TargetEnvironment
from bazelscope.query.language.environment import QuerySettings
from bazelscope.query.language.query_evaluation import Evaluator
from bazelscope.query.language.query_parser import parse
from bazelscope.query.language.signatures import Command
from tests.support import ours
from tests.support.files import write_files

VERSION = "4.2.3"


def _asked(root: Path, expression: str, files: dict[str, str]) -> set[str]:
    write_files(root, {"WORKSPACE": "", **files})
    environment = TargetEnvironment(ours.open_loader(root, VERSION), QuerySettings(VERSION))
    query = parse(expression, Command.QUERY, VERSION)
    return {str(label) for label in Evaluator(environment).evaluate(query)}


def test_suites_in_a_long_chain(tmp_path: Path) -> None:
    build = """
[test_suite(name = "s%d" % i, tests = ["s%d" % (i + 1), "t%d" % i]) for i in range(1100)]
[sh_test(name = "t%d" % i, srcs = ["t.sh"], tags = ["odd"] if i % 2 else []) for i in range(1100)]
test_suite(name = "s1100", tests = ["t0"])
test_suite(name = "odd", tests = ["s0"], tags = ["odd"])
"""
    assert len(_asked(tmp_path, "tests(//:s0)", {"BUILD": build})) == 1100
    assert len(_asked(tmp_path, "tests(//:odd)", {"BUILD": build})) == 550


@pytest.mark.parametrize(("start", "tests"), [("a", "abc"), ("b", "bc"), ("c", "bc")])
def test_suites_that_stand_in_one_another(tmp_path: Path, start: str, tests: str) -> None:
    build = """
[sh_test(name = "t" + x, srcs = ["t.sh"]) for x in ["a", "b", "c"]]
test_suite(name = "a", tests = ["ta", "b"])
test_suite(name = "b", tests = ["tb", "c"])
test_suite(name = "c", tests = ["tc", "b"])
"""
    found = _asked(tmp_path, f"tests(//:{start})", {"BUILD": build})
    assert found == {f"//:t{name}" for name in tests}


def test_package_groups_in_a_long_chain(tmp_path: Path) -> None:
    build = """
[package_group(name = "g%d" % i, includes = ["g%d" % (i + 1)]) for i in range(1100)]
package_group(name = "g1100", packages = ["//near"], includes = ["g0"])
filegroup(name = "f", visibility = [":g0"])
"""
    other = 'filegroup(name = "g")\n'
    files = {"BUILD": build, "near/BUILD": other, "far/BUILD": other}
    assert _asked(tmp_path, "visible(//near:g, //:f)", files) == {"//:f"}
    assert _asked(tmp_path, "visible(//far:g, //:f)", files) == set()
