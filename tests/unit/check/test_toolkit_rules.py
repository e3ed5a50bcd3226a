"""What is told of toolkits that do not go together, on a workspace of TensorFlow's shape."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.api import Workspace
from bazelscope.questions.shared import toolkit_facts as known
from tests.support.files import write_files

_HERMETIC = "third_party/gpus/cuda/hermetic/cuda_redist_versions.bzl"
_FILES = {
    "WORKSPACE": "",
    ".bazelversion": "6.5.0",
    "BUILD": "",
    "third_party/gpus/cuda/hermetic/BUILD": "",
    _HERMETIC: 'CUDA_REDIST_JSON_DICT = {"12.4.1": [], "12.5.0": [], "12.5.1": []}\n',
    "tensorflow/BUILD": "",
    "tensorflow/tensorflow.bzl": 'VERSION = "2.19.0"\n',
    "configure.py": "_TF_MIN_BAZEL_VERSION = '6.5.0'\n_TF_MAX_BAZEL_VERSION = '6.5.0'\n",
}
_MKL = "# Please note that MKL on MacOS or windows is still not supported.\n"

_LINES = {
    "BZS401: too new": (
        "",
        "--action_env=TF_CUDA_VERSION=11.0 --action_env=TF_CUDA_COMPUTE_CAPABILITIES=7.0,8.6",
        ["BZS401 TF_CUDA_COMPUTE_CAPABILITIES 8.6"],
    ),
    "BZS401: as sm_86, in an rc file": (
        (
            "build --repo_env=TF_CUDA_VERSION=11.0\n"
            "build --repo_env=TF_CUDA_COMPUTE_CAPABILITIES=sm_86\n"
        ),
        "",
        ["BZS401 TF_CUDA_COMPUTE_CAPABILITIES sm_86"],
    ),
    "BZS401: too old": (
        "",
        (
            "--repo_env=HERMETIC_CUDA_VERSION=12.5.1"
            " --repo_env=HERMETIC_CUDA_COMPUTE_CAPABILITIES=3.5,7.0"
        ),
        ["BZS401 HERMETIC_CUDA_COMPUTE_CAPABILITIES 3.5"],
    ),
    "BZS401: known": (
        "",
        "--action_env=TF_CUDA_VERSION=11.1 --action_env=TF_CUDA_COMPUTE_CAPABILITIES=8.6",
        [],
    ),
    "BZS401: a config that the line beats": (
        "build:old --action_env=TF_CUDA_VERSION=11.0\n",
        "--action_env=TF_CUDA_VERSION=11.1 --action_env=TF_CUDA_COMPUTE_CAPABILITIES=8.6",
        [],
    ),
    "BZS401: not of what is no version": (
        "",
        "--action_env=TF_CUDA_VERSION=x --action_env=TF_CUDA_COMPUTE_CAPABILITIES=8.6,y",
        [],
    ),
    "BZS403": ("", "--repo_env=HERMETIC_CUDA_VERSION=12.5", ["BZS403 HERMETIC_CUDA_VERSION=12.5"]),
    "BZS403: whole": ("", "--repo_env=HERMETIC_CUDA_VERSION=12.5.1", []),
    "BZS404": (
        "",
        "--repo_env=TF_CUDA_VERSION=12.2 --repo_env=TF_CUDNN_VERSION=7.6",
        ["BZS404 TF_CUDNN_VERSION"],
    ),
    "BZS404: they go together": (
        "",
        "--repo_env=TF_CUDA_VERSION=12.2 --repo_env=TF_CUDNN_VERSION=8.9",
        [],
    ),
    "BZS405: gcc": (
        "",
        "--repo_env=TF_CUDA_VERSION=10.1 --repo_env=GCC_HOST_COMPILER_PATH=/usr/bin/gcc-9",
        ["BZS405 GCC_HOST_COMPILER_PATH"],
    ),
    "BZS410": (
        "",
        (
            "--repo_env=TF_CUDA_CLANG=1 --repo_env=TF_CUDA_COMPUTE_CAPABILITIES=8.0,sm_90"
            " --repo_env=CLANG_CUDA_COMPILER_PATH=/usr/lib/llvm-14/bin/clang"
        ),
        ["BZS410 CLANG_CUDA_COMPILER_PATH sm_90"],
    ),
    "BZS410: nvcc compiles, clang is the host's compiler": (
        "",
        (
            "--repo_env=TF_NVCC_CLANG=1 --repo_env=TF_CUDA_COMPUTE_CAPABILITIES=9.0"
            " --repo_env=CLANG_CUDA_COMPILER_PATH=/usr/lib/llvm-14/bin/clang"
        ),
        [],
    ),
    "nothing is said of what is newer than the tables": (
        "",
        (
            "--repo_env=TF_CUDA_VERSION=13.5 --repo_env=TF_CUDA_COMPUTE_CAPABILITIES=13.0"
            " --repo_env=GCC_HOST_COMPILER_PATH=/usr/bin/gcc-17 --repo_env=TF_CUDA_CLANG=1"
            " --repo_env=CLANG_CUDA_COMPILER_PATH=/usr/lib/llvm-24/bin/clang"
        ),
        [],
    ),
    "BZS407": (
        "",
        "--repo_env=HERMETIC_PYTHON_VERSION=3.8",
        ["BZS407 HERMETIC_PYTHON_VERSION"],
    ),
    "BZS407: a path": (
        "",
        "--action_env=PYTHON_BIN_PATH=/usr/bin/python3.7",
        ["BZS407 PYTHON_BIN_PATH"],
    ),
    "BZS408": (
        _MKL + "build:mkl --define=build_with_mkl=true\n",
        "--config=mkl --cpu=x64_windows",
        ["BZS408 build_with_mkl"],
    ),
    "BZS408: not on what a config builds for that nobody asked for": (
        _MKL + "build:mkl --define=build_with_mkl=true\n# x\nbuild:mac --cpu=darwin\n",
        "--config=mkl",
        [],
    ),
    "BZS408: of a config that asks for both": (
        _MKL + "build:mac --cpu=darwin --define=build_with_mkl=true\n",
        "-c opt",
        ["BZS408 build_with_mkl"],
    ),
    "BZS408: on Linux": (_MKL + "build:mkl --define=build_with_mkl=true\n", "--config=mkl", []),
    "BZS409: always": (
        "",
        "-c opt --strip=always --copt=-g --cxxopt=-g",
        ["BZS409 --copt -g", "BZS409 --cxxopt -g"],
    ),
    "BZS409: by default": ("", "--copt=-g", ["BZS409 --copt -g"]),
    "BZS409: of a config": ("# a\nbuild:a --copt=-g3\n", "", ["BZS409 --copt -g"]),
    "BZS409: not in opt": ("", "-c opt --copt=-g", []),
    "BZS409: not with --strip=never": ("", "--strip=never --copt=-g", []),
}


@pytest.mark.parametrize("case", _LINES)
def test_rule(case: str, tmp_path: Path) -> None:
    rc, line, wanted = _LINES[case]
    write_files(tmp_path, {**_FILES, ".bazelrc": rc})
    found = Workspace.open(tmp_path).configure(line.split()).check(codes=["BZS4"]).findings
    assert [f"{one.code} {one.subject}" for one in found] == wanted


def test_visual_studio(tmp_path: Path) -> None:
    write_files(tmp_path, _FILES)
    studio = "C:/Program Files/Microsoft Visual Studio/2022/Community/VC"
    words = ["--repo_env=TF_CUDA_VERSION=11.2", f"--repo_env=BAZEL_VC={studio}"]
    (found,) = Workspace.open(tmp_path).configure(words).check(codes=["BZS4"]).findings
    assert found.message == "CUDA 11.2 does not take Visual Studio 2022: 11.6 does"


def test_the_other_line_is_a_cause_and_the_remedy_names_what_to_change(tmp_path: Path) -> None:
    rc = (
        "build:cuda --repo_env=HERMETIC_CUDA_VERSION=12.5.1\n"
        "build:cuda --repo_env=CLANG_CUDA_COMPILER_PATH=/usr/lib/llvm-18/bin/clang\n"
        "build:old --config=cuda\n"
        "build:old --repo_env=HERMETIC_CUDA_COMPUTE_CAPABILITIES=3.5,7.0\n"
    )
    write_files(tmp_path, {**_FILES, ".bazelrc": rc})
    (found,) = Workspace.open(tmp_path).check(codes=["BZS4"]).findings
    assert found.span is not None
    assert found.span.line == 4
    assert found.message == (
        "CUDA 12.5.1 does not know compute capability 3.5: it knows 5.0 to 9.0"
    )
    assert [(one.message, one.span.line if one.span else 0) for one in found.causes] == [
        ("`HERMETIC_CUDA_VERSION=12.5.1` with `--config=old`", 1),
        ("clang 18 refuses sm_35 with it (clang/lib/Basic/Cuda.cpp)", 2),
        ("source: CUDA Toolkit Release Notes", 0),
    ]
    assert found.remedy == (
        "take `3.5` out of HERMETIC_CUDA_COMPUTE_CAPABILITIES, or take CUDA 8.0 to 11.x"
    )


def test_the_tree_says_which_bazel_it_asks_for(tmp_path: Path) -> None:
    write_files(tmp_path, _FILES)
    asked = Workspace.open(tmp_path, bazel_version="7.0.0").configure()
    (found,) = asked.check(codes=["BZS406"]).findings
    assert found.message == "this tree asks for Bazel 6.5.0, not 7.0.0"
    assert found.span is not None
    assert (found.span.path, found.span.line) == ("configure.py", 1)


@pytest.mark.parametrize(
    ("cuda", "least", "most"),
    [
        ("9.0", (3, 0), (7, 2)),
        ("10.2", (3, 0), (7, 5)),
        ("11.0.3", (3, 5), (8, 0)),
        ("11.3", (3, 5), (8, 6)),
        ("12.6.1", (5, 0), (9, 0)),
    ],
)
def test_capabilities(cuda: str, least: tuple[int, ...], most: tuple[int, ...]) -> None:
    version = known.version_of(cuda)
    assert version is not None
    assert known.capabilities(version) == (least, most)


@pytest.mark.parametrize(
    ("tensorflow", "oldest", "newest"),
    [((2, 3), 5, 8), ((2, 6), 6, 9), ((2, 7), 7, 9), ((2, 11), 7, 10), ((2, 21), 10, 13)],
)
def test_pythons(tensorflow: tuple[int, int], oldest: int, newest: int) -> None:
    """Each is as PyPI has wheels of that release for it."""
    assert known.pythons_of_tensorflow(tensorflow) == ((3, oldest), (3, newest))


def test_what_is_newer_than_the_table_is_not_told() -> None:
    assert known.capabilities((99, 0)) is None
    assert known.newest_gcc((99, 0)) is None
    assert known.capabilities((12,)) is None
