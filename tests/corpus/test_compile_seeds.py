"""What `compile` says of TensorFlow's sources under the lines that people ask about, where the
environment names the trees: each word with its origin, checked by hand when it was written.

TensorFlow 2.4's `core_cpu_impl` has no sources of its own; `direct_session_internal`, which it is
made of, has.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bazelscope.cli import main
from tests.unit.questions.golden import check_golden

pytestmark = pytest.mark.corpus

_CUDA = (
    *("TF_NEED_CUDA=1", "TF_CUDA_VERSION=10.0", "TF_CUDNN_VERSION=7"),
    *("GCC_HOST_COMPILER_PATH=/usr/bin/gcc", "TF_CUDA_COMPUTE_CAPABILITIES=3.5,7.0"),
)
_DEBUG = ("-c", "opt", "--config=cuda", "--copt=-g", "--cxxopt=-g")
SEEDS = {
    "tf24-mkl": (
        "BAZELSCOPE_TF24",
        "3.1.0",
        ("//tensorflow/core/common_runtime:direct_session_internal", "direct_session.cc"),
        ("--config=mkl", "-c", "opt", "--copt=-O3"),
    ),
    "tf24-cuda": (
        "BAZELSCOPE_TF24",
        "3.1.0",
        ("//tensorflow/core/common_runtime:direct_session_internal", "direct_session.cc"),
        (*_DEBUG, *(f"--action_env={one}" for one in _CUDA)),
    ),
    "tf114-debug": (
        "BAZELSCOPE_TF114",
        "0.24.1",
        ("//tensorflow/core:framework_internal_impl", "attr_value_util.cc"),
        (
            "-c",
            "opt",
            "--config=cuda",
            "--copt=-g",
            "--cxxopt=-g",
            *tuple(f"--action_env={one}" for one in _CUDA),
        ),
    ),
}


@pytest.mark.parametrize("seed", SEEDS)
def test_compile(
    seed: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    variable, version, target, flags = SEEDS[seed]
    if variable not in os.environ:
        pytest.skip(f"{variable} names no tree")
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("CC", "BAZEL_CXXOPTS"):
        monkeypatch.delenv(name, raising=False)
    words = ["compile", *target, *flags, "-w", os.environ[variable], "--host", "linux"]
    cache = os.environ.get("BAZELSCOPE_WHEN_CACHE", str(tmp_path / "cache"))
    code = main([*words, f"--bazel-version={version}", "--cache-dir", cache])
    assert code in (0, 3)
    blocks = capsys.readouterr().out.split("\n\n")
    kept = [block.rstrip() for block in blocks if block.startswith(("//", "CppCompile"))]
    check_golden(f"compile-{seed}.txt", "\n\n".join(kept) + "\n")
