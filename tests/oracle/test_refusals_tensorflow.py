"""What we refuse of TensorFlow 2.4 with its repositories laid out, beside `build --nobuild -k` of
4.2.3: the same pairs of a kind and a target on command lines of its own configs, clashing ones
among them.

The folder that `BAZELSCOPE_LAID_TF24` names (default: `laid/tf2.4` beside the checkout) holds
`tree`, a copy, and `repositories`, a folder for each repository that the tree needs, overlays and
stubs among them. `scripts/lay_tree.py` writes it, with the stubs of `data/laid_tf24`. A line takes
Bazel one or two minutes: `BAZELSCOPE_LAID_LINES` of them are tried.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from bazelscope.api import Workspace
from tests.oracle.refusals.messages import said_of_tree
from tests.support.bazel import Bazel
from tests.support.parts import need_sibling

pytestmark = pytest.mark.oracle

VERSION = "4.2.3"
TARGETS = (
    *(f"//tensorflow/{name}/..." for name in ("core", "compiler", "cc", "c", "lite")),
    "//tensorflow/tools/pip_package:build_pip_package",
)
LINES = (
    "--config=mkl_aarch64 --config=mkl",
    "--config=ios",
    "",
    "--config=mkl -c opt",
    "--config=monolithic --config=noaws --config=nogcp --config=nohdfs",
    "-c opt --copt=-mavx",
    "--config=mkl --config=mkl_threadpool --config=mkl_aarch64 --config=ngraph",
    "--config=ios --config=macos",
    "--config=macos --config=mkl",
    "--config=ngraph --config=v1 -c dbg",
    "--config=elinux_aarch64 --config=mkl_threadpool",
    "--config=windows --config=xla --define=with_xla_support=true",
)


@pytest.mark.parametrize("line", LINES[: int(os.environ.get("BAZELSCOPE_LAID_LINES", "2"))])
def test_the_same_is_refused_of_a_real_tree(
    line: str, bazel: Callable[[str], Bazel], tmp_path: Path
) -> None:
    folder = need_sibling("BAZELSCOPE_LAID_TF24", "laid/tf2.4")
    tree = (folder / "tree").resolve()
    flags = [
        f"--override_repository={one.name}={one.resolve()}"
        for one in sorted((folder / "repositories").iterdir())
    ]
    real = bazel(VERSION).run(
        *(tree, "build", "--nobuild", "--keep_going", "--color=no", *flags, *line.split()),
        *("--", *TARGETS),
        startup=("--host_jvm_args=-Xmx6g",),
        timeout=1800,
    )
    theirs, unread = said_of_tree(real.stderr, tree)
    assert not unread
    assert theirs
    workspace = Workspace.open(tree, bazel_version=VERSION, host="linux", cache_dir=tmp_path)
    asked = workspace.configure([*flags, *line.split(), "--", *TARGETS], command="build")
    refusals = asked.explain().envelope.refusals
    ours = {(one.kind.value, str(one.target)) for one in refusals if not one.also}
    assert theirs - ours == set(), "missed"
    assert ours - theirs == set(), "invented"
