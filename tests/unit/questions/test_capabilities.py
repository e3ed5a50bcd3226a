"""`explain --why sm_86`: what chooses a compute capability of a GPU, and what knows it."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.api import Workspace
from bazelscope.questions.why.answer import FactKind, Relation
from tests.support.files import write_files
from tests.support.parts import FIXTURES
from tests.unit.questions.why_world import chain


def test_a_capability_is_told_with_what_chooses_and_knows_it() -> None:
    line = "--action_env=TF_CUDA_VERSION=11.0"
    workspace = Workspace.open(FIXTURES / "tf-2.4-windows-ampere", host="windows")
    fact = workspace.configure([line]).why("sm_86").facts[0]
    assert (fact.kind, fact.value) == (FactKind.CAPABILITY, "8.6, chosen by this line")
    assert chain(fact.causes) == [
        "chosen-by TF_CUDA_COMPUTE_CAPABILITIES",
        "  set-by --action_env TF_CUDA_COMPUTE_CAPABILITIES=8.6 .tf_configure.bazelrc:6",
        "    imported .tf_configure.bazelrc .bazelrc:86",
        "  read-by @local_config_cuda",
        "not-known-to TF_CUDA_VERSION=11.0",
        f"  set-by {line}",
        "known-to CUDA 11.1 or newer",
        "known-to clang 13 or newer",
    ]


_GPU_RULE = """\"\"\"Finds CUDA.

  * `TF_CUDA_COMPUTE_CAPABILITIES`: What to compile for. Default is
    `3.5,5.2`.
\"\"\"

def _impl(ctx):
    ctx.file("BUILD")
gpu = repository_rule(implementation = _impl, environ = ["TF_CUDA_COMPUTE_CAPABILITIES"])
"""


def test_a_capability_that_nothing_chooses_is_told_with_the_default_and_the_config(
    tmp_path: Path,
) -> None:
    files = {
        ".bazelversion": "6.5.0",
        ".bazelrc": "build:ci --repo_env=TF_CUDA_COMPUTE_CAPABILITIES=sm_80,compute_90\n",
        "WORKSPACE": 'load("//:gpu.bzl", "gpu")\ngpu(name = "local_gpu")\n',
        "gpu.bzl": _GPU_RULE,
        "BUILD": "",
    }
    write_files(tmp_path, files)
    workspace = Workspace.open(tmp_path)
    fact = workspace.configure([]).why("sm_90").facts[0]
    assert fact.value == "9.0, not chosen by this line"
    assert chain(fact.causes) == [
        "chosen-by TF_CUDA_COMPUTE_CAPABILITIES",
        "  read-by @local_gpu",
        "  default What to compile for. Default is `3.5,5.2`. gpu.bzl:3",
        "  may-set --config=ci .bazelrc:1",
        "known-to CUDA 11.8 or newer",
        "known-to clang 16 or newer",
    ]
    assert "write TF_CUDA_COMPUTE_CAPABILITIES=9.0 to choose it" in fact.causes[0].detail
    [chosen, *_] = workspace.configure(["--config=ci"]).why("sm_90").facts[0].causes
    assert chosen.detail == "has sm_80,compute_90"
    assert [link.relation for link in chosen.causes] == [Relation.SET_BY, Relation.READ_BY]


@pytest.mark.parametrize("word", ["sm_", "sm_6", "sm_86x", "asm_86", "8.6"])
def test_what_only_looks_like_a_capability_is_none(word: str) -> None:
    answer = Workspace.open(FIXTURES / "tf-2.4-windows-ampere").configure([]).why(word)
    assert all(fact.kind is not FactKind.CAPABILITY for fact in answer.facts)
