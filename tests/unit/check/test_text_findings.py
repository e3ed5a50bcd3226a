"""What is told of one text as it stands in an editor, before it is saved."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bazelscope.api import Workspace
from bazelscope.base.source import SourceFile
from bazelscope.starlark.compile import program_cache
from bazelscope.starlark.compile.program import Program
from tests.support.files import write_files

_FILES = {
    "MODULE.bazel": 'module(name = "m")\n',
    ".bazelversion": "8.1.0\n",
    ".bazelrc": "build --config=opt\nimport %workspace%/tools/ci.rc\n",
    "tools/ci.rc": "build:opt --copt=-O2\n",
    "defs.bzl": "def build_it(name):\n    native.filegroup(name = name)\n",
    "BUILD": "",
}

_TEXTS = {
    "a config that the new text no longer defines": (
        "tools/ci.rc",
        "build:fast --config=small\nbuild --config=fast\n",
        [("BZS101", 1)],
    ),
    "an option that Bazel does not know": (".bazelrc", "build --no_such\n", [("BZS001", 1)]),
    "an rc file that nothing imports": ("own.rc", "build --copt\n", [("BZS001", 1)]),
    "a line without a command": (".bazelrc", "build:opt -s\n--copt=-g\n", [("BZS111", 2)]),
    "a text without faults": (".bazelrc", "build:opt --copt=-g\nbuild --config=opt\n", []),
    "BUILD: syntax": ("BUILD", "filegroup(\nname = )\n", [("BZS002", 2)]),
    "BUILD: a name that nothing defines": ("BUILD", "\nfoo()\n", [("BZS002", 2)]),
    "a file that is not there": ("BUILD", 'load("//:no.bzl", "x")\nx()\n', [("BZS003", 1)]),
    "a symbol that is not there": (
        "a.bzl",
        'load("//:defs.bzl", "bild_it")\ny = bild_it\n',
        [("BZS003", 1)],
    ),
    "a load that can be followed": (
        "BUILD",
        'load("//:defs.bzl", "build_it")\nbuild_it("a")\n',
        [],
    ),
    "MODULE.bazel: a wrong version": (
        "MODULE.bazel",
        'bazel_dep(name = "a", version = "_")\n',
        [("BZS004", 1)],
    ),
    "MODULE.bazel: well": ("MODULE.bazel", 'bazel_dep(name = "a", version = "1.0")\n', []),
}


@pytest.mark.parametrize("case", _TEXTS)
def test_a_text_has_its_findings(case: str, tmp_path: Path) -> None:
    write_files(tmp_path, _FILES)
    path, text, wanted = _TEXTS[case]
    found = Workspace.open(tmp_path).configure().check_text(path, text)
    assert [(one.code, one.span.line if one.span else 0) for one in found] == wanted
    assert all(one.path == path for one in found)


def test_a_near_symbol_is_the_remedy(tmp_path: Path) -> None:
    write_files(tmp_path, _FILES)
    text = 'load("//:defs.bzl", "bild_it")\nbild_it("a")\n'
    (found,) = Workspace.open(tmp_path).configure().check_text("BUILD", text)
    assert found.message == "`//:defs.bzl` does not define `bild_it`"
    assert found.remedy == "did you mean `build_it`?"


def test_a_file_is_compiled_again_only_for_a_symbol_that_it_lacks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(tmp_path, _FILES)
    opened = Workspace.open(tmp_path).configure()
    text = 'load("//:defs.bzl", "build_it")\nbuild_it("a")\n'
    assert not opened.check_text("BUILD", text)
    compiled: list[str] = []
    compile_program = program_cache.compile_program

    def noted(source: SourceFile, *given: Any, **options: bool) -> Program:
        compiled.append(source.path)
        return compile_program(source, *given, **options)

    monkeypatch.setattr(program_cache, "compile_program", noted)
    assert not opened.check_text("BUILD", text)
    assert not compiled
    assert opened.check_text("BUILD", text.replace("build_it", "bild_it"))
    assert compiled == ["defs.bzl"]
