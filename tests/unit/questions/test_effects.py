"""`effects`: what turns on a flag, a config, a variable or a setting."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bazelscope.api import Workspace
from bazelscope.cli import main
from tests.support.files import write_files

_FILES = {
    "WORKSPACE": 'load(":reads.bzl", "reads")\nreads(name = "reader")\n',
    "reads.bzl": """
def _impl(ctx):
    ctx.file("BUILD", "")

reads = repository_rule(implementation = _impl, environ = ["NEED_IT"])
""",
    ".bazelversion": "4.2.3\n",
    ".bazelrc": "build:fast --define=a=1 --define=b=1 --define=unused=1\n",
    "BUILD": """
config_setting(name = "a", define_values = {"a": "1"})
config_setting(name = "a2", define_values = {"a": "2"})
config_setting(name = "ab", define_values = {"a": "1", "b": "1"})
config_setting(name = "opt", values = {"compilation_mode": "opt"})
filegroup(name = "x")
filegroup(name = "y")
filegroup(name = "top", srcs = select({":a": [":x"], "//conditions:default": [":y"]}))
filegroup(name = "both", srcs = select({":ab": [":x"], "//conditions:default": []}))
filegroup(name = "all", srcs = [":top", ":both"])
filegroup(name = "other", srcs = select({":opt": [":x"], "//conditions:default": []}))
""",
}


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    write_files(tmp_path, _FILES)
    return Workspace.open(tmp_path, environment={}, cache_dir=None)


def test_a_define_brings_and_takes(workspace: Workspace) -> None:
    answer = workspace.configure([]).effects("define=a=1", "//:top")
    (effect,) = answer.effects
    (value,) = effect.values
    assert (value.brings, value.takes) == (1, 1)
    assert [str(label) for label in value.first_brought] == ["//:x"]
    assert [str(label) for label in value.first_taken] == ["//:y"]
    assert [str(use.condition) for use in effect.conditions] == ["//:a"]


def test_a_condition_by_its_short_name(workspace: Workspace) -> None:
    one, other = workspace.configure([]).effects("ab").effects
    assert {one.what, other.what} == {"--define=a", "--define=b"}
    assert workspace.configure([]).effects("both").problem


@pytest.mark.parametrize("name", ["a", "define=a", "--define=a", "//:a"])
def test_a_define_by_its_names(workspace: Workspace, name: str) -> None:
    (effect,) = workspace.configure([]).effects(name).effects
    assert effect.what == "--define=a"
    assert [str(use.condition) for use in effect.conditions] == ["//:a", "//:ab"]


def test_a_config_as_a_whole(workspace: Workspace) -> None:
    answer = workspace.configure([]).effects("fast", "//:all")
    assert answer.whole is not None
    assert (answer.whole.brings, answer.whole.takes) == (1, 1)
    assert [(effect.what, effect.is_idle) for effect in answer.effects] == [
        ("--define=a", False),
        ("--define=b", False),
        ("--define=unused", True),
    ]


def test_an_option_that_nothing_below_a_target_looks_at(
    workspace: Workspace, capsys: pytest.CaptureFixture[str]
) -> None:
    root = str(workspace.root)
    assert main(["effects", "compilation_mode", "//:top", "-w", root, "--no-cache"]) == 1
    assert "no select() below //:top looks at it" in capsys.readouterr().out
    assert main(["effects", "compilation_mode", "-w", root, "--no-cache"]) == 0
    assert "looked at by 1 condition in 1 select() of this workspace" in capsys.readouterr().out


def test_selects_of_repositories_count_and_those_that_are_not_here_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = tmp_path / "w"
    ext = 'filegroup(name = "e", srcs = select({"@//:a": [], "//conditions:default": []}))'
    write_files(
        root,
        {
            "WORKSPACE": """
load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
new_local_repository(name = "ext", path = "ext", build_file_content = 'EXT')
""".replace("EXT", ext),
            ".bazelversion": "4.2.3\n",
            "BUILD": """
