"""Repositories whose names are misspelt, or said in part: what was meant is told first."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.base.nearest import meant_by
from bazelscope.cli import main
from tests.support.files import write_files

_FILES = {
    "WORKSPACE": """
load("@away//:defs.bzl", "more")
more()
new_local_repository(name = "nccl_archive", path = "/x", build_file_content = "")
new_local_repository(name = "local_config_nccl", path = "/x", build_file_content = "")
new_local_repository(name = "mkl_dnn_v1", path = "/x", build_file_content = "")
""",
    ".bazelversion": "4.2.3",
    "BUILD": "",
}


def _said(capfd: pytest.CaptureFixture[str], root: Path, *words: str) -> str:
    write_files(root, _FILES)
    main([*words, "-w", str(root), "--no-cache"])
    out, err = capfd.readouterr()
    return " ".join(f"{out} {err}".split())


def test_a_part_of_a_name_finds_those_that_have_it(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    said = _said(capfd, tmp_path, "repos", "nccl")
    assert "did you mean @nccl_archive, @local_config_nccl?" in said


@pytest.mark.parametrize("query", ("@mkl_dn_v1//...", "deps(@mkl_dn_v1//:all)"))
def test_a_pattern_in_a_repository_that_is_misspelt(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, query: str
) -> None:
    assert "did you mean `@mkl_dnn_v1`?" in _said(capfd, tmp_path, "query", query)


@pytest.mark.parametrize("target", ("@mkl_dn_v1//...", "@mkl_dn_v1//:x"))
def test_a_target_of_a_repository_that_is_misspelt(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, target: str
) -> None:
    meant = target.replace("mkl_dn_", "mkl_dnn_")
    assert f"did you mean {meant}?" in _said(capfd, tmp_path, "deps", target)


_TOP = {
    **_FILES,
    "BUILD": 'filegroup(name = "top", srcs = ["//other:x"])',
    "other/BUILD": 'filegroup(name = "x")',
}


@pytest.mark.parametrize(
    "words",
    (
        ("path", "//:top", "@mkl_dn_v1//:x"),
        ("path", "//:top", "@mkl_dn_v1//:x", "--all-paths"),
        ("path", "@mkl_dn_v1//:x", "//:top"),
        ("explain", "@mkl_dn_v1//:x"),
        ("rdeps", "@mkl_dn_v1//:x"),
        ("when", "//:top", "@mkl_dn_v1//:x"),
        ("select", "@mkl_dn_v1//:x"),
        ("deps", "@mkl_dn_v1//:x"),
        ("graph", "@mkl_dn_v1//:x", "-o", "{root}/x.svg"),
    ),
    ids=lambda words: " ".join(words[:3]),
)
def test_each_question_about_a_target_of_it(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, words: tuple[str, ...]
) -> None:
    write_files(tmp_path, _TOP)
    filled = [word.replace("{root}", str(tmp_path)) for word in words]
    main([*filled, "-w", str(tmp_path), "--no-cache"])
    out, err = capfd.readouterr()
    assert (out + err).count("did you mean @mkl_dnn_v1//:x?") == 1
    assert "is ()" not in out and "a unknown" not in out


_RULE = """
def _made(ctx):
    pass
made = repository_rule(implementation = _made, environ = ["TF_NEED_CUDA"])
"""


@pytest.mark.parametrize("command", ("why", "effects"))
def test_a_variable_that_is_misspelt(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, command: str
) -> None:
    """One that no line sets, and that a repository's rule reads."""
    rule = {"r.bzl": _RULE, "WORKSPACE": 'load("//:r.bzl", "made")\nmade(name = "cuda")\n'}
    write_files(tmp_path, {**_TOP, **rule})
    main([command, "TF_NED_CUDA", "-w", str(tmp_path), "--no-cache"])
    assert "did you mean TF_NEED_CUDA?" in "".join(capfd.readouterr())


def test_a_short_name_of_a_target_outside(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    outside = (
        'load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")\n'
        'http_archive(name = "dnn", urls = ["https://example.org/x.zip"],'
        ' build_file = "//:dnn.BUILD")\n'
    )
    files = {"WORKSPACE": outside, "dnn.BUILD": 'filegroup(name = "mkl_dnn")\n'}
    write_files(tmp_path, {**_TOP, **files})
    main(["rdeps", "mkl_dnm", "-w", str(tmp_path), "--no-cache"])
    assert "did you mean @dnn//:mkl_dnn?" in "".join(capfd.readouterr())


def test_what_else_a_name_means_and_what_is_not_known_take_one_line(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    build = 'filegroup(name = "top", srcs = ["@away//:x"])'
    files = {"BUILD": build, "other/BUILD": 'filegroup(name = "top")'}
    write_files(tmp_path, {**_TOP, **files})
    main(["deps", "top", "-w", str(tmp_path), "--no-cache"])
    foot = capfd.readouterr().out.rstrip().splitlines()
    assert foot[-2] == ""
    told = "1 more target called `top`; 1 of 5 loaded targets could not be read (--full)"
    assert foot[-1] == told


def test_slips_of_the_pen_come_before_parts() -> None:
    known = ("com_google_absl", "absl_py", "abs")
    assert meant_by("absl", known) == ("abs", "absl_py", "com_google_absl")
    assert meant_by("nothing", known) == ()
