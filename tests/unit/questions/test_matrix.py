"""One question over many lines: cells, groups, formats, processes that die, bad questions."""

from __future__ import annotations

import csv
import gc
import io
import json
import os
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from bazelscope.api import Workspace, matrix_question
from bazelscope.api.matrix_cells import sees_tree, tree_digest
from bazelscope.api.matrix_question import chunks_of, configs_of
from bazelscope.api.opened_workspace import OpenedWorkspace
from bazelscope.base import budget
from bazelscope.base.collector import RARE
from bazelscope.base.errors import UsageError
from bazelscope.cli import main
from bazelscope.questions.matrix.answer import Axis, MatrixAnswer, MatrixQuestion
from bazelscope.questions.matrix.find import axes_of, coordinates, described
from bazelscope.questions.matrix.text import matrix_document
from bazelscope.render.console import to_text
from tests.support.files import write_files

FILES = {
    "WORKSPACE": "",
    ".bazelrc": """
build:cuda --define=gpu=cuda
build:mkl --define=math=mkl
build:fast --copt=-O3
""",
    "BUILD": """
config_setting(name = "cuda", values = {"define": "gpu=cuda"})
config_setting(name = "mkl", values = {"define": "math=mkl"})
config_setting(name = "win", values = {"cpu": "x64_windows"})
cc_library(
    name = "a",
    deps = [":core"] + select({":cuda": [":gpu"], "//conditions:default": []}),
)
cc_library(name = "core", deps = select({":mkl": [":math"], "//conditions:default": []}))
cc_library(
    name = "gpu",
    deps = select({":win": [":gpu_win"], "//conditions:default": [":gpu_1", ":gpu_2"]}),
)
cc_library(name = "clash", copts = select({":cuda": ["1"], ":mkl": ["2"]}))
[cc_library(name = n) for n in ("math", "gpu_1", "gpu_2", "gpu_win")]
""",
}
CONFIGS = "configs=,cuda,mkl,fast,cuda+mkl"
HOSTS = "hosts=linux,windows"


@pytest.fixture
def opened(tmp_path: Path) -> Workspace:
    write_files(tmp_path / "w", FILES)
    return Workspace.open(tmp_path / "w", bazel_version="4.2.3", cache_dir=tmp_path / "cache")


def outcomes(answer: MatrixAnswer) -> dict[str, str]:
    return {" ".join(cell.at): cell.outcome for cell in answer.cells}


def test_needs(opened: Workspace) -> None:
    answer = opened.matrix("needs", "a", "math", over=[CONFIGS])
    assert outcomes(answer) == {
        "": "no", "cuda": "no", "mkl": "yes", "fast": "no", "cuda+mkl": "yes"
    }  # fmt: skip
    assert [group.where for group in answer.groups] == ["no config, cuda, fast", "mkl, cuda+mkl"]
    assert answer.groups[1].more == ("//:a", "//:core", "//:math")


def test_holds(opened: Workspace) -> None:
    answer = opened.matrix("holds", "//:win", over=[CONFIGS, HOSTS])
    assert {cell.at[1]: cell.outcome for cell in answer.cells} == {
        "linux": "no",
        "windows": "holds",
    }
    assert {group.where for group in answer.groups} == {"on linux", "on windows"}


def test_flag(opened: Workspace) -> None:
    answer = opened.matrix("flag", "copt", over=[CONFIGS, "versions=4.2.3,6.5.0"])
    assert {cell.outcome for cell in answer.cells if cell.at[0] == "fast"} == {"-O3"}
    assert {group.where for group in answer.groups[1:]} == {"fast"}


def test_refused(opened: Workspace) -> None:
    answer = opened.matrix("refused", "clash", over=[CONFIGS])
    assert outcomes(answer) == {
        "": "refused (1)", "cuda": "no", "mkl": "no", "fast": "refused (1)",
        "cuda+mkl": "refused (1)",
    }  # fmt: skip


def test_check(opened: Workspace) -> None:
    answer = opened.matrix("check", over=["configs=cuda,mkl"])
    assert all(cell.outcome.endswith(("findings", "finding")) for cell in answer.cells)


def test_size_tells_by_which_targets_cells_differ(opened: Workspace) -> None:
    answer = opened.matrix("size", "a", over=["configs=,cuda,fast", HOSTS])
    sizes = {" ".join(cell.at): int(cell.outcome.split()[0]) for cell in answer.cells}
    assert sizes[" linux"] == sizes[" windows"] == sizes["fast linux"]
    assert sizes["cuda linux"] == sizes[" linux"] + 3 + 1  # `:win` is looked at.
    by_where = {group.where: group for group in answer.groups}
    assert set(by_where) == {"no config, fast", "cuda on linux", "cuda on windows"}
    gpu = {"//:gpu", "//:gpu_1", "//:gpu_2", "//:win"}
    assert set(by_where["cuda on linux"].more) == gpu
    assert by_where["cuda on linux"].fewer == ()