config_setting(name = "a", define_values = {"a": "1"}, visibility = ["//visibility:public"])
filegroup(name = "top", srcs = ["@ext//:e"])
""",
            "ext/x": "",
        },
    )
    words = ["-w", str(root), "--no-cache"]
    assert main(["effects", "define=a", *words]) == 0
    assert "1 condition in 1 select() of this workspace and its rep" in capsys.readouterr().out
    assert main(["effects", "define=z", *words]) == 1
    assert "no select() of this workspace and its repositories looks" in capsys.readouterr().out
    with (root / "WORKSPACE").open("a") as file:
        file.write('http_archive(name = "far", urls = ["https://far.invalid/x.zip"])\n')
    with (root / "BUILD").open("a") as file:
        file.write('filegroup(name = "on_far", srcs = ["@far//:f"])\n')
    assert main(["effects", "define=z", *words]) == 1
    assert "and its repositories that could be read looks at it" in capsys.readouterr().out


def test_a_variable_is_read_by_repository_rules(workspace: Workspace) -> None:
    (effect,) = workspace.configure([]).effects("NEED_IT").effects
    assert effect.readers == ("reader",)


def test_a_name_that_nothing_has(workspace: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    root = str(workspace.root)
    assert main(["effects", "fats", "-w", root, "--no-cache"]) == 1
    assert "did you mean fast?" in capsys.readouterr().out
    assert main(["effects", "fast", "//:topp", "-w", root, "--no-cache"]) == 1


def test_as_json(workspace: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    root = str(workspace.root)
    assert main(["effects", "a", "//:top", "-w", root, "--no-cache", "--format", "json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["effects"][0]["what"] == "--define=a"


def test_a_word_that_another_one_sets_again_is_not_said_to_be_of_no_use(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    build = """
config_setting(name = "x", define_values = {"x": "y"})
filegroup(name = "top", srcs = select({":x": ["a"], "//conditions:default": []}))
"""
    rc = "build:a --define=x=y\n"
    write_files(tmp_path, {"WORKSPACE": "", ".bazelrc": rc, "BUILD": build, "a": ""})
    line = ["--config=a", "--config=a", "//:top"]
    main(["explain", *line, "--sections", "line", "-w", str(tmp_path)])
    told = capsys.readouterr().out
    assert "it is set again, to the same value, by --config=a" in told
    assert "looks at it" not in told


def test_a_config_that_this_command_does_not_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rc = "test:race --copt=-g\ntry-import %workspace%/.made.bazelrc\n"
    write_files(tmp_path, {"WORKSPACE": "", ".bazelrc": rc, "BUILD": ""})
    for name, told in (
        ("race", "config `race` is for another command (`test:race`, .bazelrc:1)"),
        ("made", ".made.bazelrc, which .bazelrc:2 imports, is not here and may define such"),
    ):
        assert main(["effects", name, "-w", str(tmp_path), "--no-cache"]) == 1
        assert told in " ".join(capsys.readouterr().out.split())


def test_a_variable_and_a_setting_that_nothing_looks_at(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rc = "build:some --repo_env=VARIABLE=1 --//:flag=1 --linkopt=-x\n"
    files = {"WORKSPACE": "", ".bazelrc": rc, ".bazelversion": "6.5.0", "BUILD": _FLAG}
    write_files(tmp_path, {**files, "flag.bzl": _FLAG_BZL})
    assert main(["effects", "some", "-w", str(tmp_path), "--no-cache"]) == 1
    told = capsys.readouterr().out.splitlines()
    reads = {line.partition(":")[0]: "repository rule" in line for line in told if "no sel" in line}
    assert len(told) >= 3
    assert sum(reads.values()) == 1
    assert any("VARIABLE" in line and "no repository rule reads it" in line for line in told)
    for name in ("//:flag", "flag"):
        assert main(["effects", name, "-w", str(tmp_path), "--no-cache"]) == 1
        assert capsys.readouterr().out.startswith("//:flag: no select() of this workspace")


_FLAG = 'load(":flag.bzl", "flag")\nflag(name = "flag", build_setting_default = "0")\n'
_FLAG_BZL = """
flag = rule(implementation = lambda ctx: [], build_setting = config.string(flag = True))
"""


def test_a_value_that_no_condition_asks_of_a_list_turns_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Conditions that ask for one value of `--copt` do not look at another; of `-c` they do."""
    rc = "build:o --copt=-O3 --cxxopt=-O3\nbuild:one --copt=-DX\nbuild:d -c dbg\n"
    build = """
config_setting(name = "x", values = {"copt": "-DX"})
config_setting(name = "opt", values = {"compilation_mode": "opt"})
filegroup(name = "f", srcs = select({":x": [], ":opt": [], "//conditions:default": []}))
"""
    write_files(
        tmp_path, {"WORKSPACE": "", ".bazelversion": "4.2.3", ".bazelrc": rc, "BUILD": build}
    )
    for config, code in (("o", 1), ("one", 0), ("d", 0)):
        assert main(["effects", config, "-w", str(tmp_path), "--no-cache"]) == code
    said = capsys.readouterr().out
    assert "No select() of this workspace and its repositories looks at these 2:" in said
    assert "--copt=-DX: looked at by 1 condition" in said
    assert "--compilation_mode=dbg: looked at by 1 condition" in said


