"""Source files that are not exported: 4.2.3, measured with and without
`--incompatible_no_implicit_file_export`."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.api import Workspace
from tests.support.files import write_files

_FILES = {
    "WORKSPACE": "",
    "a/BUILD": """
package(default_visibility = ["//visibility:public"])
filegroup(name = "u", srcs = ["f.txt"])
exports_files(["g.txt"])
""",
    "a/f.txt": "",
    "a/g.txt": "",
    "b/BUILD": """
filegroup(name = "x", srcs = ["//a:f.txt"])
filegroup(name = "y", srcs = ["//a:g.txt"])
""",
}


@pytest.mark.parametrize(
    ("target", "option", "is_refused"),
    [
        ("//b:x", "", False),
        ("//b:x", "--incompatible_no_implicit_file_export", True),
        ("//b:y", "--incompatible_no_implicit_file_export", False),
        ("//a:u", "--incompatible_no_implicit_file_export", False),
    ],
)
def test_files(target: str, option: str, is_refused: bool, tmp_path: Path) -> None:
    write_files(tmp_path, _FILES)
    workspace = Workspace.open(tmp_path, bazel_version="4.2.3", host="linux")
    refusals = workspace.configure([option] if option else []).refusals(target)
    told = [one.message for one in refusals]
    message = f"target '//a:f.txt' is not visible from target '{target}'"
    assert told == ([message] if is_refused else [])


@pytest.mark.parametrize(
    ("said", "is_refused"),
    [
        ('load("@far//:defs.bzl", "far_package")\nfar_package()', False),
        ("", True),
    ],
)
def test_what_an_unknown_function_may_have_said_for_the_package_is_not_refused(
    said: str, is_refused: bool, tmp_path: Path
) -> None:
    workspace = """
load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
http_archive(name = "far", urls = ["https://example.com/far.zip"])
"""
    target = 'filegroup(name = "x")\nfilegroup(name = "own", visibility = ["//c:__pkg__"])\n'
    user = 'filegroup(name = "y", srcs = ["//a:x"])\nfilegroup(name = "z", srcs = ["//a:own"])\n'
    files = {"WORKSPACE": workspace, "a/BUILD": f"{said}\n{target}", "b/BUILD": user, "c/BUILD": ""}
    write_files(tmp_path, files)
    asked = Workspace.open(tmp_path, bazel_version="4.2.3", host="linux").configure([])
    assert bool(asked.refusals("//b:y")) == is_refused
    assert asked.refusals("//b:z")
