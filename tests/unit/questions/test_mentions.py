"""`explain --why NAME` for a name that no build uses: where the workspace's files have it."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.cli import main
from tests.support.files import write_files

FILES = {
    "WORKSPACE": 'load("//r:repo.bzl", "fetched")\nfetched(name = "one")\nfetched(name = "two")\n',
    ".bazelversion": "4.2.3\n",
    ".bazelrc": "# Not on Windows.\n# Nor on macOS.\n"
    "build:mkl --define=mkl=1\nbuild:o --copt=-O3\n",
    "configure.py": "if is_clang:\n    write('build --copt=-Wno-own')\n",
    "r/BUILD": "",
    "r/repo.bzl": """\
def _impl(ctx):
    pass

fetched = repository_rule(_impl)

OLD_ROOT = "OLD_ROOT"
left = repository_rule(_impl, environ = [OLD_ROOT])
""",
    "BUILD": """\
config_setting(name = "unused_mode", values = {"define": "unused=1"})
cc_library(name = "l", srcs = ["l.cc"])
""",
}


@pytest.fixture
def why(tmp_path: Path, capfd: pytest.CaptureFixture[str]):  # type: ignore[no-untyped-def]
    write_files(tmp_path, FILES)

    def ask(name: str, *flags: str) -> tuple[int, list[str]]:
        line = ["explain", "//:l", *flags, "--why", name, "-w", str(tmp_path), "--no-cache"]
        code = main([*line, "--host=linux"])
        return code, [" ".join(one.split()) for one in capfd.readouterr().out.splitlines()]

    return ask


def test_a_repository_rule_and_what_it_makes(why) -> None:  # type: ignore[no-untyped-def]
    code, rows = why("fetched")
    assert code == 0
    assert "fetched defined: repository rule r/repo.bzl:4" in rows
    assert "makes @one WORKSPACE:2" in rows and "makes @two WORKSPACE:3" in rows


def test_a_variable_that_only_an_unused_rule_reads(why) -> None:  # type: ignore[no-untyped-def]
    code, rows = why("OLD_ROOT")
    assert code == 0
    assert (
        "OLD_ROOT in the workspace's files: nothing known in this build uses it r/repo.bzl:6"
        in rows
    )
    assert (
        "has it: left a repository rule of that file, makes no repository here r/repo.bzl:7" in rows
    )


def test_a_condition_that_nothing_looks_at(why) -> None:  # type: ignore[no-untyped-def]
    code, rows = why("unused_mode")
    assert code == 0
    assert "//:unused_mode defined: config_setting BUILD:1" in rows


def test_what_a_script_writes(why) -> None:  # type: ignore[no-untyped-def]
    for flags in ((), ("--copt=-Wno-own",)):
        code, rows = why("-Wno-own", *flags)
        assert code == 0
        (row,) = [row for row in rows if row.startswith("has it: write(")]
        assert "configure.py:2" in row and "in `if is_clang`" in row


def test_what_no_file_has(why) -> None:  # type: ignore[no-untyped-def]
    code, rows = why("nowhere_at_all")
    assert code == 1
    assert "error: nothing in this build mentions `nowhere_at_all`" in rows


def test_what_bazels_own_rule_reads(  # type: ignore[no-untyped-def]
    why, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    code, rows = why("BAZEL_VC")
    assert code == 0
    assert any(row.startswith("read by the rule of @local_config_cc") for row in rows)
    assert main(["why", "BAZEL_VC", "-w", str(tmp_path), "--no-cache", "--host=windows"]) == 0
    assert "read by the rule of @local_config_cc" in capfd.readouterr().out


def test_what_a_build_has_of_a_starlark_name(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    files = {
        "WORKSPACE": 'load("//r:repo.bzl", "all_of_them")\nall_of_them()\n',
        ".bazelversion": "4.2.3\n",
        **dict.fromkeys(("r/BUILD", "a.cc", "b.cc", "c.cc"), ""),
        "r/repo.bzl": """\
def _impl(ctx):
    pass

fetched = repository_rule(_impl)

def all_of_them():
    fetched(name = "one")
""",
        "r/defs.bzl": "def deps_of(name):\n    return [name]\n\ndef made(name):\n    pass\n",
        "BUILD": """\
