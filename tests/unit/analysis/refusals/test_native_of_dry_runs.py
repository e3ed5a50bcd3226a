"""Rules of Bazel's own in files that repository rules write with what nobody can tell."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.api import Workspace
from tests.support.files import write_files

_FILES = {
    "WORKSPACE": 'load(":d.bzl", "made")\nmade(name = "made")\n',
    "BUILD": 'filegroup(name = "top", srcs = ["@made//:files"])\n',
    "d.bzl": """
def _impl(ctx):
    found = {found}
    outs = "\\n".join(['"' + name + '",' for name in found])
    ctx.file("BUILD", "genrule(name = 'files', outs = [" + outs + "], cmd = 'x'," +
                      " visibility = ['//visibility:public'])")

made = repository_rule(implementation = _impl)
""",
}


@pytest.mark.parametrize(
    ("found", "is_refused"),
    [('ctx.execute(["find", "."]).stdout.splitlines()', False), ("[]", True), ('["o"]', False)],
)
def test_outputs_that_a_program_lists(tmp_path: Path, found: str, is_refused: bool) -> None:
    files = {name: text.replace("{found}", found) for name, text in _FILES.items()}
    write_files(tmp_path, files)
    workspace = Workspace.open(tmp_path, bazel_version="4.2.3", host="linux")
    refused = workspace.configure([]).refusals("//:top")
    assert [one.attribute for one in refused] == is_refused * ["outs"]
