"""What options for the compiler and the linker come to, as `explain` and `flag` say it."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.cli import main
from tests.support.files import write_files

FILES = {
    "WORKSPACE": "",
    ".bazelversion": "4.2.3\n",
    ".bazelrc": "build:debug --copt=-g\n",
    "BUILD": 'cc_library(name = "lib", srcs = ["a.cc"])\n',
}


_DROPPED = (
    "the linker drops debug symbols (-Wl,-S): --strip=sometimes strips fastbuild;"
    " --strip=never keeps them"
)


def said(
    capfd: pytest.CaptureFixture[str], root: Path, monkeypatch: pytest.MonkeyPatch, *words: str
) -> list[str]:
    monkeypatch.delenv("CC", raising=False)
    write_files(root, FILES)
    main([*words, "--host=linux", "--no-cache", "-w", str(root)])
    return [" ".join(line.split()) for line in capfd.readouterr().out.splitlines()]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("-c opt --copt=-g", "--copt=-g counts, after -g0 of opt"),
        (
            "-c opt --copt=-g",
            "debug symbols stay under -c opt: --strip=sometimes strips fastbuild only",
        ),
        (
            "--copt=-g",
            _DROPPED,
        ),
        ("-c dbg --strip=always", "--strip=always: the linker drops debug symbols (-Wl,-S)"),
        ("-c opt --copt=-O3", "--copt=-O3 counts, after -O2 of opt"),
        ("-c opt --copt=-O3 --copt=-O1", "--copt=-O3 does not count: -O1 comes later command line"),
        (
            "-c opt --copt=-g --cxxopt=-g",
            "--cxxopt=-g changes nothing: --copt has given it to C and C++ sources command line",
        ),
        ("-c dbg", "--compilation_mode=dbg: the toolchain adds -g"),
        ("--cxxopt=-std=c++17", "--cxxopt=-std=c++17 counts, after -std=c++0x of C++"),
        ("--conlyopt=-DX", "--conlyopt=-DX: for C sources alone, after the toolchain's words"),
        ("--linkopt=-lx", "--linkopt=-lx: behind the linkopts of all libraries that are linked"),
        ("--config=debug -c opt", "--copt=-g counts, after -g0 of opt"),
        (
            "--copt=-g --crosstool_top=//own:suite",
            "--copt=-g: after the words of the toolchain, which are not known",
        ),
    ],
)
def test_explain_says_what_options_come_to(
    capfd: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    line: str,
    told: str,
) -> None:
    lines = said(capfd, tmp_path, monkeypatch, "explain", *line.split(), "//:lib")
    assert told in lines
    assert not any("--copt" in one and "looks at it" in one for one in lines)


def test_flag_says_it_as_well(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = said(capfd, tmp_path, monkeypatch, "flag", "copt", "-c", "opt", "--copt=-O3")
    assert "--copt=-O3 counts, after -O2 of opt" in lines


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("", _DROPPED),
        ("-c opt", "debug symbols stay under -c opt: --strip=sometimes strips fastbuild only"),
    ],
)
def test_flag_says_what_the_default_of_strip_comes_to(
    capfd: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    line: str,
    told: str,
) -> None:
    assert told in said(capfd, tmp_path, monkeypatch, "flag", "strip", *line.split())
