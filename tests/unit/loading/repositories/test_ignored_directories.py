"""What `.bazelignore`, REPO.bazel and --deleted_packages leave out, and how that is said."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from bazelscope.cli.entry import cli
from tests.support import ignored_directories as measured
from tests.support.files import write_files


def _query(root: Path, version: str, *words: str) -> tuple[set[str], str]:
    line = ["query", "-w", str(root), f"--bazel-version={version}", "--no-cache", *words]
    result = CliRunner().invoke(cli, line)
    return set(result.stdout.splitlines()), result.stderr


@pytest.mark.parametrize("text", measured.LEFT_OUT)
def test_left_out_as_measured(tmp_path: Path, text: str) -> None:
    write_files(tmp_path, measured.FILES)
    (tmp_path / ".bazelignore").write_text(text, newline="")
    found, _ = _query(tmp_path, "4.2.3", measured.EVERYTHING)
    assert found == {*measured.WHOLE} - {*measured.LEFT_OUT[text]}


@pytest.mark.parametrize("target", measured.MESSAGES)
def test_messages_as_measured(tmp_path: Path, target: str) -> None:
    write_files(tmp_path, {**measured.FILES, ".bazelignore": "a"})
    _, said = _query(tmp_path, "4.2.3", measured.OPTION, f'"{target}"')
    assert measured.MESSAGES[target] in " ".join(said.split())


def test_a_point_ignores_everything(tmp_path: Path) -> None:
    # Measured: 2.1.0 and 4.2.3 find no targets.
    write_files(tmp_path, {**measured.FILES, ".bazelignore": "."})
    found, said = _query(tmp_path, "4.2.3", "//...")
    assert not found
    assert "no targets found beneath ''" in said


def test_other_repositories_have_a_file_of_their_own_since_1(tmp_path: Path) -> None:
    # Measured: 0.26.1 reads none.
    write_files(tmp_path, measured.FILES)
    assert _query(tmp_path, "0.26.1", "@r//...")[0] == {"@r//:x", "@r//in:x"}


@pytest.mark.parametrize(("version", "is_refused"), [("7.4.1", False), ("8.1.0", True)])
def test_absolute_paths(tmp_path: Path, version: str, is_refused: bool) -> None:
    # By IgnoredSubdirectoriesFunction, and Bazel's issue 24611.
    write_files(tmp_path, {"MODULE.bazel": "", "WORKSPACE": "", "a/BUILD": 'filegroup(name = "x")'})
    (tmp_path / ".bazelignore").write_text("/a\n")
    _, said = _query(tmp_path, version, "//a:x")
    assert ("'/a': cannot be an absolute path" in said) == is_refused


def test_patterns_of_another_repository(tmp_path: Path) -> None:
    # By IgnoredSubdirectoriesFunction: each repository has its own REPO.bazel.
    files = {
        "MODULE.bazel": 'bazel_dep(name = "r")\nlocal_path_override(module_name = "r", path = "r")',
        "r/MODULE.bazel": 'module(name = "r")',
        "r/REPO.bazel": 'ignore_directories(["**/gen"])',
        "r/BUILD": 'filegroup(name = "x")',
        "r/p/gen/BUILD": 'filegroup(name = "y")',
        "gen/BUILD": 'filegroup(name = "z")',
    }
    write_files(tmp_path, files)
    found, _ = _query(tmp_path, "8.2.0", "//gen:all + @r//...")
    assert {one.rpartition("//")[2] for one in found} == {"gen:z", ":x"}


@pytest.mark.parametrize("value", ["r//out", "a/", "/a", "@r", "//a//b", "//a:x"])
def test_no_values_of_deleted_packages(tmp_path: Path, value: str) -> None:
    # Measured: 4.2.3 refuses each.
    write_files(tmp_path, measured.FILES)
    _, said = _query(tmp_path, "4.2.3", f"--deleted_packages={value}", "//a:x")
    assert "--deleted_packages" in said


@pytest.mark.parametrize("value", ["a", "//a", "@//a", ",a", "b,,a"])
def test_values_of_deleted_packages(tmp_path: Path, value: str) -> None:
    write_files(tmp_path, measured.FILES)
    found, _ = _query(tmp_path, "4.2.3", f"--deleted_packages={value}", "//a/...")
    assert found == {"//a/sub:x"}
