"""TensorFlow 1.14.0 and what real Bazel 0.24.1 answered about it, as tests find them.

Tree, external world and answers lie beside the checkout (`../trees/tf1.14`, `../oracle`,
`../shared/oracle`), since none can be had from a registry. Where one is not there, the
test that needs it is skipped, loudly.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

from bazelscope.api import ConfiguredWorkspace, Workspace
from tests.support.parts import need_sibling, need_tensorflow, need_within

BAZEL = "0.24.1"
TARGET = "//tensorflow/tools/pip_package:build_pip_package"

# What the command lines of the recorded `cquery` answers are called.
VARIANTS: dict[str, tuple[str, ...]] = {
    "base": (),
    "opt": ("--config=opt",),
    "mkl": ("--config=mkl",),
    "mkl_opt": ("--config=mkl", "--config=opt"),
    "mkl_oss_opt": ("--config=mkl_open_source_only", "--config=opt"),
    "monolithic": ("--config=monolithic",),
    "noaws_nogcp": ("--config=noaws", "--config=nogcp", "--config=nohdfs", "--config=nokafka"),
    "v2": ("--config=v2",),
    "dbg": ("-c", "dbg"),
    "cuda": ("-c", "opt", "--config=cuda"),
}


def tree() -> Path:
    return need_tensorflow("1.14")


def answers() -> Path:
    return need_sibling("BAZELSCOPE_SHARED", "shared") / "oracle" / "tf-1.14.0"


def lines(name: str) -> list[str]:
    return gzip.decompress((answers() / f"{name}.gz").read_bytes()).decode().splitlines()


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in lines(name)]


def world(cuda: bool = False) -> list[str]:
    """The `--override_repository` flags of the external world."""
    folder = need_sibling("BAZELSCOPE_ORACLE", "oracle")
    flags = (folder / "flags.txt").read_text().split()
    found = sorted(need_within(folder, "ext1.14-cuda").iterdir()) if cuda else []
    return [*flags, *(f"--override_repository={path.name}={path}" for path in found)]


def configured(
    words: tuple[str, ...], cache: Path, command: str = "cquery", cuda: bool = False
) -> ConfiguredWorkspace:
    """The tree under a command line, with the rc file that its `configure` had left."""
    rc = answers() / "tf_configure.bazelrc.txt"
    opened = Workspace.open(tree(), bazel_version=BAZEL, cache_dir=cache)
    return opened.configure([*world(cuda), *words], command=command, startup=[f"--bazelrc={rc}"])
