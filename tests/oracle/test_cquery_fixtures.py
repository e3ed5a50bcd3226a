"""The fixtures under the command lines of the texts that they serve, beside real cquery."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from tests.support import ours, query_output
from tests.support.bazel import Bazel
from tests.support.query_output import differences
from tests.support.worlds import WORLDS, World

pytestmark = pytest.mark.oracle


@dataclass(frozen=True)
class CommandLine:
    """One way to build a fixture's target. `only_here` are flags that make Bazel accept
    on this machine what `configure.py` wrote on another; both sides get them."""

    fixture: str
    flags: tuple[str, ...]
    only_here: tuple[str, ...] = ()

    @property
    def world(self) -> World:
        return next(world for world in WORLDS if world.fixture == self.fixture)


_PYTHON = ("--python_path=/usr/bin/python3",)

COMMAND_LINES = (
    CommandLine("tf-2.4-mkl", ()),
    CommandLine("tf-2.4-mkl", ("--config=mkl", "--config=opt", "--copt=-O3", "-s")),
    CommandLine("tf-2.4-mkl", ("--config=mkl_threadpool",)),
    CommandLine("tf-2.4-mkl", ("--config=mkl_opensource_only", "--config=nogcp")),
    CommandLine("tf-2.4-mkl", ("--config=mkl_aarch64",)),
    CommandLine("tf-2.4-mkl", ("--config=monolithic", "--config=v1")),
    CommandLine("tf-2.4-windows-ampere", ("--config=opt",), _PYTHON),
    CommandLine("tf-2.4-windows-ampere", ("-c", "dbg"), _PYTHON),
    CommandLine("tf-2.18-cuda-wheel", ("--config=cuda", "--config=cuda_wheel", "--config=opt")),
    CommandLine(
        "tf-2.18-cuda-wheel",
        ("--config=cuda_nvcc", "--config=cuda_wheel", "--config=mkl"),
    ),
    CommandLine(
        "tf-2.18-cuda-wheel",
        ("--@local_config_cuda//:enable_cuda=false", "--config=cuda_wheel"),
    ),
)


@pytest.fixture(scope="module")
def laid_out(tmp_path_factory: pytest.TempPathFactory) -> Callable[[World], tuple[str, ...]]:
    """Writes the repositories of a world, once for all lines, and gives the flags for them."""
    written: dict[str, tuple[str, ...]] = {}

    def flags(world: World) -> tuple[str, ...]:
        if world.fixture not in written:
            folder = tmp_path_factory.mktemp("world")
            written[world.fixture] = world.lay_out(folder)
        return written[world.fixture]

    return flags


@pytest.mark.parametrize("line", COMMAND_LINES, ids=lambda line: " ".join(line.flags) or "plain")
def test_labels(
    line: CommandLine,
    bazel: Callable[[str], Bazel],
    laid_out: Callable[[World], tuple[str, ...]],
) -> None:
    world = line.world
    real = bazel(world.bazel_version)
    flags = (*laid_out(world), *line.flags, *line.only_here)
    asked = real.cquery(
        world.workspace, f"deps({world.target})", "--noimplicit_deps", *flags
    ).checked()
    found = ours.configured_labels(world.workspace, world.bazel_version, (*flags, world.target))
    difference = differences(
        {label for label in found if not label.startswith(query_output.TOOLS)},
        query_output.configured_labels(asked.lines),
    )
    assert not difference, difference
