"""What `compile` says of TensorFlow's sources under the lines that people ask about, where the
environment names the trees: each word with its origin, checked by hand when it was written.

TensorFlow 2.4's `core_cpu_impl` has no sources of its own; `direct_session_internal`, which it is
made of, has.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.corpus.seed_answers import answer_blocks
from tests.unit.questions.golden import check_golden

pytestmark = pytest.mark.corpus

_CUDA = (
    *("TF_NEED_CUDA=1", "TF_CUDA_VERSION=10.0", "TF_CUDNN_VERSION=7"),
    *("GCC_HOST_COMPILER_PATH=/usr/bin/gcc", "TF_CUDA_COMPUTE_CAPABILITIES=3.5,7.0"),
)
_DEBUG = ("-c", "opt", "--config=cuda", "--copt=-g", "--cxxopt=-g")
SEEDS = {
    "tf24-mkl": (
        "2.4",
        "3.1.0",
        ("//tensorflow/core/common_runtime:direct_session_internal", "direct_session.cc"),
        ("--config=mkl", "-c", "opt", "--copt=-O3"),
    ),
    "tf24-cuda": (
        "2.4",
        "3.1.0",
        ("//tensorflow/core/common_runtime:direct_session_internal", "direct_session.cc"),
        (*_DEBUG, *(f"--action_env={one}" for one in _CUDA)),
    ),
    "tf114-debug": (
        "1.14",
        "0.24.1",
        ("//tensorflow/core:framework_internal_impl", "attr_value_util.cc"),
        (*_DEBUG, *(f"--action_env={one}" for one in _CUDA)),
    ),
}


@pytest.mark.parametrize("seed", SEEDS)
def test_compile(
    seed: str,
    trees_cache: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    release, version, target, flags = SEEDS[seed]
    words = ["compile", *target, *flags]
    blocks = answer_blocks(release, version, words, trees_cache, tmp_path, monkeypatch, capsys)
    kept = [block for block in blocks if block.startswith(("//", "CppCompile"))]
    check_golden(f"compile-{seed}.txt", "\n\n".join(kept) + "\n")
