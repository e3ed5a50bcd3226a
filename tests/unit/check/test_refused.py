"""What `check` tells of what Bazel refuses: where, once, and with what would mend it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from bazelscope.api import Workspace
from bazelscope.cli import main
from bazelscope.loading.tree.disk import Entry, MachineDisk, cannot_read
from tests.support.files import write_files
from tests.support.parts import FIXTURES


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    files = {"WORKSPACE": "", ".bazelversion": "6.5.0\n", "c/BUILD": ""}
    write_files(tmp_path, files)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return tmp_path


def _findings(capsys: pytest.CaptureFixture[str], words: Sequence[str]) -> list[dict[str, Any]]:
    main(["check", "--no-cache", "--format", "json", *words])
    found: list[dict[str, Any]] = json.loads(capsys.readouterr().out)["findings"]
    return found


def test_an_import_of_a_file_that_a_script_makes_names_the_script(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {
        ".bazelrc": "import %workspace%/gen/environment.bazelrc\n",
        "setup/prepare.py": 'target = root / "gen/environment.bazelrc"\n',
        "setup/test/prepare_test.py": 'assert "gen/environment.bazelrc" in out\n',
        "README.md": "Without gen/environment.bazelrc nothing is built.\n",
    }
    write_files(workspace, files)
    [finding] = _findings(capsys, ["--codes", "BZS001"])
    assert finding["remedy"].startswith("run `setup/prepare.py`, if it writes the file;")
    assert [one["span"]["path"] for one in finding["causes"]] == ["setup/prepare.py"]
    (workspace / "setup/prepare.py").unlink()
    (workspace / "setup/test/prepare_test.py").unlink()
    [finding] = _findings(capsys, ["--codes", "BZS001"])
    assert finding["remedy"] == "`try-import` forgives a missing file"


def test_a_repository_that_no_module_brings_in_is_told_with_what_would(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (workspace / "WORKSPACE").unlink()
    files = {
        ".bazelversion": "8.1.0",
        ".bazelrc": "",
        "MODULE.bazel": "",
        "c/BUILD": 'filegroup(name = "x", srcs = ["@far//a:b", "@far//a:c"])\n',
    }
    write_files(workspace, files)
    told = _findings(capsys, ["//c:x"])
    brings = "//c:x depends on @far; nothing brings that repository in"
    assert [one["message"] for one in told] == [brings, brings]
    names = sorted(cause["message"] for one in told for cause in one["causes"])
    assert names == ["it names @far//a:b", "it names @far//a:c"]
    assert all("`bazel_dep`" in one["remedy"] for one in told)


@pytest.mark.parametrize(
    ("version", "reason"),
    [
        ("4.2.3", "The repository '@far' could not be resolved"),
        ("7.4.1", "Repository '@@far' is not defined"),
    ],
)
def test_packages_of_a_repository_that_nothing_defines_are_told_together(
    workspace: Path, capsys: pytest.CaptureFixture[str], version: str, reason: str
) -> None:
    names = range(9)
    build = "".join(f'filegroup(name = "x{n}", srcs = ["@far//p{n}:y"])\n' for n in names)
    build += 'filegroup(name = "other", srcs = ["//gone:y"])\n'
    build += f"filegroup(name = 'all', srcs = ['other'] + {[f'x{n}' for n in names]})"
    rc = "" if version == "4.2.3" else "common --noenable_bzlmod"
    write_files(workspace, {".bazelversion": version, ".bazelrc": rc, "c/BUILD": build})
    assert main(["explain", "//c:all"]) == 3
    refused = capsys.readouterr().out.partition("What follows")[0]
    assert refused.count("could not be resolved") == 1
    told = [line.strip() for line in refused.splitlines()]
    (place,) = [number for number, line in enumerate(told) if reason in line]
    assert told[place - 1].startswith("9 targets: //c:x0, //c:x1, //c:x2 and 6 more")
    at = "@@" if version == "7.4.1" else "@"
    assert told[place + 1] == f"9 packages: {at}far//p0, {at}far//p1, {at}far//p2 and 6 more"
    main(["check", "--no-cache"])
    checked = capsys.readouterr().out
    assert checked.count("nothing defines it") == 1
    assert "and 2 more BZS006" in checked


def test_a_repository_that_its_own_rule_refuses_is_to_be_done_as_it_says(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rule = 'def _impl(ctx):\n    fail("set HOME_OF_FAR")\nfar = repository_rule(_impl)\n'
    files = {
        ".bazelversion": "4.2.3",
        "WORKSPACE": 'load("//:far.bzl", "far")\nfar(name = "far")\n',
        "BUILD": "",
        "far.bzl": rule,
        "c/BUILD": 'filegroup(name = "x", srcs = ["@far//:y"])\n',
    }
    write_files(workspace, files)
    (only,) = _findings(capsys, ["--codes", "BZS006"])
    assert only["message"] == "@far cannot be made: set HOME_OF_FAR"
    assert only["remedy"] == "do what the repository says"


def test_a_failing_workspace_may_define_what_stands_behind(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {
        ".bazelversion": "4.2.3",
        "WORKSPACE": "nosuch_rule(name = 'x')\nload('//:defs.bzl', 'define')\ndefine('far')\n",
        "BUILD": "",
        "defs.bzl": "def define(name):\n    native.local_repository(name = name, path = 'far')\n",
        "c/BUILD": 'load("@far//:a.bzl", "a")\n',
        "d/BUILD": 'filegroup(name = "y", srcs = ["@far//p:q"])\n',
    }
    write_files(workspace, files)
    (only,) = _findings(capsys, ["--codes", "BZS004,BZS005,BZS006"])
    assert (only["code"], only["message"]) == ("BZS004", "name 'nosuch_rule' is not defined")


def test_what_an_option_names_and_is_not_there_is_told_once(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {
        ".bazelrc": "build:own --crosstool_top=//tools:toolchain\n",
        "tools/BUILD": "",
        "c/BUILD": 'cc_library(name = "x")\ncc_library(name = "y")\n',
    }
    write_files(workspace, files)
    [finding] = _findings(capsys, ["//c:x", "--config=own", "--codes", "BZS006"])
    assert finding["message"] == (
        "`--crosstool_top=//tools:toolchain` names no target: tools/BUILD does not declare it"
    )
    assert (finding["span"]["path"], finding["span"]["line"]) == (".bazelrc", 1)
    assert finding["remedy"] == "correct the option"


def test_a_clash_on_top_of_flags_says_so(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = "".join(
        f'config_setting(name = "{name}", define_values = {{"{name}": "1"}})\n' for name in "ab"
    )
    select = 'select({":a": ["1"], ":b": ["2"], "//conditions:default": []})'
    files = {
        ".bazelrc": "build:a --define=a=1\nbuild:b --define=b=1\n",
        "c/BUILD": f'{settings}cc_library(name = "x", copts = {select})\n',
    }
    write_files(workspace, files)
    [alone] = _findings(capsys, ["--codes", "BZS204"])
    [on_top] = _findings(capsys, ["--codes", "BZS204", "--config=a"])
    assert alone["message"].startswith("`--config=a --config=b` makes ")
    assert on_top["message"].startswith("`--config=b`, on top of this line, makes ")


def test_what_nobody_may_read_is_told(
    workspace: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(workspace, {".bazelrc": "", "d/e/BUILD": ""})
    read, entries = MachineDisk.read, MachineDisk.entries

    def refused(path: str) -> bool:
        return path.endswith(("c/BUILD", "/d"))

    def no_read(disk: MachineDisk, path: str, shown: str) -> bytes:
        if refused(path):
            raise cannot_read(shown, "Permission denied")
        return read(disk, path, shown)

    def no_entries(disk: MachineDisk, directory: str) -> list[Entry]:
        if refused(directory):
            raise PermissionError(13, "Permission denied")
        return entries(disk, directory)

    monkeypatch.setattr(MachineDisk, "read", no_read)
    monkeypatch.setattr(MachineDisk, "entries", no_entries)
    told = _findings(capsys, ["--codes", "BZS005"])
    assert [(one["span"]["path"], one["message"]) for one in told] == [
        ("c/BUILD", "no such package 'c': cannot read `c/BUILD`: Permission denied"),
        ("d", "no package below `d` can be loaded: Permission denied"),
    ]


@pytest.mark.parametrize("version", ["6.5.0", "8.1.0"])
def test_every_rule_of_cpp_can_be_looked_at(
    version: str, workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # Bazel expands nothing in texts of these.
    files = {
        ".bazelversion": version,
        "MODULE.bazel": "",
        "c/BUILD": 'cc_import(name = "x", static_library = "x.a")\n'
        'cc_toolchain_alias(name = "y")\n',
    }
    write_files(workspace, files)
    assert _findings(capsys, ["//c:x", "--codes", "BZS006"]) == []
    assert _findings(capsys, ["--codes", "BZS006"]) == []


def test_the_wheel_of_a_seed_refuses_cuda_without_its_config(
    capsys: pytest.CaptureFixture[str],
) -> None:
    root = FIXTURES / "tf-2.18-cuda-wheel"
    words = ["-w", str(root), "--codes", "BZS006", "--config=cuda"]
    [finding] = _findings(capsys, [*words, "//tensorflow/tools/pip_package:wheel"])
    assert finding["span"]["path"] == "tensorflow/tools/pip_package/utils/tf_wheel.bzl"
    assert "add --config=cuda_wheel" in finding["message"]
    assert [cause["span"]["path"] for cause in finding["causes"]] == [
        "tensorflow/tools/pip_package/BUILD",
        ".bazelrc",
    ]
    assert (
        _findings(capsys, [*words, "--config=cuda_wheel", "//tensorflow/tools/pip_package:wheel"])
        == []
    )


def test_what_an_error_of_its_package_keeps_away_is_told_by_that_error(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(workspace, {"c/BUILD": 'filegroup(name = "x", srcs = ["//d:late"])'})
    write_files(workspace, {"d/BUILD": 'fail("stop")\nfilegroup(name = "late")'})
    messages = [finding["message"] for finding in _findings(capsys, ["//c:x"])]
    assert "//c:x depends on //d:late; d/BUILD ends in an error before it declares that" in messages


def test_native_is_known_to_bzl_files_alone(tmp_path: Path) -> None:
    write_files(tmp_path, {"WORKSPACE": "", "BUILD": 'native.filegroup(name = "x")\n'})
    (found,) = Workspace.open(tmp_path).check(codes=["BZS005"]).findings
    assert (found.message, found.remedy) == (
        "name 'native' is not defined",
        "call the rule itself, without `native.`",
    )


def test_what_two_attributes_lack_is_told_once(tmp_path: Path) -> None:
    library = 'py_library(name = "x", deps = ["//gone:x"], data = ["//gone:x"])\n'
    write_files(tmp_path, {"WORKSPACE": "", ".bazelversion": "6.5.0", "BUILD": library})
    (found,) = Workspace.open(tmp_path).check(codes=["BZS006"]).findings
    assert found.message == "//:x depends on //gone:x, but gone has no BUILD file"


@pytest.mark.parametrize(
    ("build", "remedy"),
    [
        ('fail("call make first")\n', "do what the text says, which a call of fail() gives"),
        ("x = 1 + None\n", "correct the statement, or what it loads"),
        ('rule_of(name = "x")\n', "do what the rule says, or change what the target gives it"),
        (
            'genrule(name = "x", outs = ["o"], cmd = "$(location :y)")\n',
            "correct what stands in `$(...)`, or add what it names to `data`",
        ),
    ],
)
def test_a_finding_always_has_a_remedy(build: str, remedy: str, tmp_path: Path) -> None:
    rule = """def _impl(ctx):
    fail("take --config=wheel")
