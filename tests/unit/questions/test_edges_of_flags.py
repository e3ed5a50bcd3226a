"""Edges that flags name: the C++ toolchain behind its alias, platforms, and values of label flags,
in what `when`, `path` and `effects` say, beside the configured graph."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.analysis.conditions.diagrams import FALSE, TRUE
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.paths.reach import Reaches
from bazelscope.api import Workspace
from bazelscope.base.graph_walk import distances
from bazelscope.base.label import Label
from bazelscope.questions.path.answer import PathOutcome
from bazelscope.questions.shared.conditions.flag_conditions import Now
from bazelscope.questions.shared.envelope import ExitCode
from tests.support.files import write_files

TOP = Label("", "", "top")
FILES = {
    "WORKSPACE": 'bind(name = "bound", actual = "//:lib")\n',
    ".bazelrc": """
build:own --crosstool_top=//own:suite
build:broken --crosstool_top=//broken:suite
build:tools --host_crosstool_top=//built:suite
build:board --platforms=//boards:board
build:builder --host_platform=//boards:builder
build:flagged --//:backend=//own:part
""",
    "BUILD": """
cc_toolchain_alias(name = "cc")
cc_host_toolchain_alias(name = "cc_of_tools")
label_flag(name = "backend", build_setting_default = ":lib")
filegroup(name = "lib")
filegroup(name = "top", srcs = [":cc", ":cc_of_tools", ":backend", "//external:bound"])
""",
    "own/BUILD": 'filegroup(name = "suite", srcs = [":part"])\nfilegroup(name = "part")\n',
    "built/BUILD": 'filegroup(name = "suite", srcs = [":part"])\nfilegroup(name = "part")\n',
    "broken/BUILD": 'filegroup(name = "suite")\nfail("not configured")\n',
    "boards/BUILD": 'platform(name = "board")\nplatform(name = "builder")\n',
}
LINES = (
    [],
    ["--config=own"],
    ["--config=tools"],
    ["--config=board"],
    ["--config=builder"],
    ["--config=flagged"],
    ["--config=own", "--config=tools", "--config=board", "--config=builder"],
)


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    write_files(tmp_path, FILES)
    return Workspace.open(tmp_path, environment={}, cache_dir=None, bazel_version="4.2.3")


def reached(graph: ConfiguredGraph) -> set[Label]:
    nodes = distances([graph.top(TOP)], lambda node: [e.target for e in graph.taken(node)])
    return {node.label for node in nodes}


@pytest.mark.parametrize("version", ["0.24.1", "2.1.0", "4.2.3", "6.5.0"])
def test_what_is_reached_is_what_the_configured_graph_has(tmp_path: Path, version: str) -> None:
    write_files(tmp_path, FILES)
    opened = Workspace.open(tmp_path, environment={}, cache_dir=None, bazel_version=version)
    lines = LINES if version > "3" else [one for one in LINES if "--config=flagged" not in one]
    for words in lines:
        world = opened.configure(words).world
        reaches = Reaches(world.graph, world.formulas())
        reach = reaches.of(TOP)
        atoms = reaches.formulas.atoms
        values = {
            state: atoms.in_force(formula, world.conditions)
            for state, formula in reach.arrival.items()
        }
        assert set(values.values()) <= {TRUE, FALSE}
        said = {state.label for state, value in values.items() if value == TRUE}
        assert said == reached(world.configured), words


def test_when_names_the_option(workspace: Workspace) -> None:
    condition = workspace.when("//:top", "//own:suite").condition
    assert condition is not None and condition.now is Now.NO
    told = [[word.need.text for word in one.words] for one in condition.alternatives]
    assert ["--crosstool_top=//own:suite"] in told
    assert ["--host_crosstool_top=//own:suite"] in told
    assert condition.making is not None
    assert condition.making.words == ("--config=own",)


def test_path_takes_it_too(workspace: Workspace) -> None:
    answer = workspace.configure([]).path("//:top", "//own:part")
    assert answer.outcome is PathOutcome.FOUND
    assert answer.condition is not None and answer.condition.now is Now.NO


def test_effects_of_a_toolchain(workspace: Workspace) -> None:
    whole = workspace.configure([]).effects("tools", "//:top").whole
    assert whole is not None
    assert [str(label) for label in whole.first_brought] == ["//built:suite", "//built:part"]


def test_a_package_in_error_that_other_flags_lead_to_is_no_error_of_the_line(
    workspace: Workspace,
) -> None:
    assert workspace.when("//:top", "//:lib").exit_code is ExitCode.ANSWERED
    broken = workspace.configure(["--config=broken"]).path("//:top", "//:lib")
    assert broken.exit_code is ExitCode.IN_ERROR


def test_what_an_earlier_run_kept_knows_the_rc_files_of_its_day(tmp_path: Path) -> None:
    files = {**FILES, ".bazelrc": ""}
    for texts in (files, FILES):
        write_files(tmp_path, texts)
        opened = Workspace.open(
            tmp_path, environment={}, cache_dir=tmp_path / "kept", bazel_version="4.2.3"
        )
        asked = opened.configure([])
        condition = asked.when("//:top", "//own:suite").condition
        assert condition is None or bool(condition.alternatives) == (texts is FILES)
        asked.save()
