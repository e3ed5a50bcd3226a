"""Which releases let implementations return a struct, and by which flags (Bazel issue 7347)."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.api import Workspace
from tests.support.files import write_files

_RULES = """
def _plain(ctx):
    return []
def _old(ctx):
    return struct(x = 1)
def _told(target, ctx):
    return struct(y = 2)
told = aspect(_told)
old = rule(_old)
seen = rule(_plain, attrs = {"d": attr.label(aspects = [told])})
"""
_BUILD = """
load(":r.bzl", "old", "seen")
old(name = "rule")
seen(name = "aspect", d = ":f")
filegroup(name = "f")
"""
_OFF = "--noincompatible_disallow_struct_provider_syntax"
_ON = "--incompatible_disallow_struct_provider_syntax"


@pytest.mark.parametrize(
    ("version", "flags", "refused"),
    [
        ("4.2.3", (), ""),
        ("4.2.3", (_ON,), "rule"),
        ("7.4.1", (), ""),
        ("7.4.1", (_ON,), "rule"),
        ("8.2.0", (), "rule"),
        ("8.2.0", (_OFF,), ""),
        ("9.0.0", (), "aspect rule"),
    ],
)
def test_structs_returned(
    version: str, flags: tuple[str, ...], refused: str, tmp_path: Path
) -> None:
    files = {"WORKSPACE": "", "MODULE.bazel": "", "p/BUILD": _BUILD, "p/r.bzl": _RULES}
    write_files(tmp_path, files)
    workspace = Workspace.open(tmp_path, bazel_version=version, host="linux")
    answer = workspace.configure([*flags, "//p:rule", "//p:aspect"]).explain()
    told = answer.envelope.refusals
    assert all("Returning a struct from a" in one.message for one in told)
    assert len(told) == len(refused.split())
    assert all(f" {kind} implementation function" in str(told) for kind in refused.split())
