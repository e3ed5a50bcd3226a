"""Which refusals a suite has as what stands for its tests, and as a target of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.api import Workspace
from tests.support.files import write_files
from tests.unit.analysis.refusals.closure_world import refused

_SUITES = """
test_suite(name = "shut", tests = ["//lib:test"])
test_suite(name = "no_tests", tests = ["//lib:shut"])
test_suite(name = "around", tests = [":shut", ":around"])
test_suite(name = "none_left", tests = [":broken"], tags = ["fast", "-slow"])
sh_test(name = "broken", srcs = ["a.sh"], deps = ["//lib:shut"], tags = ["slow", "fast"])
filegroup(name = "uses", srcs = [":shut"], testonly = 1)
"""
_TESTS = """
sh_test(name = "test", srcs = ["a.sh"], visibility = ["//visibility:private"])
filegroup(name = "shut", visibility = ["//visibility:private"])
"""


@pytest.mark.parametrize(
    ("target", "words", "expected"),
    [
        ("//:shut", (), set()),
        ("//:shut", ("--noexpand_test_suites",), {"not-visible"}),
        ("//:around", (), {"dependency-cycle"}),
        ("//:no_tests", (), {"misplaced"}),
        ("//:none_left", (), set()),
        ("//:uses", (), {"not-visible"}),
    ],
)
def test_a_suite_that_is_asked_for_is_its_tests(
    tmp_path: Path, target: str, words: tuple[str, ...], expected: set[str]
) -> None:
    """Measured: 4.2.3 and 2.1.0, build, which expand suites before they analyse anything."""
    found = refused(tmp_path, _SUITES, *words, target=target, lib=_TESTS)
    assert {one.kind.value for one in found if not one.also} == expected


@pytest.mark.parametrize(
    ("words", "expected"), [((), set()), (("--noexpand_test_suites",), {"not-visible"})]
)
def test_a_suite_at_which_a_path_begins_is_its_tests(
    tmp_path: Path, words: tuple[str, ...], expected: set[str]
) -> None:
    write_files(
        tmp_path,
        {"WORKSPACE": "", "BUILD": _SUITES, "lib/BUILD": _TESTS, "a.sh": "", "lib/a.sh": ""},
    )
    asked = Workspace.open(tmp_path, bazel_version="4.2.3", host="linux").configure([*words])
    found = asked.path("//:shut", "//lib:test").envelope.refusals
    assert {one.kind.value for one in found if not one.also} == expected


def test_a_suite_that_is_asked_for_and_needed_is_both(tmp_path: Path) -> None:
    write_files(
        tmp_path,
        {"WORKSPACE": "", "BUILD": _SUITES, "lib/BUILD": _TESTS, "a.sh": "", "lib/a.sh": ""},
    )
    line = Workspace.open(tmp_path, bazel_version="4.2.3", host="linux").configure([])
    for labels in (("//:shut", "//:uses"), ("//:uses", "//:shut")):
        assert [one.kind.value for one in line.refusals(*labels)] == ["not-visible"]
