"""`explain`, `flag` and `configs` on rc files alone, through the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from bazelscope.cli import main
from tests.unit.questions.golden import rows

RC = """\
build --define=open=true
build -c fastbuild
build:mkl --define=mkl=true -c opt
build:mkl --config=fast
build:fast --copt=-O2
test:slow --test_timeout=900
try-import %workspace%/.made.bazelrc
"""

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> Run:
    (tmp_path / "WORKSPACE").write_text("")
    (tmp_path / ".bazelversion").write_text("4.2.3\n")
    (tmp_path / ".bazelrc").write_text(RC)
    (tmp_path / "configure.py").write_text(
        'open(".made.bazelrc", "w").write("build:opt --copt=-march=native")\n'
    )

    def run(*words: str) -> tuple[int, str, str]:
        capfd.readouterr()
        code = main([words[0], "-w", str(tmp_path), "--host=linux", *words[1:]])
        out, err = capfd.readouterr()
        return code, out, err

    return run


def test_config_tree_has_a_place_on_every_line(run: Run) -> None:
    code, out, _ = run("explain", "--rc-only", "--config=mkl")
    assert code == 0
    start = rows(out).index("Configs")
    assert rows(out)[start + 1 : start + 6] == [
        "--config=mkl command line",
        "--define=mkl=true .bazelrc:3",
        "--compilation_mode=opt .bazelrc:3",
        "--config=fast .bazelrc:4",
        "--copt=-O2 .bazelrc:5",
    ]


def test_option_names_its_setter_and_what_it_beat(run: Run) -> None:
    _, out, _ = run("explain", "--rc-only", "--config=mkl")
    start = rows(out).index("--compilation_mode=opt .bazelrc:3, --config=mkl")
    assert rows(out)[start + 1] == "over -c fastbuild .bazelrc:2"
    assert "--copt=-O2 .bazelrc:5, --config=mkl > --config=fast" in rows(out)
    assert "open=true .bazelrc:1" in rows(out)


def test_undefined_config_names_who_would_define_it(run: Run) -> None:
    code, out, _ = run("explain", "--rc-only", "--config=opt")
    assert code == 2
    assert "--config=opt is not defined for `build`: Bazel stops here command line" in rows(out)
    assert (
        "configure.py:1 writes `build:opt` to .made.bazelrc, which does not exist: run that first"
        in rows(out)
    )
    imported = ".bazelrc:7 imports that file, which does not exist"
    assert not any(imported in row for row in rows(out))  # The script's line says so.
    _, out, _ = run("explain", "--rc-only", "--config=opt", "--full")
    assert any(imported in row for row in rows(out))


def test_config_of_another_command(run: Run) -> None:
    code, out, _ = run("explain", "--rc-only", "--config=slow")
    assert code == 2
    assert "`test:slow` defines it, for another command: .bazelrc:6" in rows(out)
    assert "similar" not in out
    code, _, _ = run("explain", "--rc-only", "--", "bazel", "test", "--config=slow")
    assert code == 0


def test_pasted_line_obeys_startup_options(run: Run) -> None:
    _, out, _ = run("explain", "--rc-only", "bazel", "--ignore_all_rc_files", "build", "-k")
    assert "--keep_going=1 command line" in rows(out)
    assert "Defines" not in out
    assert ".bazelrc" not in out


def test_flag_lists_every_instance(run: Run) -> None:
    code, out, _ = run("flag", "compilation_mode", "--config=mkl", "--compilation_mode=dbg")
    assert code == 0
    assert rows(out)[1:8] == [
        "--compilation_mode=dbg",
        "",
        "Set by",
        "+ --compilation_mode=dbg command line",
        "",
        "Over",
        "- -c opt .bazelrc:3, --config=mkl",
    ]


@pytest.mark.parametrize("name", ["c", "-c", "--compilation_mode", "compilation_mode"])
def test_flag_by_any_spelling(run: Run, name: str) -> None:
    _, out, _ = run("flag", name, "--config=mkl")
    assert rows(out)[1] == "--compilation_mode=opt"


def test_flag_of_one_define(run: Run) -> None:
    code, out, _ = run("flag", "define=mkl", "--config=mkl", "--define=mkl=false")
    assert code == 0
    assert rows(out)[1] == "--define=mkl=false"
    assert "- --define=mkl=true .bazelrc:3, --config=mkl" in rows(out)
    assert run("flag", "define=gone")[0] == 1


def test_flag_that_is_not_set_shows_its_default(run: Run) -> None:
    code, out, _ = run("flag", "strip")
    assert code == 0
    assert rows(out)[1] == "--strip=sometimes (default)"


def test_unknown_flag_has_near_names(run: Run) -> None:
    code, out, _ = run("flag", "compilation_mod")
    assert code == 1
    assert "did you mean --compilation_mode" in out


def test_configs(run: Run) -> None:
    code, out, _ = run("configs")
    assert code == 0
    assert "3 named configs" in out
    assert "--config=slow for test" in rows(out)
    code, out, _ = run("configs", "mkl")
    assert rows(out)[0] == "--config=mkl for build"
    assert "--config=fast for build" in rows(out)
    assert "named by --config=mkl" in rows(out)
    assert "slow" not in out


def test_unknown_config(run: Run) -> None:
    code, out, _ = run("configs", "mlk")
    assert code == 1
    assert "did you mean --config=mkl?" in rows(out)


def test_config_graph_as_svg(run: Run, tmp_path: Path) -> None:
    code, _, _ = run("configs", "-o", str(tmp_path / "configs.svg"))
    assert code == 0
    drawn = (tmp_path / "configs.svg").read_text()
    assert "<svg" in drawn
    assert "mkl" in drawn


def test_json_says_the_same(run: Run) -> None:
    _, out, _ = run("explain", "--rc-only", "--format=json", "--config=mkl")
    answer = json.loads(out)
    (tree,) = answer["configs"]
    assert [child["type"] for child in tree["children"]] == ["option", "option", "config"]
    assert tree["children"][0]["text"] == "--define=mkl=true"
    origin = tree["children"][0]["origin"]
    assert origin["type"] == "rc-file"
    assert [origin["span"][key] for key in ("path", "line", "column")] == [".bazelrc", 3, 11]
    assert tree["children"][0]["expanded_from"]["text"] == "--config=mkl"
    assert answer["defines"][0]["name"] == "mkl"


VARIABLES = """\
build --repo_env=CUDA=12.5 --repo_env=WHEEL=tf --action_env=PATH
build:clang --repo_env=CUDA=12.6
build --config=clang
"""

# What is asked, and the lines of the answer that tell it.
OF_A_NAME = {
    "one variable": (
        "repo_env=CUDA",
        ["--repo_env=CUDA=12.6", "+ --repo_env=CUDA=12.6 .bazelrc:2, --config=clang",
         "- --repo_env=CUDA=12.5 .bazelrc:1"],
    ),
    "all variables": (
        "repo_env",
        ["--repo_env=WHEEL=tf", "--repo_env=CUDA=12.6",
         "+ --repo_env=CUDA=12.6 .bazelrc:2, --config=clang",
         "- --repo_env=CUDA=12.5 .bazelrc:1"],
    ),
    "one of the environment": (
        "action_env=PATH", ["--action_env=PATH is taken from the environment"],
    ),
    "one that is not set": ("repo_env=ROCM", ["--repo_env=ROCM is not set, and has no default"]),
}  # fmt: skip


@pytest.mark.parametrize(("asked", "told"), OF_A_NAME.values(), ids=OF_A_NAME)
def test_of_variables_the_last_of_a_name_counts(
    run: Run, tmp_path: Path, asked: str, told: list[str]
) -> None:
    (tmp_path / ".bazelrc").write_text(VARIABLES)
    code, out, _ = run("flag", asked)
    assert code == (1 if asked == "repo_env=ROCM" else 0)
    assert [line for line in told if line not in rows(out)] == []
    assert ("WHEEL" in out) == (asked == "repo_env")
    assert "; the last of each name counts." in out


@pytest.mark.parametrize(
    ("host", "expected"), {"linux": "k8", "windows": "x64_windows", "macos": "darwin"}.items()
)
def test_the_cpu_is_by_default_that_of_the_host(run: Run, host: str, expected: str) -> None:
    code, out, _ = run("flag", "cpu", f"--host={host}")
    assert code == 0
    assert rows(out)[1] == f"--cpu={expected} (default)"


CONTRADICTING = """\
build --define=shared=true
build:one --define=shared=false --copt=-DONE
build --config=one
build --bogus_line_of_tests=1
build:two --copt=-DTWO
"""
DIFFER = "`--define=shared` is set to different values"

# Question: whether it concerns the define that is set twice.
CONCERNED = {
    ("flag", "define=shared"): True,
    ("flag", "define"): True,
    ("flag", "copt"): True,
    ("flag", "jobs"): False,
    ("configs",): True,
    ("configs", "one"): True,
    ("configs", "two"): False,
    ("explain", "--rc-only", "--why", "shared"): True,
    ("explain", "--rc-only", "--why", "jobs"): False,
    ("explain", "--rc-only"): True,
}


@pytest.mark.parametrize(
    ("words", "concerned"), CONCERNED.items(), ids=[" ".join(words) for words in CONCERNED]
)
def test_warnings_are_about_what_was_asked(
    run: Run, tmp_path: Path, words: tuple[str, ...], concerned: bool
) -> None:
    (tmp_path / ".bazelrc").write_text(CONTRADICTING)
    code, _, err = run(*words)
    assert code == 2
    assert (DIFFER in err) == concerned
    assert "bogus_line_of_tests" in err, "an error concerns every question"


# Name: lines of the answer.
UNSET = {
    "local_ram_resources": ["--local_ram_resources=HOST_RAM*.67 option"],
    "-O2": ["--copt=-O2 option", "because of --config=fast build:mkl .bazelrc:4"],
    "O2": ["--copt=-O2 option"],
    "mkl": ["--config=mkl config: sets 3"],
    "extra": ["--define=extra=4711 define"],
    "4711": ["--define=extra=4711 define"],
}


@pytest.mark.parametrize(("name", "told"), UNSET.items(), ids=UNSET)
def test_why_knows_defaults_and_values(run: Run, name: str, told: list[str]) -> None:
    code, out, _ = run("explain", "--rc-only", "--config=mkl", "--define=extra=4711", "--why", name)
    assert code == 0
    assert [line for line in told if line not in rows(out)] == []


def test_why_of_a_config_that_is_expanded_twice(run: Run, tmp_path: Path) -> None:
    (tmp_path / ".bazelrc").write_text("build --config=a\nbuild:a -c opt --define=x=1\n")
    _, out, _ = run("explain", "--rc-only", "--config=a", "--why", "--config=a")
    assert "sets --compilation_mode=opt .bazelrc:2" in rows(out)
    assert "beaten" not in out
    _, out, _ = run("explain", "--rc-only", "-c", "dbg", "--why", "--config=a")
    assert "sets --compilation_mode=opt beaten .bazelrc:2" in rows(out)


def test_why_of_a_variable_that_only_a_rule_knows(capfd: pytest.CaptureFixture[str]) -> None:
    workspace = Path(__file__).parents[3] / "fixtures/tf-2.18-cuda-wheel"
    wheel = "//tensorflow/tools/pip_package:wheel"
    line = ["--config=cuda", "--config=cuda_wheel"]
    assert main(["explain", "--why", "WHEEL_NAME", wheel, *line, "-w", str(workspace)]) == 0
    lines = rows(capfd.readouterr().out)
    at = lines.index("WHEEL_NAME variable for actions or repositories: not set")
    assert lines[at + 1] == "read by the rule of @python_version_repo"


_AWAY = "--@away//:flags"


def test_a_flag_of_a_repository_that_is_not_here(run: Run, tmp_path: Path) -> None:
    (tmp_path / "WORKSPACE").write_text(
        'load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")\n'
        'http_archive(name = "away", url = "https://a.example/a.zip")\n'
    )
    (tmp_path / ".bazelrc").write_text(f"build {_AWAY}=-a\nbuild:more {_AWAY}=-b\n")
    (tmp_path / "BUILD").write_text('filegroup(name = "x")')
    code, out, _ = run("flag", _AWAY, "--config=more")
    said = " ".join(out.split())
    assert code == 3
    assert f"{_AWAY}=-b nothing is known of this flag but what sets it" in said
    assert f"+ {_AWAY}=-b .bazelrc:2, --config=more" in said
    assert f"Over these, unless each value counts - {_AWAY}=-a .bazelrc:1" in said
    code, out, _ = run("flag", _AWAY)
    assert code == 0
    assert f"+ {_AWAY}=-a .bazelrc:1" in " ".join(out.split())
    code, out, _ = run("flag", "@away//:other")
    assert code == 3
    assert "nothing sets `@away//:other`, and whether it is a flag cannot be told" in out
    for words in (("--rc-only",), ("//:x",), ("--sections=line",)):
        _, out, _ = run("explain", "--config=more", *words)
        assert "instead of" not in out
        assert "is beaten by" not in out


@pytest.mark.parametrize(
    ("asked", "told"),
    (
        ("mkl", "`mkl` is a config: `bazelscope configs mkl` tells what it sets"),
        ("open", "did you mean --define=open?"),
        ("define=opem", "did you mean --define=open?"),
    ),
)
def test_a_name_that_is_no_flag_but_stands_in_an_rc_file(run: Run, asked: str, told: str) -> None:
    code, out, _ = run("flag", asked)
    assert code == 1
    assert told in " ".join(out.split())


def test_an_option_that_stands_for_others_takes_no_value(run: Run) -> None:
    _, out, _ = run("flag", "java_debug")
    assert "--java_debug takes no value." in " ".join(out.split())
