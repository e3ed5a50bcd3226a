"""Options that would change what is loaded and are not heeded: a warning says so, and the exit
code that the answer may lack something."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.cli.entry import main
from tests.support.files import write_files


@pytest.mark.parametrize(
    ("option", "said", "code"),
    [
        ("--package_path=%workspace%", "", 0),
        ("--package_path=/elsewhere:%workspace%", "in the workspace alone", 3),
        ("--experimental_resolved_file_instead_of_workspace=r.bzl", "WORKSPACE is read", 3),
    ],
)
@pytest.mark.parametrize("command", ["query", "explain"])
def test_options(
    command: str,
    option: str,
    said: str,
    code: int,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    write_files(tmp_path, {"WORKSPACE": "", "BUILD": 'filegroup(name = "x")\n'})
    line = [command, "//:x", option, "-w", str(tmp_path), "--bazel-version=4.2.3", "--no-cache"]
    assert main(line) == code
    told = capfd.readouterr().err
    assert (said in told and "is not applied" in told) if said else told == ""
