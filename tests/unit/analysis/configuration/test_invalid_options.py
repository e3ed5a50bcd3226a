"""Options that Bazel refuses as a whole (measured: `tests/oracle/test_option_sets.py`)."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.api import Workspace
from bazelscope.cli import main
from tests.support.option_sets import BUILD

_PYTHON = "python_path must be an absolute path when it is set."
_DISABLED = "is disabled by `--incompatible_use_python_toolchains`."


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "WORKSPACE").write_text("")
    (tmp_path / "BUILD").write_text(BUILD)
    return tmp_path


@pytest.mark.parametrize(
    ("line", "version", "expected"),
    [
        ("--python_path=bin/python", "4.2.3", _PYTHON),
        ("--python_path=bin/python", "9.0.0", _PYTHON),
        ("--python_path=python3", "4.2.3", None),
        ("--python_top=//:x", "4.2.3", f"`--python_top` {_DISABLED}"),
        ("--python_top=//:x", "9.0.0", None),
        ("--python2_path=", "4.2.3", None),
        ("--fdo_optimize=x --fdo_profile=//:p", "4.2.3", "Both --fdo_optimize and --fdo_profile"),
        ("--translations", "4.2.3", "Translations enabled, but no message translations"),
        ("--force_python=PY2", "2.1.0", "`--force_python` is disabled"),
        ("--force_python=PY2", "4.2.3", None),
        ("--platform_mappings=nope", "4.2.3", "no such file exists"),
        ("--platform_mappings=BUILD", "4.2.3", "expected `platforms:`"),
        ("--allowed_cpu_values=k8,arm --cpu=arm", "8.0.0", None),
        (
            "--allowed_cpu_values=k8,arm --cpu=ppc",
            "9.0.0",
            'Invalid --cpu value "ppc": allowed values are arm, k8.',
        ),
        ("--output_filter=(", "8.0.0", "is no value of `--output_filter`"),
        ("--per_file_copt=a(b)?,-c\\,d@-O2", "8.0.0", None),
        ("--ios_minimum_os=9.x", "2.1.0", "is no value of"),
        ("--ios_minimum_os=9.x", "4.2.3", None),
    ],
)
def test_lines(root: Path, line: str, version: str, expected: str | None) -> None:
    workspace = Workspace.open(root, bazel_version=version, host="linux")
    said = [one.message for one in workspace.configure([*line.split(), "//:x"]).refusals()]
    if expected is None:
        assert said == []
    else:
        assert expected in said[0]


def test_the_answer_begins_with_it(root: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (root / ".bazelrc").write_text("build --python_path=bin/python\nquery --keep_going\n")
    common = ("-w", str(root), "--no-cache", "--bazel-version", "4.2.3")
    for words in (["explain", "//:x"], ["path", "//:x", "//:p"], ["deps", "//:x"], ["settings"]):
        assert main([*words, *common]) == 2
        first, _, kind, message, *_ = capfd.readouterr().out.splitlines()
        assert first == "Bazel refuses this: 1 error."
        assert kind.split() == ["command-line", ".bazelrc:1"] and _PYTHON in message
    assert main(["query", "//:x", *common]) == 0


def test_a_drive_is_absolute_on_windows(root: Path) -> None:
    line = ["--python_path=C:/Python38/python.exe", "//:x"]
    for host, count in (("windows", 0), ("linux", 1)):
        workspace = Workspace.open(root, bazel_version="4.2.3", host=host)
        assert len(workspace.configure(line).refusals()) == count, host
