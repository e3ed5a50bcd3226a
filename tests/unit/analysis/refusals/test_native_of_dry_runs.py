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


@pytest.mark.parametrize(
    ("found", "refused_by"),
    [('ctx.execute(["find", "."]).stdout.splitlines()', []), ('["o"]', ["interface_library"])],
)
def test_an_output_whose_name_a_program_prints_may_end_as_it_has_to(
    tmp_path: Path, found: str, refused_by: list[str]
) -> None:
    files = {name: text.replace("{found}", found) for name, text in _FILES.items()}
    files["BUILD"] = (
        'cc_import(name = "top", interface_library = "@made//:files", system_provided = 1)\n'
    )
    write_files(tmp_path, files)
    workspace = Workspace.open(tmp_path, bazel_version="4.2.3", host="windows")
    refused = workspace.configure([]).refusals("//:top")
    assert [one.attribute for one in refused] == refused_by


@pytest.mark.parametrize(("host", "is_refused"), [("windows", False), ("linux", True)])
def test_bazels_client_finds_bash_on_windows(tmp_path: Path, host: str, is_refused: bool) -> None:
    files = dict(_FILES)
    files["d.bzl"] = """
def _impl(ctx):
    if not ctx.os.environ.get("BAZEL_SH"):
        fail("BAZEL_SH environment variable is not set")
    ctx.file("BUILD", "filegroup(name = 'files', visibility = ['//visibility:public'])")

made = repository_rule(implementation = _impl)
"""
    write_files(tmp_path, files)
    workspace = Workspace.open(tmp_path, bazel_version="4.2.3", host=host)
    assert bool(workspace.configure([]).refusals("//:top")) == is_refused
