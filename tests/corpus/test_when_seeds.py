"""What `when` says of the dependencies that TensorFlow's users ask about, where the environment
names the trees: the condition, what is so now, and what Bazel refuses."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bazelscope.cli import main
from tests.unit.questions.golden import check_golden

pytestmark = pytest.mark.corpus

WHEEL = "//tensorflow/tools/pip_package:wheel"
SEEDS = {
    "tf24-mkl": ("BAZELSCOPE_TF24", "3.1.0", "build_pip_package", "mkl_dnn"),
    "tf114-cudart": ("BAZELSCOPE_TF114", "0.24.1", "build_pip_package", "cudart"),
    "tf219-wheel": ("BAZELSCOPE_TF219", "6.5.0", WHEEL, "@local_config_cuda//cuda:cuda_libs"),
}


@pytest.mark.parametrize("seed", SEEDS)
def test_when(
    seed: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    variable, version, source, target = SEEDS[seed]
    if variable not in os.environ:
        pytest.skip(f"{variable} names no tree")
    monkeypatch.setenv("HOME", str(tmp_path))
    words = ["when", source, target, "-w", os.environ[variable], "--host", "linux"]
    cache = os.environ.get("BAZELSCOPE_WHEN_CACHE", str(tmp_path / "cache"))
    code = main([*words, f"--bazel-version={version}", "--cache-dir", cache])
    assert code in (0, 3)
    blocks = capsys.readouterr().out.split("\n\n")
    told = (
        "//",
        "Not so",
        "So now",
        "Also loaded",
        "Not known",
        "Bazel refuses",
        "Every path",
        "Without",
    )
    kept = [block.rstrip() for block in blocks if block.startswith(told)]
    check_golden(f"when-{seed}.txt", "\n\n".join(kept) + "\n")
