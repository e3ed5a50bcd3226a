"""Paths that no written dependency makes: toolchains that rules resolve under the flags."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bazelscope.cli import main
from tests.support.files import write_files

_FILES = {
    "WORKSPACE": 'register_toolchains("//a:declared")',
    "a/defs.bzl": """\
def _use(ctx):
    return []

use = rule(implementation = _use, attrs = {"deps": attr.label_list()}, toolchains = ["//a:type"])

def _make(ctx):
    return [platform_common.ToolchainInfo()]

make = rule(implementation = _make, attrs = {"dep": attr.label()})
""",
    "a/BUILD": """\
load(":defs.bzl", "make", "use")
toolchain_type(name = "type")
make(name = "made", dep = ":deep")
filegroup(name = "deep")
toolchain(name = "declared", toolchain = ":made", toolchain_type = ":type")
use(name = "user")
use(name = "top", deps = [":user"])
""",
}
_RESOLVED = "; under these flags a toolchain, platform or aspect leads there: "


def _said(capfd: pytest.CaptureFixture[str], root: Path, *words: str) -> tuple[int, str]:
    code = main([*words, "--bazel-version", "4.2.3", "-w", str(root), "--no-cache"])
    return code, " ".join(capfd.readouterr().out.split())


def test_a_toolchain_that_leads_there_is_told(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    # Measured: 4.2.3's cquery somepath() lists these targets, and its query none.
    write_files(tmp_path, _FILES)
    steps = "//a:user //a:made //a:deep"
    written = "No dependency that is written leads from //a:user to //a:deep"
    assert _said(capfd, tmp_path, "path", "user", "deep") == (0, f"{written}{_RESOLVED}{steps}")
    never = "//a:user never needs //a:deep by dependencies that are written"
    assert _said(capfd, tmp_path, "when", "user", "deep") == (0, f"{never}{_RESOLVED}{steps}")
    code, text = _said(capfd, tmp_path, "path", "user", "deep", "--format", "json")
    assert (code, json.loads(text)["resolved_path"]) == (0, steps.split())


def test_where_nothing_leads_it_is_said_so(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    write_files(tmp_path, _FILES)
    told = "No path from //a:deep to //a:user, through any branch."
    assert _said(capfd, tmp_path, "path", "deep", "user") == (1, told)
    code, text = _said(capfd, tmp_path, "when", "deep", "user")
    assert (code, "no chain of dependencies leads there" in text) == (1, True)
    code, text = _said(capfd, tmp_path, "path", "top", "user", "--format", "json")
    assert (code, json.loads(text)["resolved_path"]) == (0, [])


@pytest.mark.parametrize(
    ("words", "is_told"),
    [
        (("deps", "user"), True),
        (("rdeps", "user"), False),
        (("rdeps", "//a:top"), True),
        (("deps", "//a:BUILD"), False),
        (("path", "user", "deep", "--all-paths"), True),
        (("graph", "user", "deep"), True),
    ],
)
def test_nothing_is_said_of_written_dependencies(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, words: tuple[str, ...], is_told: bool
) -> None:
    write_files(tmp_path, _FILES)
    told = "Not counted: toolchains, platforms and aspects that Bazel resolves (cquery has them)"
    assert (told in _said(capfd, tmp_path, *words)[1]) == is_told