def test_what_has_no_answer_is_told_once_and_not_compared(opened: Workspace) -> None:
    answer = opened.matrix("size", "a", over=["configs=,nosuch,fast+nosuch", HOSTS])
    assert not any(group.more or group.fewer for group in answer.groups)
    told = _told(answer)
    assert told.count("--config=nosuch is not defined") == 1
    assert "nosuch, fast+nosuch: --config=nosuch is not defined" in told


@pytest.mark.parametrize("names", [("a", "mathh"), ("mathh", "a")])
def test_needs_says_which_name_means_nothing(opened: Workspace, names: tuple[str, ...]) -> None:
    told = _told(opened.matrix("needs", *names, over=["configs=,mkl"]))
    assert "no target is named `mathh`; did you mean //:math?" in told


def test_a_name_that_means_nothing_anywhere_is_a_negative_answer(opened: Workspace) -> None:
    assert opened.matrix("size", "mathh", over=["configs=,mkl"]).exit_code == 1
    assert opened.matrix("flag", "nosuchflag", over=["configs=,mkl"]).exit_code == 1
    assert opened.matrix("size", "a", over=["configs=,nosuch"]).exit_code == 3
    # Of what means something in one cell the others are told apart.
    assert opened.matrix("size", "mathh", over=["configs=,nosuch"]).exit_code == 3


def test_a_config_may_have_a_plus_in_its_name() -> None:
    named = {"g++", "opt", "a+b+c", "a"}
    assert list(configs_of("g++", named)) == ["g++"]
    assert list(configs_of("opt+g+++a", named)) == ["opt", "g++", "a"]
    assert list(configs_of("a+b+c+opt", named)) == ["a+b+c", "opt"]
    assert list(configs_of("a+b", named)) == ["a", "b"]
    assert list(configs_of("", named)) == []


def test_holds_says_which_line_sets_what_is_asked_for(opened: Workspace) -> None:
    told = _told(opened.matrix("holds", "cuda", over=["configs=,cuda"]))
    assert "--define=gpu=cuda  .bazelrc:2, --config=cuda" in told
    assert "wants --define=gpu=cuda, is not set" in told


def _told(answer: MatrixAnswer) -> str:
    return to_text(matrix_document(answer), width=120)


@pytest.mark.parametrize("question", [("needs", "a", "math"), ("size", "a"), ("refused", "clash")])
def test_every_cell_is_what_the_line_alone_says(
    opened: Workspace, question: tuple[str, ...]
) -> None:
    """Lines share packages and closures; alone they share nothing."""
    together = opened.matrix(*question, over=[CONFIGS, HOSTS])
    for cell in together.cells:
        config, host = cell.at
        alone = Workspace.open(opened.root, bazel_version="4.2.3")
        over = [f"configs={config}", f"hosts={host}"]
        assert alone.matrix(*question, over=over).cells[0].outcome == cell.outcome


@pytest.mark.parametrize("host", ["linux", "windows"])
@pytest.mark.parametrize("config", ["", "cuda", "mkl", "fast", "cuda+mkl"])
def test_every_cell_is_what_the_single_commands_say(
    opened: Workspace, config: str, host: str
) -> None:
    alone = Workspace.open(opened.root, bazel_version="4.2.3", host=host)
    line = alone.configure([f"--config={one}" for one in config.split("+") if one])
    findings, clash = len(line.check().findings), len(line.refusals("clash"))
    expected = {
        ("needs", "a", "math"): "no"
        if line.path("a", "math", configured=True).exit_code
        else "yes",
        ("holds", "win"): "holds" if host == "windows" else "no",
        ("holds", "cuda"): "holds" if "cuda" in config else "no",
        ("flag", "copt"): " ".join(line.flag("copt").values) or "not set",
        ("flag", "define"): " ".join(line.flag("define").values) or "not set",
        ("check",): f"{findings} finding{'s' * (findings != 1)}" if findings else "clean",
        ("refused", "clash"): f"refused ({clash})" if clash else "no",
        ("refused", "a"): "no",
        ("size", "a"): f"{line.deps('a', configured=True).total + 1} targets",
    }
    for question, outcome in expected.items():
        cells = opened.matrix(*question, over=[CONFIGS, HOSTS]).cells
        told = [cell.outcome for cell in cells if cell.at == (config, host)]
        assert told == [outcome], question


