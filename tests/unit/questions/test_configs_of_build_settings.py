"""Named configs that set build settings by label are told wherever configs are."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.cli import main
from tests.support.files import write_files

_FILES = {
    "WORKSPACE": "",
    ".bazelversion": "6.5.0\n",
    ".bazelrc": """\
build:gpu --//flags:gpu --copt=-DGPU
build:clang --config=gpu
build:clang --//flags:compiler=clang
build:none --//flags:gpu=no
build:sets --//flags:names=b,c
""",
    "flags/defs.bzl": """
bool_flag = rule(implementation = print, build_setting = config.bool(flag = True))
string_flag = rule(implementation = print, build_setting = config.string(flag = True))
list_flag = rule(
    implementation = print,
    build_setting = config.string_list(flag = True),
)
""",
    "flags/BUILD": """
load(":defs.bzl", "bool_flag", "list_flag", "string_flag")
bool_flag(name = "gpu", build_setting_default = False)
string_flag(name = "compiler", build_setting_default = "gcc")
list_flag(name = "names", build_setting_default = [])
bool_flag(name = "lonely", build_setting_default = False)
config_setting(name = "is_gpu", flag_values = {":gpu": "True"})
config_setting(name = "is_clang", flag_values = {":compiler": "clang"})
config_setting(name = "has_c", flag_values = {":names": "c"})
config_setting(name = "is_lonely", flag_values = {":lonely": "1"})
""",
    "BUILD": """
filegroup(name = "end")
filegroup(name = "gpu", srcs = select({"//flags:is_gpu": [":end"], "//conditions:default": []}))
filegroup(name = "clang", srcs = select({"//flags:is_clang": [":end"], "//conditions:default": []}))
filegroup(name = "c", srcs = select({"//flags:has_c": [":end"], "//conditions:default": []}))
filegroup(name = "lone", srcs = select({"//flags:is_lonely": [":end"], "//conditions:default": []}))
""",
}

GPU = """\
Only with --//flags:gpu=true:
  --config=gpu                 .bazelrc:1
  --config=clang, through gpu  .bazelrc:1
"""

_PATHS = {
    "a boolean, spelt by its name alone": ("gpu", GPU),
    "a string": ("clang", "Only with --//flags:compiler=clang:\n  --config=clang  .bazelrc:3\n"),
    "an element of a list": ("c", "Only with --//flags:names=c:\n  --config=sets  .bazelrc:5\n"),
    "set by no config": ("lone", "Only with --//flags:lonely=true:\n  no named config sets it\n"),
}


@pytest.fixture(autouse=True)
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write_files(tmp_path, _FILES)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return tmp_path


@pytest.mark.parametrize(("start", "expected"), _PATHS.values(), ids=_PATHS)
def test_what_a_path_needs(start: str, expected: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["path", f"//:{start}", "//:end"]) == 0
    assert expected in capsys.readouterr().out


def test_what_takes_the_other_branch(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["select", "//:clang", "--config=gpu"]) == 0
    out = capsys.readouterr().out
    assert "taken with --config=clang  .bazelrc:3" in out


def test_what_a_config_stands_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["configs", "clang"]) == 0
    assert (
        capsys.readouterr().out
        == """\
--config=clang  for build
  --config=gpu              .bazelrc:2
  --//flags:compiler=clang  .bazelrc:3

--config=gpu  for build
  --//flags:gpu  .bazelrc:1
  --copt=-DGPU   .bazelrc:1
  named by --config=clang
"""
    )
