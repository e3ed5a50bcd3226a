"""The Python API: the same answers as values, and cheap to import."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from bazelscope.api import Workspace
from bazelscope.errors import UsageError
from bazelscope.explain.path_answers import PathOutcome


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    (tmp_path / "WORKSPACE").write_text("")
    (tmp_path / ".bazelrc").write_text("build:fast --define=fast=true\n")
    (tmp_path / "BUILD").write_text(
        'config_setting(name = "is_fast", define_values = {"fast": "true"})\n'
        'cc_library(name = "a", deps = select({":is_fast": [":b"], '
        '"//conditions:default": []}))\n'
        'cc_library(name = "b")\n'
    )
    return Workspace.open(tmp_path, bazel_version="4.2.3")


def test_flags(workspace: Workspace) -> None:
    answer = workspace.configure(["--config=fast", "-c", "opt"]).flag("compilation_mode")
    assert answer.values == ("opt",)
    assert answer.settings[0].setting.place.word == 2


def test_a_typed_rc_file_may_lie_anywhere(
    workspace: Workspace, tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "a.bazelrc").write_text("import " + str(elsewhere / "b.bazelrc") + "\n")
    (elsewhere / "b.bazelrc").write_text("build:typed --copt=-typed\n")
    line = ["bazel", f"--bazelrc={elsewhere / 'a.bazelrc'}", "build", "--config=typed"]
    flags = workspace.configure_line(line).flags
    assert flags.values["copt"].values == ("-typed",)
    assert not flags.undefined_configs


def test_path_is_configured_once_there_are_flags(workspace: Workspace) -> None:
    every_branch = workspace.configure().path("a", "b")
    assert not every_branch.configured
    assert [need.text for need in every_branch.needs] == ["--define=fast=true"]
    fast = workspace.configure(["--config=fast"]).path("a", "b")
    assert fast.configured
    assert fast.outcome is PathOutcome.FOUND
    slow = workspace.configure(["-c", "opt"]).path("a", "b")
    assert slow.outcome is PathOutcome.CUT
    assert [need.configs[0].config for need in slow.cuts[0].fixes] == ["fast"]


def test_explanation_of_a_target(workspace: Workspace) -> None:
    answer = workspace.configure(["--config=fast", "//:a"]).explain()
    (target,) = answer.targets
    (select,) = target.selects
    assert select.chosen is not None
    assert select.chosen.values == ("//:b",)


def test_graph(workspace: Workspace) -> None:
    answer = workspace.configure().graph("a")
    assert [str(node.label) for node in answer.nodes] == ["//:a", "//:b"]
    (edge,) = answer.edges
    assert edge.branch is not None
    assert str(edge.branch.condition) == "//:is_fast"


@pytest.mark.parametrize(
    ("files", "version", "source"),
    [
        ({"WORKSPACE": "", ".bazelversion": "6.5.0\n"}, "6.5.0", ".bazelversion"),
        ({"WORKSPACE": ""}, "7.7.1", "assumed: the newest that reads WORKSPACE"),
        ({"MODULE.bazel": ""}, "9.1.0", "assumed: the newest"),
        ({"WORKSPACE": "", ".bazelversion": "latest\n"}, "7.7.1", "assumed: the newest that"),
    ],
)
def test_bazel_version(tmp_path: Path, files: dict[str, str], version: str, source: str) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    found = Workspace.open(tmp_path).version
    assert found[0] == version
    assert found[1].startswith(source)


def test_workspace_is_found_upwards(workspace: Workspace, tmp_path: Path) -> None:
    inner = workspace.root / "x" / "y"
    inner.mkdir(parents=True)
    found = Workspace.open(inner)
    assert found.root == workspace.root
    assert found.configure().directory_package.package == "x/y"


def test_no_workspace(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        Workspace.open(tmp_path / "nowhere")


def test_import_is_cheap() -> None:
    program = (
        "import sys; import bazelscope.api;"
        "print(sorted(m for m in sys.modules if m.startswith('bazelscope')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "['bazelscope', 'bazelscope.api']"
