"""What Bazel refuses of what a way begins at: of targets as they are configured there, on the way
and beside it, cycles that it runs into, and environments that targets far below name."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.analysis.refusals.refusal import RefusalKind
from bazelscope.api import ConfiguredWorkspace, Workspace
from bazelscope.cli.entry import main
from tests.support.files import write_files

_BUILD = """
config_setting(name = "a", define_values = {"a": "1"})
config_setting(name = "opt", values = {"compilation_mode": "opt"})
filegroup(name = "b", srcs = [":c"])
filegroup(name = "c", srcs = [":b"])
filegroup(name = "aside", srcs = [":c"])
filegroup(name = "runs_into", srcs = [":b", ":end"])
filegroup(name = "end")
sh_binary(name = "tool", srcs = select({":opt": ["t.sh"]}))
genrule(name = "made", outs = ["o"], cmd = "x", tools = [":tool"])
filegroup(name = "bad", srcs = select({":opt": ["t.sh"]}))
filegroup(name = "beside_bad", srcs = [":bad"])
filegroup(name = "above_bad", srcs = [":beside_bad", ":end"])
filegroup(name = "cut", srcs = select({":opt": [":bad"], "//conditions:default": []}))
environment(name = "one")
environment(name = "two")
environment_group(name = "g", environments = [":one", ":two"], defaults = [":one", ":two"])
filegroup(name = "of_one", restricted_to = [":one"])
filegroup(name = "of_two", restricted_to = [":two"])
filegroup(name = "one_below", srcs = select({":a": [], "//conditions:default": [":of_one"]}))
filegroup(name = "two_below", srcs = select({":a": [], "//conditions:default": [":of_two"]}))
filegroup(name = "on_one", srcs = [":one_below"])
filegroup(name = "on_two", srcs = [":two_below"])
filegroup(name = "both", srcs = select({
    ":a": [],
    "//conditions:default": [":on_one", ":on_two"],
}))
filegroup(name = "over", srcs = [":both"])
"""


@pytest.fixture
def asked(tmp_path: Path) -> ConfiguredWorkspace:
    write_files(tmp_path, {"WORKSPACE": "", "BUILD": _BUILD, "t.sh": ""})
    return Workspace.open(tmp_path, bazel_version="4.2.3", host="linux").configure([])


def _refused(asked: ConfiguredWorkspace, source: str, target: str) -> list[tuple[str, str]]:
    answer = asked.path(f"//:{source}", f"//:{target}", configured=True)
    every = asked.paths(f"//:{source}", f"//:{target}", configured=True)
    told = {(one.kind.name, str(one.target)) for one in answer.envelope.refusals}
    assert told <= {(one.kind.name, str(one.target)) for one in every.envelope.refusals}
    return sorted(told)


def test_a_cycle_that_the_way_runs_into(asked: ConfiguredWorkspace) -> None:
    assert _refused(asked, "runs_into", "c") == [("CYCLE", "//:b")]
    assert _refused(asked, "b", "c") == [("CYCLE", "//:b")]
    assert _refused(asked, "runs_into", "end") == [("CYCLE", "//:b")]
    for target in ("b", "aside"):
        refusals = asked.select(f"//:{target}").envelope.refusals
        assert [one.kind for one in refusals] == [RefusalKind.CYCLE]


def test_what_is_refused_beside_the_way_is_told(asked: ConfiguredWorkspace) -> None:
    """Bazel builds all that the question begins at, or nothing."""
    answers = (
        asked.path("//:above_bad", "//:end", configured=True),
        asked.paths("//:above_bad", "//:end", configured=True),
        asked.select("//:above_bad"),
        asked.deps("//:above_bad", configured=True),
        asked.rdeps("//:end", "//:above_bad", configured=True),
        asked.rdeps("//:above_bad", configured=True),
        asked.graph_between("//:above_bad", "//:end", configured=True),
        asked.graph_between("//:above_bad", "//:tool", configured=True),
        asked.repos(None, "//:above_bad", configured=True),
        asked.compile("//:above_bad"),
    )
    for answer in answers:
        told = [(one.kind, str(one.target)) for one in answer.envelope.refusals]
        assert told == [(RefusalKind.UNMATCHED_SELECT, "//:bad")], type(answer).__name__
        assert answer.exit_code == 3
    assert asked.path("//:above_bad", "//:end", configured=False).exit_code == 0


def test_a_tool_is_looked_at_as_it_is_built(asked: ConfiguredWorkspace) -> None:
    assert _refused(asked, "made", "tool") == []
    drawn = asked.graph_between("//:made", "//:tool", configured=True)
    assert not drawn.envelope.refusals
    assert asked.select("//:tool").envelope.refusals, "who asks for it, asks for it as a target"


def test_behind_a_branch_that_is_not_taken_nothing_is_refused(asked: ConfiguredWorkspace) -> None:
    assert _refused(asked, "cut", "bad") == []


def test_environments_that_targets_far_below_name(asked: ConfiguredWorkspace) -> None:
    refusal = [("ENVIRONMENT", "//:both")]
    assert _refused(asked, "over", "on_one") == refusal
    assert _refused(asked, "both", "one_below") == refusal
    assert _refused(asked, "on_one", "of_one") == []
    (one,) = asked.select("//:both").envelope.refusals
    assert one.kind is RefusalKind.ENVIRONMENT


def test_no_list_of_paths_speaks_of_branches_that_were_not_looked_at(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(tmp_path, {"WORKSPACE": "", "BUILD": _BUILD, "t.sh": ""})
    line = ["path", "//:cut", "//:bad", "-c", "fastbuild", "--all-paths"]
    assert main([*line, "-w", str(tmp_path), "--no-cache"]) == 1
    assert "No path from //:cut to //:bad under these flags." in capsys.readouterr().out


def test_environments_that_flags_want_of_what_is_asked_for(asked: ConfiguredWorkspace) -> None:
    workspace = asked.workspace
    for wanted, count in (("//:gone", 1), ("gone", 1), ("//:end", 1), ("//:one", 0)):
        line = workspace.configure([f"--target_environment={wanted}"])
        assert len(line.select("//:end").envelope.refusals) == count
        assert len(line.path("//:cut", "//:bad", configured=True).envelope.refusals) == count
    line = workspace.configure(["--target_environment=//:one"])
    (one,) = line.select("//:on_two").envelope.refusals
    assert "does not support: //:one" in one.message
    assert str(one.target) == "//:on_two"