def test_processes_answer_as_one_does(opened: Workspace) -> None:
    one = opened.matrix("size", "a", over=[CONFIGS, HOSTS])
    two = opened.matrix("size", "a", over=[CONFIGS, HOSTS], processes=2)
    assert one == two


def test_a_process_that_ends_loses_nothing(
    opened: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = opened.matrix("size", "a", over=[CONFIGS, HOSTS])
    submit = ProcessPoolExecutor.submit
    asked: list[object] = []

    def broken(pool: ProcessPoolExecutor, call: Any, *words: Any) -> Any:
        asked.append(words)
        return submit(pool, os._exit, 1) if len(asked) == 2 else submit(pool, call, *words)

    monkeypatch.setattr(ProcessPoolExecutor, "submit", broken)
    two = opened.matrix("size", "a", over=[CONFIGS, HOSTS], processes=2)
    assert (two.cells, two.groups) == (one.cells, one.groups)
    assert two.notes == ("A process that answered cells was ended; they were asked again.",)


def test_what_bazel_refuses_of_one_line_is_a_problem_of_that_cell(opened: Workspace) -> None:
    answer = opened.matrix("size", "a", over=["configs=cuda,nobody+cuda"])
    assert [cell.outcome for cell in answer.cells] == ["8 targets", "refused"]
    assert answer.cells[1].problem == "--config=nobody is not defined"
    assert answer.exit_code == 3
    bad = opened.matrix("size", "a", over=["versions=4.2.3,nonsense"])
    assert bad.cells[1].problem == "`nonsense` is no Bazel version"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("size", "a"), "there is nothing to go over"),
        (("size", "a", "--over", "hosts=linux,widows"), "there is no host `widows`"),
        (("sizes", "a", "--over", "configs=a"), "there is no question `sizes`"),
        (("needs", "a", "--over", "configs=a"), "`needs` takes A B"),
        (("--over", "configs=a"), "give a question"),
        (("size", "a", "--over", "config=a"), "did you mean `configs`?"),
        (("size", "a", "--over", "configs"), "the axis `configs` has no values"),
        (("size", "a", "--over", "configs=a", "--over", "configs=b"), "given twice"),
        (
            ("size", "a", "--over", "configs=" + ",".join(map(str, range(20_000)))),
            "20000 cells are too many",
        ),
    ],
)
def test_bad_questions(
    opened: Workspace, words: tuple[str, ...], said: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["matrix", "--no-cache", "-w", str(opened.root), *words]) == 2
    captured = capfd.readouterr()
    assert captured.out == ""
    assert said in captured.err
    assert "Traceback" not in captured.err


def run(opened: Workspace, *words: str) -> str:
    line = [sys.executable, "-m", "bazelscope", "matrix", *words, "--no-cache"]
    where = ["--bazel-version", "4.2.3", "-w", str(opened.root)]
    return subprocess.run([*line, *where], capture_output=True, text=True, check=True).stdout


def test_formats(opened: Workspace) -> None:
    asked = ("size", "a", "--over", "configs=,cuda", "--over", HOSTS)
    text = run(opened, *asked)
    assert "cuda on linux: 8 targets, by 4 more" in text
    assert "no config  4 targets  4 targets" in text
    rows = list(csv.reader(io.StringIO(run(opened, *asked, "--as", "csv"))))
    assert rows[0] == ["configs", "hosts", "outcome", "group", "problem", "refused"]
    assert len(rows) == 5
    page = run(opened, *asked, "--as", "html")
    assert page.count("<td") == 4
    assert "<script" not in page
    assert "<h2>cuda on linux: 8 targets, by 4 more</h2>" in page
    assert "prefers-color-scheme:dark" in page
    answer = json.loads(run(opened, *asked, "--format", "json"))
    assert [cell["at"] for cell in answer["cells"]][3] == ["cuda", "windows"]


def test_a_cell_whose_build_is_refused_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build = """
config_setting(name = "x", values = {"define": "x=1"})
filegroup(name = "one", srcs = ["BUILD"])
filegroup(name = "top", srcs = select({":x": [":one"]}))
"""
    files = {"WORKSPACE": "", ".bazelrc": "build:x --define=x=1", "BUILD": build}
    write_files(tmp_path, files)
    opened = Workspace.open(tmp_path, bazel_version="4.2.3", cache_dir=None)
    for asked, with_x, without in (
        (("size", "//:top"), "4 targets", "2 targets, refused"),
        (("needs", "//:top", "//:one"), "yes", "no, refused"),
    ):
        answer = opened.matrix(*asked, over=["configs=x,none"])
        assert [cell.outcome for cell in answer.cells] == [with_x, without]
        assert answer.cells[0].refused == ""
        assert "//:top: Configurable attribute" in (answer.cells[1].refused or "")
        assert answer.exit_code == 3
        assert "Bazel refuses the build\n  none: //:top: Conf" in to_text(matrix_document(answer))
        with monkeypatch.context() as patched:
            patched.setattr(matrix_question, "_MOST_IN_ALL", 3)
            answer = opened.matrix(*asked, over=["configs=x,none"])
        assert [cell.refused for cell in answer.cells] == [None, None]
        assert "was not asked" in to_text(matrix_document(answer))


