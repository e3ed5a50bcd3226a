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


def test_slips_of_the_pen_come_before_parts() -> None:
    known = ("com_google_absl", "absl_py", "abs")
    assert meant_by("absl", known) == ("abs", "absl_py", "com_google_absl")
    assert meant_by("nothing", known) == ()