def test_what_several_options_come_to_alike_is_told_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rc = "build --copt=-Wno-a --copt=-Wno-b\n"
    write_files(tmp_path, {"WORKSPACE": "", ".bazelversion": "4.2.3", ".bazelrc": rc})
    line = ["flag", "copt", "--copt=-Wno-a", "--copt=-O3", "-w", str(tmp_path), "--host=linux"]
    assert main(line) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "--copt=-Wno-a, --copt=-Wno-b: for C and C++ sources, after the toolchain's" in said
    assert "--copt=-Wno-a: set already .bazelrc:1" in said


@pytest.mark.parametrize(
    ("word", "told"),
    (
        ("--define=build_with_mlk=true", "did you mean --define=build_with_mkl?"),
        ("--repo_env=NEDE_IT=1", "did you mean --repo_env=NEED_IT?"),
        ("--action_env=NEDE_IT=1", "is known to read it did you mean --action_env=NEED_IT?"),
        ("--define=unlike=true", ""),
        ("--define=build_with_mkl=true", ""),
        ("--repo_env=NEED_IT=1", "read by the rule of @reader"),
        ("--copt=-DX", ""),
    ),
)
def test_a_misspelt_define_or_variable_is_told_with_what_was_meant(
    word: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    build = """
config_setting(name = "mkl", define_values = {"build_with_mkl": "true"})
filegroup(name = "f", srcs = select({":mkl": [], "//conditions:default": []}) + ["@reader//:x"])
"""
    reads = _FILES["reads.bzl"].replace(
        '"BUILD", ""', "\"BUILD\", \"filegroup(name = 'x', visibility = ['//visibility:public'])\""
    )
    write_files(tmp_path, {**_FILES, ".bazelrc": "", "BUILD": build, "reads.bzl": reads})
    line = ["explain", "//:f", word, "--sections=line", "-w", str(tmp_path), "--no-cache"]
    assert main([*line, "--host=linux"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert (told or word) in said
    assert ("did you mean" in said) == ("did you mean" in told)


def test_a_variable_without_a_value_has_that_of_the_machine(tmp_path: Path) -> None:
    write_files(tmp_path, {**_FILES, ".bazelrc": "build:set --repo_env=NEED_IT=1\n"})
    machine = {"NEED_IT": "1"}
    workspace = Workspace.open(tmp_path, environment=machine, cache_dir=None)
    for words, is_so in ((["--repo_env=NEED_IT"], True), (["--repo_env=NEED_IT=2"], False)):
        (effect,) = workspace.configure(words).effects("NEED_IT", "//:top").effects
        assert [value.need.holds for value in effect.values] == [is_so]
