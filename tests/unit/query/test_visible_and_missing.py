"""Who sees exported files, and what `deps` says of targets that are not there.

What is visible was measured with Bazel 4.2.3.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.api import Workspace
from bazelscope.query.graphs.unconfigured_environment import TargetEnvironment
from bazelscope.query.language.environment import QuerySettings
from bazelscope.query.language.query_evaluation import Evaluator
from bazelscope.query.language.query_parser import parse
from bazelscope.query.language.signatures import Command
from tests.support import ours
from tests.support.files import write_files

VERSION = "4.2.3"
BUILD = """
package_group(name = "friends", packages = ["//near"])
exports_files(["a.txt"], visibility = ["//near:__pkg__"])
exports_files(["b.txt"], visibility = [":friends"])
exports_files(["c.txt"])
filegroup(name = "f", srcs = ["d.txt"])
"""


def _write(root: Path, files: dict[str, str]) -> Path:
    write_files(root, files)
    return root


@pytest.mark.parametrize(
    ("reader", "seen"),
    [
        ("near", {"//:friends", "//:a.txt", "//:b.txt", "//:c.txt"}),
        ("far", {"//:friends", "//:c.txt"}),
    ],
)
def test_exported_files_are_as_visible_as_their_export_says(
    tmp_path: Path, reader: str, seen: set[str]
) -> None:
    other = 'filegroup(name = "g")\n'
    files = {"WORKSPACE": "", "BUILD": BUILD, "near/BUILD": other, "far/BUILD": other}
    loader = ours.open_loader(_write(tmp_path, files), VERSION)
    environment = TargetEnvironment(loader, QuerySettings(VERSION))
    query = parse(f"visible(//{reader}:g, //:*)", Command.QUERY, VERSION)
    assert {str(label) for label in Evaluator(environment).evaluate(query)} == seen


def test_deps_reports_what_is_missing_once_with_all_that_ask(tmp_path: Path) -> None:
    files = {
        "WORKSPACE": "",
        "p/BUILD": """filegroup(name = "x", srcs = [":y", ":z"])
filegroup(name = "y", srcs = ["//q:none"])
filegroup(name = "z", srcs = ["//q:none", "//no:t", "//no:u"])
""",
        "q/BUILD": "",
    }
    root = _write(tmp_path, files)
    answer = Workspace.open(root, bazel_version=VERSION).configure([]).deps("//p:x")
    reports = [
        (item.code, str(item.span), [str(note.span) for note in item.notes])
        for item in answer.envelope.diagnostics
    ]
    assert reports == [
        ("no-such-target", "p/BUILD:2:10", ["p/BUILD:3:10"]),
        ("no-such-package", "p/BUILD:3:10", []),
    ]
    assert answer.envelope.diagnostics[0].message == (
        "no such target '//q:none': target 'none' not declared in package 'q' defined by q/BUILD"
        " and referenced by '//p:y'"
    )
