"""Files of Bazel's own repository that rule sets name in private attributes of one file each."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.api import Workspace
from bazelscope.base.label import Label
from tests.support.files import write_files

FILES = {
    "MODULE.bazel": "",
    "d.bzl": """
def _impl(ctx):
    return [DefaultInfo(files = depset([ctx.file._def_parser]))]

links = rule(_impl, attrs = {
    "_def_parser": attr.label(
        default = "@bazel_tools//tools/def_parser:def_parser",
        allow_single_file = True,
        cfg = "exec",
    ),
})
""",
    "BUILD": 'load(":d.bzl", "links")\nlinks(name = "top")\n',
}


@pytest.mark.parametrize("host", ["linux", "windows"])
@pytest.mark.parametrize("release", ["7.0.0", "9.1.0"])
def test_the_parser_of_def_files_is_one_file(tmp_path: Path, release: str, host: str) -> None:
    write_files(tmp_path, FILES)
    asked = Workspace.open(tmp_path, bazel_version=release, host=host).configure([])
    assert asked.world.refusals_below([Label("", "", "top")]) == ()
