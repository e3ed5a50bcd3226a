"""What `when` says of the dependencies that TensorFlow's users ask about, where the environment
names the trees: the condition, what is so now, and what Bazel refuses."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.corpus.seed_answers import answer_blocks
from tests.unit.questions.golden import check_golden

pytestmark = pytest.mark.corpus

WHEEL = "//tensorflow/tools/pip_package:wheel"
SEEDS = {
    "tf24-mkl": ("2.4", "3.1.0", "build_pip_package", "mkl_dnn"),
    "tf114-cudart": ("1.14", "0.24.1", "build_pip_package", "cudart"),
    "tf219-wheel": ("2.19", "6.5.0", WHEEL, "@local_config_cuda//cuda:cuda_libs"),
}


@pytest.mark.parametrize("seed", SEEDS)
def test_when(
    seed: str,
    trees_cache: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    release, version, source, target = SEEDS[seed]
    words = ["when", source, target]
    blocks = answer_blocks(release, version, words, trees_cache, tmp_path, monkeypatch, capsys)
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
    kept = [block for block in blocks if block.startswith(told)]
    check_golden(f"when-{seed}.txt", "\n\n".join(kept) + "\n")
