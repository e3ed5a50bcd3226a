"""The pitfalls of the four seeds on their own trees of TensorFlow, where there are such: each is
told with the line to change, by `check` and by the command that somebody would ask."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from bazelscope.cli import main
from tests.support.parts import need_tensorflow

pytestmark = pytest.mark.corpus

_PIP = "//tensorflow/tools/pip_package:build_pip_package"
_AMPERE = "--action_env=TF_CUDA_VERSION=11.0 --action_env=TF_CUDA_COMPUTE_CAPABILITIES=8.6"
_TOO_OLD = "--repo_env=HERMETIC_CUDA_COMPUTE_CAPABILITIES=3.5,7.0"
_WHEEL = "//tensorflow/tools/pip_package:wheel"
_CLANG = "--action_env=CLANG_CUDA_COMPILER_PATH=/usr/lib/llvm-18/bin/clang"


class Seed(NamedTuple):
    release: str
    words: str
    told: tuple[str, ...]


_SEEDS = {
    "17 two configs clash": Seed(
        "2.4",
        "check --codes BZS204",
        ("`--config=mkl --config=mkl_aarch64` makes", ".bazelrc:160", ".bazelrc:180"),
    ),
    "17 two configs, asked": Seed(
        "2.4",
        f"check --codes BZS006 --config=mkl_aarch64 --config=mkl {_PIP}",
        ("Illegal ambiguous match", "by --config=mkl_aarch64", "leave out the flags"),
    ),
    "22 nobody reads it": Seed(
        "2.4",
        "check --codes BZS311",
        (
            ".bazelrc:159",
            "only `mkl_repository` reads it, which nobody calls",
            "build_defs.bzl:124",
        ),
    ),
    "22 nobody reads it, asked": Seed(
        "2.4", "explain --why TF_MKL_ROOT", (".bazelrc:159", "makes no repository here")
    ),
    "23 not on Windows": Seed(
        "2.4",
        "check --codes BZS408 --config=mkl --host windows",
        (".bazelrc:160", "does not support on Windows", ".bazelrc:157", "leave `--config=mkl` out"),
    ),
    "23 not on macOS, asked": Seed(
        "2.4", "explain --config=mkl --cpu=darwin", ("MKL on MacOS or windows is still not",)
    ),
    "47 a capability that is too new": Seed(
        "2.4",
        f"check --codes BZS4 --config=cuda {_AMPERE}",
        ("CUDA 11.0 does not know compute capability 8.6", "or take CUDA 11.1 or newer"),
    ),
    "55 sm_86": Seed(
        "2.4",
        "explain --why sm_86",
        (
            "CUDA compute capability: 8.6, not chosen by this line",
            "TF_CUDA_COMPUTE_CAPABILITIES  is not set",
            "Default is `3.5,5.2`",
            "@local_config_cuda",
            "known to CUDA 11.1 or newer",
        ),
    ),
    "55 sm_86, said as the compiler says it": Seed(
        "2.4",
        f"check --codes BZS4 --config=cuda {_AMPERE.replace('8.6', 'sm_86')}",
        ("compute capability 8.6 (`sm_86`): it knows 3.5 to 8.0", "take `sm_86` out of"),
    ),
    "34 debug information is stripped": Seed(
        "1.14",
        "check --codes BZS409 -c opt --config=cuda --copt=-g --cxxopt=-g --strip=always",
        ("`--copt=-g` is stripped: `--strip=always`", "`--cxxopt=-g`", "write `--strip=never`"),
    ),
    "34 it survives -c opt": Seed(
        "1.14",
        "check --codes BZS409 -c opt --config=cuda --copt=-g --cxxopt=-g",
        ("No findings.",),
    ),
    "23 not on Windows, in 1.14": Seed(
        "1.14",
        "check --codes BZS408 --config=mkl --host windows",
        (".bazelrc:30", "does not support on Windows", ".bazelrc:27"),
    ),
    "61 12.5, not 12.5.1": Seed(
        "2.19",
        "check --codes BZS4 --config=cuda --repo_env=HERMETIC_CUDA_VERSION=12.5",
        ("this tree knows no hermetic CUDA 12.5", "write HERMETIC_CUDA_VERSION=12.5.0 or 12.5.1"),
    ),
    "63 a capability that clang 19 does not know": Seed(
        "2.19",
        "check --codes BZS410 --config=cuda_clang "
        "--repo_env=HERMETIC_CUDA_COMPUTE_CAPABILITIES=sm_100 "
        f"{_CLANG.replace('18', '19')}",
        ("clang 19 does not know compute capability 10.0", "or take clang 20 or newer"),
    ),
    "67 the wheel refuses cuda": Seed(
        "2.19",
        f"check --codes BZS006 --config=cuda {_WHEEL} --full",
        (
            "TF wheel shouldn't be built with CUDA dependencies",
            "Please provide `--config=cuda_wheel`",
            "include_cuda_libs is true, by --config=cuda",
            "do what the rule says",
        ),
    ),
    "63 a capability that is too old": Seed(
        "2.19",
        f"check --codes BZS4 --config=cuda_clang {_TOO_OLD} {_CLANG}",
        ("CUDA 12.5.1 does not know compute capability 3.5", "clang 18 refuses sm_35 with it"),
    ),
}


@pytest.mark.parametrize("seed", _SEEDS)
def test_told_with_the_line_to_change(
    seed: str,
    trees_cache: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    release, words, told = _SEEDS[seed]
    root = need_tensorflow(release)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "200")
    host = () if "--host" in words else ("--host", "linux")
    main([*words.split(), "-w", str(root), *host, "--cache-dir", str(trees_cache)])
    answer = capsys.readouterr().out
    assert [part for part in told if part not in answer] == []
