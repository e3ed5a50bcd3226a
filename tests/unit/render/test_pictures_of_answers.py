"""Pictures of `path`, `diff` and `when`: what they hold is what the answer says."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from bazelscope.api import Workspace
from bazelscope.base.label import Label
from bazelscope.cli import main
from bazelscope.questions.diff.drawing import draw_difference
from bazelscope.questions.path.drawing import draw_paths
from bazelscope.questions.shared.conditions.flag_conditions import (
    FlagCombination,
    FlagCondition,
    FlagWord,
    Now,
    Verdict,
)
from bazelscope.questions.shared.endpoint_answers import NameAnswer
from bazelscope.questions.shared.envelope import Envelope
from bazelscope.questions.shared.nodes import OptionNeed
from bazelscope.questions.when.answer import WhenAnswer
from bazelscope.questions.when.drawing import _set_by, draw_decisions
from bazelscope.render.drawing import Drawing
from bazelscope.render.formats import draw
from tests.support.parts import FIXTURES

ROOT = FIXTURES / "tf-2.4-mkl"
START = "//tensorflow/tools/pip_package:build_pip_package"
MKL = "@mkl_dnn_v1//:mkl_dnn"


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    return Workspace.open(ROOT, cache_dir=tmp_path_factory.mktemp("cache"))


def test_all_paths_in_one_picture(workspace: Workspace) -> None:
    answer = workspace.configure(()).paths(START, MKL, most=10)
    drawing = draw_paths(answer, lambda place: f"x:{place.short}" if place else "")
    steps = [step for path in answer.paths for step in path.steps]
    assert {node.key for node in drawing.nodes} == {str(step.node.label) for step in steps}
    assert {(edge.source, edge.target) for edge in drawing.edges} == {
        (str(step.edge.source), str(step.edge.target)) for step in steps if step.edge
    }
    assert {node.key for node in drawing.nodes if node.is_end} == {START, MKL}
    assert any("if :build_with_mkl" in edge.lines for edge in drawing.edges)
    assert "829 more paths left out (--max-paths)" in drawing.hidden
    assert all(node.link.startswith("x:") for node in drawing.nodes if node.key != MKL)


def test_where_two_lines_part(workspace: Workspace) -> None:
    before, after = (workspace.configure((*words, START)) for words in ((), ("--config=mkl",)))
    answer = after.differences(before)
    drawing = draw_difference(answer)
    gained = {str(one.node.label) for one in answer.gained}
    lost = {str(one.node.label) for one in answer.lost}
    assert gained and lost
    fills = {node.key: node.fill for node in drawing.nodes}
    assert {key for key, fill in fills.items() if fill == 1} == gained
    assert {key for key, fill in fills.items() if fill == 3} == lost
    signs = {edge.target: edge.lines[0][0] for edge in drawing.edges if edge.target in fills}
    assert all(signs[key] == "+" for key in gained)
    assert all(signs[key] == "\N{MINUS SIGN}" for key in lost)
    # Everything hangs together: from what was asked about one gets to all of it.
    reached, edges = {START}, [(edge.source, edge.target) for edge in drawing.edges]
    for _ in drawing.nodes:
        reached |= {target for source, target in edges if source in reached}
    assert reached == set(fills)
    counts = f"{answer.more} more and {answer.fewer} fewer of {answer.after.reached} targets"
    assert drawing.hidden[0].endswith(counts)


def _when(*cases: dict[str, bool], is_complete: bool = True) -> WhenAnswer:
    told = tuple(
        FlagCombination(
            tuple(
                FlagWord(OptionNeed(flag, flag, "1", holds=flag == "a"), is_so)
                for flag, is_so in case.items()
            )
        )
        for case in cases
    )
    label = Label("", "x", "y")
    return WhenAnswer(
        Envelope("", ()),
        NameAnswer("x", label),
        NameAnswer("y", label),
        FlagCondition(Verdict.SOMETIMES, alternatives=told, is_complete=is_complete),
    )


def _decided(drawing: Drawing, flags: dict[str, bool]) -> str:
    """What one comes to who follows the arrows from the first box."""
    texts = {node.key: node.lines[0] for node in drawing.nodes}
    at = drawing.nodes[0].key
    while True:
        nexts = {edge.lines[0]: edge.target for edge in drawing.edges if edge.source == at}
        if not nexts:
            return texts[at]
        at = nexts["yes" if flags[texts[at]] else "no"]


def test_a_decision_tree_decides_as_the_condition_does() -> None:
    chance = random.Random(5)
    flags = "abcdef"
    for _ in range(60):
        cases = [
            {flag: chance.random() < 0.7 for flag in chance.sample(flags, chance.randint(1, 3))}
            for _ in range(chance.randint(1, 4))
        ]
        drawing = draw_decisions(_when(*cases))
        for number in range(64):
            state = {flag: bool(number >> n & 1) for n, flag in enumerate(flags)}
            is_so = any(all(state[f] == so for f, so in case.items()) for case in cases)
            assert _decided(drawing, state) == ("needed" if is_so else "not needed"), cases
        (now,) = (node.lines[0] for node in drawing.nodes if node.is_end)
        assert now == _decided(drawing, {flag: flag == "a" for flag in flags})


def test_what_is_not_known_of_a_condition_is_no_end_of_its_tree() -> None:
    drawing = draw_decisions(_when({"b": True}, is_complete=False))
    assert _decided(drawing, {"b": True}) == "needed"
    assert _decided(drawing, {"b": False}) == "not known"


def test_what_is_so_now_is_told_though_not_all_is_known() -> None:
    answer = _when({"b": True, "c": True}, is_complete=False)
    assert answer.condition is not None
    known = replace(answer, condition=replace(answer.condition, now=Now.YES))
    drawing = draw_decisions(known)
    assert _decided(drawing, {"b": False, "c": False}) == "needed"
    assert _decided(drawing, {"b": True, "c": False}) == "not known"
    (now,) = (node for node in drawing.nodes if node.is_end)
    assert now.lines == ("needed",)


def test_a_tree_of_many_cases_says_what_it_leaves_out() -> None:
    cases = [{f"f{n}": True, f"g{n}": True} for n in range(60)]
    drawing = draw_decisions(_when(*cases))
    assert len(drawing.nodes) < 30
    assert any("more case" in node.lines[0] for node in drawing.nodes)
    assert draw(drawing, "svg").startswith(b"<?xml")


def test_configs_that_set_a_flag_take_one_short_line() -> None:
    assert _set_by([]) == ""
    assert _set_by(["a", "b", "c"]) == "set by --config=a, --config=b and 1 more"
    long = ["cuda", "rbe_linux_cuda10.1_nvcc_base", "c"]
    assert _set_by(long) == "set by --config=cuda and 2 more"


@pytest.mark.parametrize(
    "words",
    [
        ("path", "build_pip_package", "mkl_dnn", "--all-paths"),
        ("path", "build_pip_package", "mkl_dnn"),
        ("diff", "build_pip_package", "--after=--config=mkl"),
        ("when", "build_pip_package", "mkl_dnn"),
        ("when", "build_pip_package"),
    ],
)
def test_every_form_by_the_command_line(
    words: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = ["-w", str(ROOT), "--cache-dir", str(tmp_path / "cache"), "--no-pager"]
    heads = {"svg": b"<?xml", "dot": b"digraph", "mmd": b"flowchart", "png": b"\x89PNG"}
    for ending, head in heads.items():
        file = tmp_path / f"drawn.{ending}"
        assert main([*words, *own, "-o", str(file)]) == 0
        assert file.read_bytes().startswith(head)
        assert START in capsys.readouterr().out
        # The kept answer to the same question is not all that was asked for.
        file.unlink()
        assert main([*words, *own, "-o", str(file)]) == 0
        assert file.exists()
        capsys.readouterr()
    assert main([*words, *own, "--as", "dot"]) == 0
    assert capsys.readouterr().out.startswith("digraph")


def test_boxes_lead_to_their_places(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own = ["-w", str(ROOT), "--cache-dir", str(tmp_path / "cache")]
    link = "https://example.org/{path}#L{line}"
    for words in (
        ["path", "build_pip_package", "mkl_dnn"],
        ["diff", "build_pip_package", "--after=--config=mkl"],
        ["when", "build_pip_package", "mkl_dnn"],
    ):
        assert main([*words, *own, "--as", "svg", "--link", link]) == 0
        assert 'href="https://example.org/t' in capsys.readouterr().out


def test_where_there_is_no_answer_nothing_is_drawn(tmp_path: Path) -> None:
    file = tmp_path / "none.svg"
    own = ["-w", str(ROOT), "--cache-dir", str(tmp_path / "cache"), "-o", str(file)]
    assert main(["path", "mkl_dnn", "build_pip_package", *own]) == 1
    assert main(["when", "nothing_is_called_so", *own]) == 1
    assert not file.exists()
