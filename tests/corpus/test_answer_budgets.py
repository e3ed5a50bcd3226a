"""Answers that one finishes: how many lines, at 100 columns, answers about TensorFlow may take."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bazelscope.api import Workspace
from bazelscope.questions.explain.text import explanation_document
from bazelscope.questions.path.text import path_document
from bazelscope.questions.repos.text import repositories_document
from bazelscope.questions.shared.text_envelope import completeness_rows
from bazelscope.questions.why.text import why_document
from bazelscope.render.console import to_text
from bazelscope.render.document import Document
from tests.support.parts import need_tensorflow, need_tree

pytestmark = pytest.mark.corpus

WIDTH = 100
PIP = "//tensorflow/tools/pip_package:build_pip_package"


@pytest.fixture(scope="module", params=["tensorflow", "2.4"])
def workspace(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Workspace:
    root = need_tensorflow("2.4") if request.param == "2.4" else need_tree(request.param)
    return Workspace.open(root, host="linux", cache_dir=tmp_path_factory.mktemp("cache"))


def _path(workspace: Workspace) -> Document:
    return path_document(workspace.configure(["--config=mkl"]).path(PIP, "mkl_dnn"))


def _path_that_depends(workspace: Workspace) -> Document:
    return path_document(workspace.configure([]).path(PIP, "gcs_file_system"))


def _path_that_is_cut(workspace: Workspace) -> Document:
    return path_document(workspace.configure([]).path(PIP, "mkl_dnn", configured=True))


def _explain(workspace: Workspace) -> Document:
    return explanation_document(workspace.configure([PIP]).explain())


def _explain_kernel(workspace: Workspace) -> Document:
    answer = workspace.configure(["//tensorflow/core/kernels:conv_ops"]).explain()
    return explanation_document(answer)


def _why(workspace: Workspace) -> Document:
    return why_document(workspace.configure(["--config=mkl", PIP]).why("build_with_mkl"))


def _repository(workspace: Workspace) -> Document:
    return repositories_document(workspace.configure([]).repos("com_google_absl"))


def _path_that_many_configs_make(workspace: Workspace) -> Document:
    return path_document(workspace.configure([]).path(PIP, "refcounting_hash_map.h"))


def _path_of_many_steps(workspace: Workspace) -> Document:
    return path_document(workspace.configure([]).path(PIP, "@boringssl//:ssl"))


def _path_of_many_flags(workspace: Workspace) -> Document:
    return path_document(workspace.configure([]).path(PIP, "@aws//:aws"))


def _path_to_what_a_rule_makes(workspace: Workspace) -> Document:
    return path_document(workspace.configure([]).path(PIP, "@local_config_cuda//cuda:cudart"))


def _explain_under_a_config(workspace: Workspace) -> Document:
    words = ["--config=cuda", "//tensorflow/core/kernels:matmul_op"]
    return explanation_document(workspace.configure(words).explain())


def _why_repository(workspace: Workspace) -> Document:
    return why_document(workspace.configure([PIP]).why("@zlib"))


def _why_option(workspace: Workspace) -> Document:
    return why_document(workspace.configure([PIP]).why("cpu"))


def _why_target(workspace: Workspace) -> Document:
    return why_document(workspace.configure([PIP]).why("@platforms//cpu:cpu"))


def _repository_that_runs_a_program(workspace: Workspace) -> Document:
    return repositories_document(workspace.configure([]).repos("flatbuffers"))


@pytest.mark.parametrize(
    ("answer", "most"),
    [
        (_path, 40),
        (_path_that_depends, 40),
        (_path_that_is_cut, 40),
        (_explain, 60),
        (_explain_kernel, 60),
        (_why, 15),
        (_repository, 15),
        (_path_that_many_configs_make, 40),
        (_repository_that_runs_a_program, 15),
        (_path_of_many_steps, 40),
        (_path_of_many_flags, 40),
        (_path_to_what_a_rule_makes, 40),
        (_explain_under_a_config, 60),
        (_why_repository, 15),
        (_why_option, 15),
        (_why_target, 15),
    ],
)
def test_an_answer_has_a_budget_of_lines(
    workspace: Workspace, answer: Callable[[Workspace], Document], most: int
) -> None:
    lines = to_text(answer(workspace), WIDTH).splitlines()
    assert len(lines) <= most, "\n".join(lines)


def test_the_foot_is_one_line(workspace: Workspace) -> None:
    for answer in (
        workspace.configure([PIP]).explain(),
        workspace.configure([]).deps(PIP),
        workspace.configure(["--config=mkl"]).path(PIP, "mkl_dnn"),
    ):
        foot = Document()
        foot.add(completeness_rows(answer.envelope.completeness, full=False))
        assert len(to_text(foot, WIDTH).splitlines()) <= 1