def test_what_begins_like_a_formula_and_like_a_tag(opened: Workspace) -> None:
    asked = ("flag", "copt", "--over", "configs=", "--copt==1+<b>1")
    assert '"\'=1+<b>1"' in run(opened, *asked, "--as", "csv").replace("'=1+<b>1", '"\'=1+<b>1"')
    assert "<b>" not in run(opened, *asked, "--as", "html")


@pytest.mark.parametrize(
    ("cells", "told"),
    [
        ([("a", "x"), ("a", "y"), ("b", "x"), ("b", "y")], ""),
        ([("a", "x"), ("b", "x")], "on x"),
        ([("a", "x"), ("a", "y")], "a"),
        ([("b", "y")], "b on y"),
        ([("a", "x"), ("b", "x"), ("b", "y")], "a on x; b"),
    ],
)
def test_which_cells(cells: list[tuple[str, ...]], told: str) -> None:
    axes = (Axis("configs", ("a", "b")), Axis("hosts", ("x", "y")))
    assert described(cells, axes) == told


def test_whether_a_machine_sees_the_tree(opened: Workspace, tmp_path: Path) -> None:
    digest = tree_digest(opened.root)
    assert sees_tree(str(opened.root), digest)
    assert not sees_tree(str(tmp_path / "nowhere"), digest)
    (opened.root / "WORKSPACE").write_text("# another")
    assert not sees_tree(str(opened.root), digest)


def test_a_scheduler_that_does_not_answer(opened: Workspace) -> None:
    pytest.importorskip("distributed")
    for address in ("tcp://127.0.0.1:9", "nonsense://x", ""):
        with pytest.raises(UsageError, match="does not answer"):
            opened.matrix("size", "a", over=["configs=cuda"], scheduler=address)


def test_what_a_limit_keeps_from_being_loaded_is_not_called_absent(
    opened: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[int, int, int]] = []

    def spent(account: budget.Budget) -> str:
        asked.append(gc.get_threshold())
        return "80% of the memory is used up"

    monkeypatch.setattr(budget.Budget, "spent_on_files", spent)
    was = gc.get_threshold()
    before = (700, 10, 10)
    gc.set_threshold(*before)  # As in a process that has asked nothing yet.
    try:
        answer = opened.matrix("needs", "a", "math", over=["configs=mkl"])
        after = gc.get_threshold()
    finally:
        gc.set_threshold(*was)
    (cell,) = answer.cells
    assert (cell.outcome, cell.problem) == ("error", "80% of the memory is used up")
    # Cells are asked in processes where Python would look for garbage every 700 values.
    assert RARE in asked
    assert before not in asked
    assert after == before


def test_one_process_loads_what_lines_load_alike_on_every_host(opened: Workspace) -> None:
    write_files(opened.root, {".bazelrc": FILES[".bazelrc"] + "build:env --action_env=A=1\n"})
    workspace = OpenedWorkspace.open(opened.root, bazel_version="4.2.3")
    axes = axes_of(["configs=,cuda,env,mkl,env+mkl", HOSTS])
    places = coordinates(axes)
    chunks = list(chunks_of(workspace, MatrixQuestion.SIZE, ("//:a",), axes, places, (), 2))
    dealt = [[" ".join(places[cell.number]) for cell in chunk.cells] for chunk in chunks]
    assert dealt == [
        [" linux", "cuda linux", "mkl linux"],
        ["env linux", "env+mkl linux"],
        [" windows", "cuda windows", "mkl windows"],
        ["env windows", "env+mkl windows"],
    ]
    alone = list(chunks_of(workspace, MatrixQuestion.SIZE, ("//:a",), axes, places, (), 1))
    assert [len(chunk.cells) for chunk in alone] == [5, 5]
    (one_host,) = [axes_of(["configs=,cuda,mkl"])]
    pieces = list(
        chunks_of(workspace, MatrixQuestion.SIZE, ("//:a",), one_host, coordinates(one_host), (), 2)
    )
    assert sorted(len(chunk.cells) for chunk in pieces) == [1, 2]
