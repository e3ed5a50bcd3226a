"""What cquery analyses for a pattern, where releases differ (measured beside real ones in
`tests/oracle/test_cquery_patterns.py`)."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.cli import main
from tests.support.files import write_files

_BUILD = """
filegroup(name = "plain")
filegroup(name = "manual", tags = ["manual"])
genrule(name = "gm", outs = ["gm.txt"], cmd = "", tags = ["manual"])
config_setting(name = "cs", values = {"define": "a=1"})
test_suite(name = "suite")
"""
_ALL = {"cs", "gm", "manual", "plain", "suite"}
_FOUND: dict[tuple[str, str], set[str]] = {
    ("4.2.3", "//p:all"): _ALL,
    ("2.1.0", "//p:all"): _ALL - {"suite"},
    ("2.0.0", "//p:all"): {"plain"},
    ("0.24.1", "//p:all"): {"plain"},
    ("0.24.1", "//p:all --build_manual_tests"): _ALL - {"suite"},
    # the rule of a file that is analysed is there, too
    ("0.24.1", "//p:*"): {"BUILD", "gm", "gm.txt", "plain"},
    ("0.24.1", "//p:manual"): {"manual"},
    ("0.24.1", "//p:suite"): set(),
}


@pytest.mark.parametrize(("version", "line"), _FOUND)
def test_what_a_pattern_stands_for(
    version: str, line: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    write_files(tmp_path, {"WORKSPACE": "", "p/BUILD": _BUILD})
    words = ["--noimplicit_deps", "--bazel-version", version, "--host=linux", "-w", str(tmp_path)]
    main(["cquery", *line.split(), "--no-cache", *words])
    shown = [one.split()[0] for one in capfd.readouterr().out.splitlines()]
    assert {label.removeprefix("//p:") for label in shown} == _FOUND[version, line]


@pytest.mark.parametrize(
    ("version", "repository", "is_there"),
    [
        ("0.27.0", "platforms", False),
        ("0.28.0", "platforms", True),
        ("0.28.0", "rules_cc", False),
        ("0.29.1", "rules_cc", True),
        ("1.2.0", "rules_proto", True),
        ("0.25.2", "remote_java_tools_linux", True),
    ],
)
def test_repositories_of_bazels_own(
    version: str,
    repository: str,
    is_there: bool,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    write_files(tmp_path, {"WORKSPACE": ""})
    words = ["--bazel-version", version, "--host=linux", "-w", str(tmp_path), "--no-cache"]
    main(["query", "//external:*", *words])
    assert (f"//external:{repository}" in capfd.readouterr().out.split()) is is_there
