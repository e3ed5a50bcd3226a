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


_TOOLS = """
filegroup(name = "tool", srcs = [":below"])
filegroup(name = "below")
genrule(name = "made", outs = ["x"], cmd = "", tools = [":tool"])
sh_test(name = "test", srcs = ["t.sh"], data = [":below"], tags = ["x"])
alias(name = "other", actual = ":below")
action_listener(name = "heard", mnemonics = ["A"], extra_actions = [":extra"])
extra_action(name = "extra", cmd = "x")
"""
_OF_TOOLS: dict[tuple[str, str], set[str]] = {
    # under every configuration that was met, or the nearest to that of the command line
    ("4.2.3", "//p:tool + //p:made"): {"tool target", "tool host", "made target"},
    ("2.1.0", "//p:tool + //p:made"): {"tool target", "made target"},
    ("0.24.1", "//p:tool --universe_scope=//p:made"): {"tool host"},
    # filters of a build
    ("4.2.3", "//p:below --build_tests_only"): {"below target"},
    ("2.1.0", "//p:below --build_tests_only"): set(),
    ("2.1.0", "//p:below + //p:test --build_tests_only"): {"below target", "test target"},
    ("2.1.0", "//p:below + //p:test --build_tag_filters=-x"): {"below target"},
    ("4.2.3", "//p:below --universe_scope=//p:tool,//p:below,-//p:tool"): {"below target"},
    ("4.2.3", "//p:tool --universe_scope=//p:tool,//p:below,-//p:tool"): set(),
    # what stands for another target shows what no file says
    ("4.2.3", "deps(//p:other,1) --experimental_action_listener=//p:heard"): {
        *("other target", "below target", "heard host"),
    },
    ("4.2.3", "deps(//p:below,1) --experimental_action_listener=//p:heard"): {"below target"},
}


@pytest.mark.parametrize(("version", "line"), _OF_TOOLS)
def test_configurations_of_a_pattern(
    version: str, line: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    write_files(tmp_path, {"WORKSPACE": "", "p/BUILD": _TOOLS, "p/t.sh": ""})
    expression, *flags = line.split(" --")
    words = ["--noimplicit_deps", "--bazel-version", version, "--host=linux", "-w", str(tmp_path)]
    main(["cquery", expression, *(f"--{flag}" for flag in flags), "--no-cache", *words])
    shown = capfd.readouterr().out.removeprefix("//p:").replace("\n//p:", "\n").splitlines()
    assert {one.replace("(", "").rstrip(")") for one in shown} == _OF_TOOLS[version, line]


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