rule_of = rule(implementation = _impl)
"""
    load = 'load(":defs.bzl", "rule_of")\n'
    files = {"WORKSPACE": "", ".bazelversion": "6.5.0", "defs.bzl": rule, "BUILD": load + build}
    write_files(tmp_path, files)
    found = Workspace.open(tmp_path).check("//:all", codes=["BZS0"]).findings
    assert [one.remedy for one in found] == [remedy]


def test_what_is_not_built_is_no_finding(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {
        ".bazelrc": "build --build_tag_filters=-off\n",
        "c/BUILD": 'genrule(name = "x", outs = ["o"], cmd = "$(NO)", tags = ["off"])\n',
    }
    write_files(workspace, files)
    for line in ([], ["//c:all"], ["//c:x"]):
        assert not _findings(capsys, [*line, "--codes", "BZS006"])
    assert _findings(capsys, ["//c:x", "--build_tag_filters=", "--codes", "BZS006"])


_ABSENT = """
load(":r.bzl", "made")
exports_files(["exported"])
cc_library(name = "x", srcs = ["gone.cc", "here.cc"], hdrs = ["sub/here.h"], data = ["sub"])
cc_library(name = "y", srcs = select({":slow": ["slow.cc"], "//conditions:default": ["here.cc"]}))
config_setting(name = "slow", values = {"compilation_mode": "dbg"})
genrule(name = "g", outs = ["generated.cc"], cmd = "")
cc_library(name = "z", srcs = ["generated.cc"], deps = ["//q:far.h"])
py_binary(name = "b", srcs = ["//q:main.py"], main = "main.py")
made(name = "doc")
filegroup(name = "zip", srcs = ["doc.zip"])
filegroup(name = "also", srcs = ["gone.cc"])
"""
_MADE = "made = rule(implementation = lambda ctx: None, attrs = {})\n"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ([], ["//p:gone.cc", "//p:slow.cc"]),
        (["//p:x"], ["//p:gone.cc"]),
        (["//p:also"], ["//p:gone.cc"]),
        (["//p:y"], []),
        (["//p:y", "-c", "dbg"], ["//p:slow.cc"]),
        (["//p:z", "//p:b", "//p:zip"], []),
    ],
)
def test_source_files_that_are_not_there(
    workspace: Path, words: list[str], expected: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    files = {
        "p/BUILD": _ABSENT,
        "p/r.bzl": _MADE,
        "p/here.cc": "",
        "p/sub/here.h": "",
        "q/BUILD": 'exports_files(["far.h", "main.py"])\n',
        "q/far.h": "",
        "q/main.py": "",
    }
    write_files(workspace, files)
    found = _findings(capsys, ["--codes=BZS007", *words])
    assert [one["subject"] for one in found] == expected
    assert all(one["severity"] == "warning" for one in found)
    if words == ["//p:x"]:
        (finding,) = found
        assert finding["span"]["line"] == 4
        assert finding["remedy"] == "write the file, or take it out of `srcs`"


def test_a_repository_that_several_loads_of_workspace_lack_is_told_once(tmp_path: Path) -> None:
    """Seen on envoy-mobile without its submodule."""
    loads = "".join(f'load("@sub//:d{n}.bzl", "f{n}")\n' for n in range(3))
    text = f'local_repository(name = "sub", path = "sub")\n{loads}'
    write_files(tmp_path, {"WORKSPACE": text, "BUILD": ""})
    workspace = Workspace.open(tmp_path, bazel_version="4.2.3")
    (finding,) = workspace.check(codes=["BZS004"]).findings
    assert [cause.span.line for cause in finding.causes if cause.span] == [2, 3, 4]
