"""TensorFlow's own helpers around select(), on real targets, under its own configs.

What `mkl_deps()`, `if_mkl_ml()`, `if_cuda()` and `tf_copts()` take turns on defines, on the
platform that the host implies, and on `@local_config_cuda`, which a repository rule writes that
cannot run here. Nothing of it may be unknown; where a condition is ambiguous, Bazel fails too:
`--config=mkl_aarch64` on an x86 machine meets both conditions of `mkl_deps()`, neither of which
is a special case of the other. (Of `if_mkl()` both branches are the same; Bazel 6.1.0, which
this release asks for, fails there as well.)
"""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.api import ConfiguredWorkspace, Workspace
from bazelscope.questions.shared.select_answers import SelectAnswer
from tests.support.parts import need_tree

pytestmark = pytest.mark.corpus

MKL_ML = "//tensorflow/tools/pip_package:build_pip_package.data"
DEPS = "//tensorflow/core/kernels:matmul_op.deps"
COPTS = "//tensorflow/core:lib_proto_parsing.copts"

DEFAULT = "//conditions:default"
MKL = "//tensorflow/tsl/mkl:build_with_mkl"
AARCH64 = "//tensorflow/tsl/mkl:build_with_mkl_aarch64"
LINUX = "//tensorflow/tsl:linux_x86_64"
WINDOWS = "//tensorflow/tsl:windows"
CUDA = "@local_config_cuda//:is_cuda_enabled"
AMBIGUOUS = "ambiguous"
MONOLITHIC = "TENSORFLOW_MONOLITHIC_BUILD"
"""On Windows always: `.bazelrc` has `build:windows --config=monolithic`."""

# config, host: the condition that if_mkl_ml, mkl_deps and if_cuda take, and the copts that
# tf_copts adds for them (-D left out)
TABLE = [
    ("mkl", "linux", MKL, LINUX, DEFAULT, {"INTEL_MKL", "ENABLE_MKL"}),
    ("mkl", "macos", MKL, DEFAULT, DEFAULT, {"ENABLE_MKL"}),
    ("mkl", "windows", MKL, WINDOWS, DEFAULT, {"INTEL_MKL", "ENABLE_MKL", MONOLITHIC}),
    ("mkl_aarch64", "linux-aarch64", DEFAULT, AARCH64, DEFAULT, {"INTEL_MKL"}),
    ("mkl_aarch64", "linux", DEFAULT, AMBIGUOUS, DEFAULT, set()),
    ("mkl_aarch64", "macos", DEFAULT, AARCH64, DEFAULT, {"INTEL_MKL"}),
    ("mkl_aarch64", "windows", DEFAULT, AMBIGUOUS, DEFAULT, {MONOLITHIC}),
    ("cuda", "linux", DEFAULT, LINUX, CUDA, {"INTEL_MKL", "GOOGLE_CUDA=1"}),
    ("cuda", "macos", DEFAULT, DEFAULT, CUDA, {"GOOGLE_CUDA=1"}),
    ("cuda", "windows", DEFAULT, WINDOWS, CUDA, {"INTEL_MKL", "GOOGLE_CUDA=1", MONOLITHIC}),
    ("monolithic", "linux", DEFAULT, LINUX, DEFAULT, {"INTEL_MKL", MONOLITHIC}),
    ("monolithic", "macos", DEFAULT, DEFAULT, DEFAULT, {MONOLITHIC}),
    ("monolithic", "windows", DEFAULT, WINDOWS, DEFAULT, {"INTEL_MKL", MONOLITHIC}),
]
TOLD_APART = {"INTEL_MKL", "ENABLE_MKL", "GOOGLE_CUDA=1", MONOLITHIC}


def taken(asked: ConfiguredWorkspace, attribute: str, function: str) -> set[str]:
    """What the selects that `function` makes in an attribute take."""
    return {
        _taken(ways.select)
        for ways in asked.select(attribute).selects
        if ways.select.term is not None and ways.select.term.text.startswith(f"{function}(")
    }


def _taken(select: SelectAnswer) -> str:
    chosen = select.chosen
    return str(chosen.condition.condition) if chosen is not None else select.outcome.value


@pytest.mark.parametrize(
    ("config", "host", "mkl_ml", "mkl_deps", "cuda", "copts"),
    TABLE,
    ids=[f"{row[0]}-{row[1]}" for row in TABLE],
)
def test_the_branch_of_every_helper(
    config: str,
    host: str,
    mkl_ml: str,
    mkl_deps: str,
    cuda: str,
    copts: set[str],
    trees_cache: Path,
) -> None:
    root = need_tree("tensorflow")
    workspace = Workspace.open(root, bazel_version="6.1.0", host=host, cache_dir=trees_cache)
    asked = workspace.configure([f"--config={config}"])
    assert taken(asked, MKL_ML, "if_mkl_ml") == {mkl_ml}
    assert taken(asked, DEPS, "mkl_deps") == {mkl_deps}
    assert taken(asked, DEPS, "if_cuda") == {cuda}
    found = asked.select(COPTS)
    given = {
        value.removeprefix("-D").removeprefix("/D")
        for ways in found.selects
        if ways.select.chosen is not None
        for value in ways.select.chosen.values
    }
    assert given & TOLD_APART == copts
    outcomes = {ways.select.outcome.value for ways in found.selects}
    assert outcomes <= ({"chosen", AMBIGUOUS} if mkl_deps == AMBIGUOUS else {"chosen"})
    rests_on_cuda = {
        item.subject.partition(":")[0]
        for item in asked.select(DEPS).envelope.completeness.assumptions
        if "since the rule fails otherwise" in item.detail
    }
    assert ("@local_config_cuda" in rests_on_cuda) is (config == "cuda")
    asked.save()
