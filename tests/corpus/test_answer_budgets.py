"""Answers that one finishes: how many lines of a terminal of 100 columns answers about real trees
take, with what Bazel refuses before them and what they are warned of below."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bazelscope.api import Workspace
from bazelscope.questions.shared.envelope import Answer as AnyAnswer
from bazelscope.questions.shared.text_envelope import completeness_rows
from bazelscope.render.console import to_text
from bazelscope.render.document import Document
from tests.support.parts import CHECKOUT, need_sibling, need_tensorflow, need_tree, need_within
from tests.support.terminal import Terminal, screen

pytestmark = pytest.mark.corpus

WIDTH = 100
PIP = "//tensorflow/tools/pip_package:build_pip_package"
WHEEL = "//tensorflow/tools/pip_package:wheel"
_MOST = {"explain": 60, "path": 40, "why": 15, "repos": 15}


def _root(tree: str) -> Path:
    if tree == "pigweed":
        return need_within(need_sibling("BAZELSCOPE_MODULE_TREES", "trees/modules"), tree)
    return need_tree(tree) if tree in ("tensorflow", "grpc") else need_tensorflow(tree)


_OF_ANY_TENSORFLOW = (
    f"explain {PIP}",
    f"explain --config=cuda {PIP}",
    "explain --config=cuda //tensorflow/core/kernels:matmul_op",
    f"explain --config=windows {PIP} --host windows",
    f"path {PIP} gcs_file_system",
    f"path {PIP} @boringssl//:ssl",
    f"why @zlib {PIP}",
    f"why cpu {PIP}",
    "repos com_google_absl",
    "repos nope",
)
_OF_SOME_TENSORFLOW = (
    f"explain --config=mkl {PIP}",
    f"explain --config=opt --copt=-O3 {PIP}",
    f"explain --config=mlk {PIP}",
    "explain --config=monolithic //tensorflow:libtensorflow_cc.so",
    "explain //tensorflow/core:framework",
    "explain //tensorflow/core/kernels:conv_ops",
    "explain //tensorflow/core/...",
    "explain --config=android //tensorflow/lite:framework",
    f"path {PIP} mkl_dnn --config=mkl",
    f"path {PIP} mkl_dnn --configured",
    f"path {PIP} refcounting_hash_map.h",
    f"path {PIP} @aws//:aws",
    f"path {PIP} @local_config_cuda//cuda:cudart",
    f"why build_with_mkl --config=mkl {PIP}",
    f"why @platforms//cpu:cpu {PIP}",
    f"why -O3 --copt=-O3 {PIP}",
    f"why TF_MKL_ROOT {PIP}",
    "repos local_config_cuda",
    "repos flatbuffers",
    "repos eigen_archive",
)
_OF_THE_WHEEL = (
    f"explain {WHEEL}",
    f"explain --config=cuda {WHEEL}",
    f"explain --config=cuda --config=cuda_wheel --repo_env=WHEEL_NAME=tensorflow {WHEEL}",
    f"explain --config=cuad {WHEEL}",
    f"explain --config=windows {WHEEL} --host windows",
    "explain --config=cuda //tensorflow/core/kernels:matmul_op",
    "explain --config=rocm //tensorflow/core/kernels:matmul_op",
    "explain //tensorflow/core/...",
    f"path {WHEEL} mkl_dnn --config=mkl",
    f"path {WHEEL} gcs_file_system",
    f"path {WHEEL} @zlib//:zlib",
    f"why include_cuda_libs --config=cuda {WHEEL}",
    f"why @zlib --config=cuda {WHEEL}",
    f"why WHEEL_NAME --config=cuda {WHEEL}",
    "repos xla",
    "repos local_config_cuda",
    "repos cuda_cudart",
)
_OF_GRPC = (
    "explain //:grpc++",
    "explain --config=asan //:grpc",
    "explain //test/...",
    "path //:grpc++ @com_google_absl//absl/strings:strings",
    "path //:grpc cares",
    "why @boringssl //:grpc",
    "why cpu //:grpc",
    "repos envoy_api",
)
_OF_PIGWEED = (
    "explain //pw_rpc:server",
    "explain --config=asan //pw_string:string",
    "explain --config=rp2040 //pw_rpc:server",
    "explain //...",
    "path //pw_rpc:server pw_status",
    "path //pw_rpc:server nanopb",
    "why @nanopb //pw_rpc:server",
    "why platforms //pw_rpc:server",
    "repos nanopb",
    "repos rules_rust",
)
_ASKED = {
    "tensorflow": _OF_ANY_TENSORFLOW,
    "1.14": _OF_ANY_TENSORFLOW + _OF_SOME_TENSORFLOW,
    "2.4": _OF_ANY_TENSORFLOW + _OF_SOME_TENSORFLOW,
    "2.19": _OF_THE_WHEEL,
    "grpc": _OF_GRPC,
    "pigweed": _OF_PIGWEED,
}


@pytest.fixture
def shown(trees_cache: Path) -> Iterator[Callable[..., list[str]]]:
    """What a terminal shows of an answer."""
    opened: list[Terminal] = []

    def show(words: str, root: Path) -> list[str]:
        line = [sys.executable, "-m", "bazelscope", *words.split(), "--no-pager"]
        line += ["-w", str(root), "--cache-dir", str(trees_cache)]
        environment = {**os.environ, "PYTHONPATH": str(CHECKOUT), "COLUMNS": str(WIDTH)}
        opened.append(Terminal(line, root, environment, WIDTH, patience=300))
        return screen(opened[-1].read_to_end())

    yield show
    for terminal in opened:
        terminal.close()


@pytest.mark.parametrize(
    ("tree", "words"), [(tree, words) for tree, asked in _ASKED.items() for words in asked]
)
def test_an_answer_has_a_budget_of_lines(
    shown: Callable[..., list[str]], tree: str, words: str
) -> None:
    lines = shown(words, _root(tree))
    # Of a line that is too long a terminal makes several.
    taken = sum(max(1, -(-len(line) // WIDTH)) for line in lines)
    assert 0 < taken <= _MOST[words.split()[0]], "\n".join(lines)


@pytest.mark.parametrize("tree", ["tensorflow", "2.4"])
def test_the_foot_is_one_line(tree: str, trees_cache: Path) -> None:
    workspace = Workspace.open(_root(tree), host="linux", cache_dir=trees_cache)
    asks: tuple[tuple[tuple[str, ...], Callable[..., AnyAnswer]], ...] = (
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
