"""Which targets of a line a build builds, as a real Bazel was seen to choose them."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from bazelscope.analysis.refusals.test_suites import expanded, is_test_suite
from bazelscope.api.workspace import Workspace
from bazelscope.base.label import MAIN_ROOT, Label, parse_pattern
from bazelscope.cli import main
from bazelscope.cli.entry import cli
from bazelscope.questions.shared.built_targets import named_by, which_are_built
from bazelscope.questions.shared.world import World
from tests.support.files import write_files
from tests.support.target_filters import FILES, MEASURED, RUN_FILES, lines_that_run


@pytest.fixture(scope="module")
def filtered(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    root = tmp_path_factory.mktemp("filtered")
    write_files(root, FILES)
    return Workspace.open(root, bazel_version="4.2.3", host="linux")


@pytest.fixture(scope="module")
def runnable(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    root = tmp_path_factory.mktemp("runnable")
    write_files(root, RUN_FILES)
    return Workspace.open(root, bazel_version="4.2.3", host="linux")


@pytest.mark.parametrize("line", MEASURED)
def test_as_measured(filtered: Workspace, line: str) -> None:
    configured = filtered.configure_line(["bazel", *line.split()])
    world, named = configured.world, []
    for text in configured.target_patterns:
        pattern = parse_pattern(text, MAIN_ROOT)
        named.append(named_by(world, pattern, world.loader.expand(pattern)))
    built = {
        one.name for label in which_are_built(world, named).labels for one in _tests(world, label)
    }
    assert built == set(MEASURED[line].split())


@pytest.mark.parametrize(("words", "said"), list(lines_that_run()))
def test_run_and_test_refuse_lines(runnable: Workspace, words: list[str], said: str) -> None:
    line = runnable.configure_line(["bazel", *words])
    explained = line.explain()
    if said == "lost":
        assert [one.pattern for one in explained.targets if one.problem]
        return
    refusals = [one.message for one in explained.envelope.refusals]
    assert any(said in one for one in refusals) if said else not refusals
    if not line.target_patterns:
        return  # Then `check` is about the workspace, whatever the command.
    findings = [one.message for one in line.check(codes=["BZS00"]).findings]
    assert any(said in one for one in findings) if said else not findings


def _tests(world: World, label: Label) -> list[Label]:
    is_suite = is_test_suite(world.configured, label)
    if not (is_suite and world.configuration.is_on("expand_test_suites")):
        return [label]
    return [one.label for one in expanded(world.configured, label) if one.is_test]


def test_what_is_left_out_is_told(filtered: Workspace) -> None:
    root = str(filtered.root)
    line = ["explain", "-w", root, "--bazel-version=4.2.3", "--no-cache"]
    told = CliRunner().invoke(cli, [*line, "--build_tag_filters=-off", "//:a", "//:b"]).stdout
    assert "--build_tag_filters=-off keeps //:a from being built" in told
    told = CliRunner().invoke(cli, [*line, "--build_tag_filters=on", "//..."]).stdout
    assert "--build_tag_filters=on keeps 8 targets from being built" in told


def test_what_is_left_out_is_not_refused(tmp_path: Path) -> None:
    files = {
        "WORKSPACE": "",
        "BUILD": 'genrule(name = "g", outs = ["x"], cmd = "$(NO)", tags = ["off"])\n',
        ".bazelrc": "build --build_tag_filters=-off\n",
    }
    write_files(tmp_path, files)
    workspace = Workspace.open(tmp_path, bazel_version="4.2.3", host="linux")
    assert not workspace.configure(["//..."]).explain().envelope.refusals
    assert workspace.configure(["--build_tag_filters=", "//..."]).explain().envelope.refusals


def test_patterns_stand_in_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_files(tmp_path, FILES | {"asked": "//:a  # the first\n\n//:c\n"})
    workspace = Workspace.open(tmp_path, bazel_version="4.2.3", host="linux")
    told = workspace.configure(["--target_pattern_file=asked"]).explain()
    assert [target.pattern for target in told.targets] == ["//:a", "//:c"]
    line = ["explain", "-w", str(tmp_path), "--no-cache", f"--target_pattern_file={tmp_path}/asked"]
    assert main([*line, "//:b"]) == 2
    assert "cannot both be specified" in capsys.readouterr().err
    assert main([*line[:-1], "--target_pattern_file=lost"]) == 2
    assert "--target_pattern_file: cannot read `lost`" in capsys.readouterr().err


def test_incompatible_targets_that_are_named_may_be_skipped(tmp_path: Path) -> None:
    build = 'filegroup(name = "a", target_compatible_with = ["@platforms//:incompatible"])\n'
    write_files(tmp_path, {"WORKSPACE": "", "BUILD": build})
    workspace = Workspace.open(tmp_path, bazel_version="7.0.0", host="linux")
    assert workspace.configure(["//:a"]).explain().envelope.refusals
    skipping = workspace.configure(["--skip_incompatible_explicit_targets", "//:a"])
    assert not skipping.explain().envelope.refusals


_SUITE = """
filegroup(name = "a", target_compatible_with = ["@platforms//:incompatible"])
sh_test(name = "t", srcs = ["t.sh"], target_compatible_with = ["@platforms//:incompatible"])
test_suite(name = "s", tests = [":t"])
"""


@pytest.mark.parametrize(
    ("line", "is_refused"),
    [
        ("//:a //...", True),
        ("//... :a", True),
        ("a", False),
        ("//...", False),
        ("//:s", False),
        ("//:s //:t", True),
        ("--noexpand_test_suites //:s", True),
        ("--build_tag_filters=x //:a", False),
    ],
)
def test_incompatible_targets_are_refused_where_they_are_named(
    line: str, is_refused: bool, tmp_path: Path
) -> None:
    """As 4.2.3 does; `tests/oracle/test_refusals_incompatible.py` asks it."""
    write_files(tmp_path, {"WORKSPACE": "", "BUILD": _SUITE, "t.sh": ""})
    workspace = Workspace.open(tmp_path, bazel_version="7.0.0", host="linux")
    asked = workspace.configure(line.split())
    assert bool(asked.explain().envelope.refusals) is is_refused
    assert any(one.code == "BZS006" for one in asked.check().findings) is is_refused