load("//r:defs.bzl", "deps_of", "made")
DEPS_OF_ALL = [
    "a.cc",
]
filegroup(
    name = "used",
    srcs = DEPS_OF_ALL +
           # deps_of is explained here.
           deps_of("b.cc"),
)
filegroup(name = "other", srcs = deps_of("c.cc"))
filegroup(name = "top", srcs = [":used"])
""",
    }
    write_files(tmp_path, files)

    def rows_of(name: str, *targets: str) -> list[str]:
        words = ["why", name, *targets, "-w", str(tmp_path), "--no-cache", "--host=linux"]
        assert main(words) == 0
        return [" ".join(one.split()) for one in capfd.readouterr().out.splitlines()]

    told = rows_of("deps_of", "//:top")
    assert "used by //:used BUILD:9" in told
    assert not any("//:other" in row for row in told)
    assert "used by //:used BUILD:7" in rows_of("DEPS_OF_ALL", "//:top")
    assert "makes @one r/repo.bzl:7" in rows_of("all_of_them", "//:top")
    not_followed = (
        "no call of it is known to be for these targets; calls in .bzl files are not followed"
    )
    assert not_followed in rows_of("made", "//:top")
    for name in ("deps_of", "DEPS_OF_ALL", "made", "other"):
        told = rows_of(name)
        assert not any("in this build" in row for row in told), told


def test_a_config_has_its_comment(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    write_files(tmp_path, FILES)
    line = ["explain", "--config=mkl", "--config=o", "-w", str(tmp_path), "--no-cache"]
    assert main([*line, "--host=linux"]) == 0
    rows = [" ".join(one.split()) for one in capfd.readouterr().out.splitlines()]
    at = next(i for i, row in enumerate(rows) if row.startswith("--config=mkl"))
    assert rows[at + 1] == "# Not on Windows. Nor on macOS. .bazelrc:1"
    assert sum(row.startswith("# ") for row in rows) == 1


def test_a_config_has_no_comment_of_one_that_it_names(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    rc = "# Says nothing.\nbuild:quiet --output_filter=x\n\nbuild:big --config=quiet\n"
    write_files(tmp_path, {"WORKSPACE": "", ".bazelrc": rc})
    line = ["explain", "--config=big", "-w", str(tmp_path), "--no-cache", "--host=linux"]
    assert main([*line, "--sections=line"]) == 0
    told = capfd.readouterr().out
    assert "--config=big" in told
    assert "Says nothing" not in told


def test_a_config_that_names_an_undefined_one_is_defined(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    rc = "build:big --config=opt\nbuild:big -c opt\nbuild:only --config=opt\n"
    write_files(tmp_path, {"WORKSPACE": "", ".bazelrc": rc})
    words = ["--config=big", "--config=only", "--config=none"]
    line = ["explain", *words, "-w", str(tmp_path), "--no-cache", "--host=linux"]
    assert main([*line, "--sections=line"]) == 2
    told = [" ".join(one.split()) for one in capfd.readouterr().out.splitlines()]
    undefined = {told[i - 1] for i, row in enumerate(told) if row == "is not defined"}
    assert undefined == {"--config=none"}
    assert any(row.startswith("--config=only") for row in told)


def test_a_define_that_no_select_asks_for(why) -> None:  # type: ignore[no-untyped-def]
    code, lines = why("unused_mode", "--define=unused_mode=1")
    assert code == 0
    assert "--define=unused_mode=1 define" in lines
    assert "//:unused_mode defined: config_setting BUILD:1" in lines
    assert "nothing in this build comes to it" in lines


def test_who_asks_why_one_target_needs_another_is_told_how_to(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    build = 'filegroup(name = "a", srcs = [":b"])\nfilegroup(name = "b")\n'
    write_files(tmp_path, {"WORKSPACE": "", "BUILD": build})
    line = ["explain", "--why", "//:a", "//:b", "-w", str(tmp_path), "--no-cache", "--host=linux"]
    assert main(line) == 1
    assert "did you mean `bazelscope path //:a //:b`?" in capfd.readouterr().out
    assert main(["path", "//:a", "//:b", "-w", str(tmp_path), "--no-cache"]) == 0
