"""Answers that one finishes: how many lines, at 100 columns, answers about TensorFlow may take."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bazelscope.api import ConfiguredWorkspace, Workspace
from bazelscope.questions.explain.text import explanation_document
from bazelscope.questions.path.text import path_document
from bazelscope.questions.repos.text import repositories_document
from bazelscope.questions.shared.envelope import Answer as AnyAnswer
from bazelscope.questions.shared.text_envelope import completeness_rows
from bazelscope.questions.why.text import why_document
from bazelscope.render.console import to_text
from bazelscope.render.document import Document
from tests.support.parts import need_tensorflow, need_tree

pytestmark = pytest.mark.corpus

WIDTH = 100
PIP = "//tensorflow/tools/pip_package:build_pip_package"
CUDART = "@local_config_cuda//cuda:cudart"


@pytest.fixture(scope="module", params=["tensorflow", "2.4"])
def workspace(request: pytest.FixtureRequest, trees_cache: Path) -> Workspace:
    root = need_tensorflow("2.4") if request.param == "2.4" else need_tree(request.param)
    return Workspace.open(root, host="linux", cache_dir=trees_cache)


Words = tuple[str, ...]
Answer = Callable[[ConfiguredWorkspace], Document]


def _path(source: str, target: str, *, configured: bool = False) -> Answer:
    return lambda line: path_document(line.path(source, target, configured=configured))


def _explain(line: ConfiguredWorkspace) -> Document:
    return explanation_document(line.explain())


def _why(name: str) -> Answer:
    return lambda line: why_document(line.why(name))


def _repos(name: str) -> Answer:
    return lambda line: repositories_document(line.repos(name))


@pytest.mark.parametrize(
    ("words", "answer", "most"),
    [
        pytest.param(("--config=mkl",), _path(PIP, "mkl_dnn"), 40, id="path"),
        pytest.param((), _path(PIP, "gcs_file_system"), 40, id="path that depends"),
        pytest.param((), _path(PIP, "mkl_dnn", configured=True), 40, id="path that is cut"),
        pytest.param((), _path(PIP, "refcounting_hash_map.h"), 40, id="path of many configs"),
        pytest.param((), _path(PIP, "@boringssl//:ssl"), 40, id="path of many steps"),
        pytest.param((), _path(PIP, "@aws//:aws"), 40, id="path of many flags"),
        pytest.param((), _path(PIP, CUDART), 40, id="path to what a rule makes"),
        pytest.param((PIP,), _explain, 60, id="explain"),
        pytest.param(("//tensorflow/core/kernels:conv_ops",), _explain, 60, id="explain a kernel"),
        pytest.param(
            ("--config=cuda", "//tensorflow/core/kernels:matmul_op"),
            _explain, 60, id="explain under a config",
        ),
        pytest.param(("--config=mkl", PIP), _why("build_with_mkl"), 15, id="why a define"),
        pytest.param((PIP,), _why("@zlib"), 15, id="why a repository"),
        pytest.param((PIP,), _why("cpu"), 15, id="why an option"),
        pytest.param((PIP,), _why("@platforms//cpu:cpu"), 15, id="why a target"),
        pytest.param((), _repos("com_google_absl"), 15, id="repos"),
        pytest.param((), _repos("flatbuffers"), 15, id="repos that run a program"),
    ],
)  # fmt: skip
def test_an_answer_has_a_budget_of_lines(
    workspace: Workspace, words: Words, answer: Answer, most: int
) -> None:
    line = workspace.configure(words)
    lines = to_text(answer(line), WIDTH).splitlines()
    line.save()
    assert len(lines) <= most, "\n".join(lines)


def test_the_foot_is_one_line(workspace: Workspace) -> None:
    asks: tuple[tuple[Words, Callable[[ConfiguredWorkspace], AnyAnswer]], ...] = (
        ((PIP,), lambda line: line.explain()),
        ((), lambda line: line.deps(PIP)),
        (("--config=mkl",), lambda line: line.path(PIP, "mkl_dnn")),
    )
    for words, ask in asks:
        line = workspace.configure(words)
        foot = Document()
        foot.add(completeness_rows(ask(line).envelope.completeness, full=False))
        line.save()
        assert len(to_text(foot, WIDTH).splitlines()) <= 1
