"""Cells on a real Dask cluster: a scheduler, three workers of which one is killed on the way, and
one that does not see the tree."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bazelscope.api import Workspace, dask_cells
from bazelscope.base.errors import UsageError
from tests.support.files import write_files
from tests.support.parts import CHECKOUT

distributed = pytest.importorskip("distributed")
pytestmark = pytest.mark.slow

RC = "".join(f"build:c{n} --define=n={n}\n" for n in range(40))
BUILD = """
[config_setting(name = "s%d" % n, values = {"define": "n=%d" % n}) for n in range(40)]
[cc_library(name = "l%d" % n) for n in range(40)]
cc_library(name = "a", deps = [":l0"] + select(dict(
    [(":s%d" % n, [":l%d" % n]) for n in range(1, 40)] + [("//conditions:default", [])],
)))
"""
OVER = ["configs=" + ",".join(f"c{n}" for n in range(40)), "hosts=linux,windows,macos"]
BLIND = """
import bazelscope.api.matrix_cells
bazelscope.api.matrix_cells.tree_digest = lambda root: ""
"""


class Cluster:
    """A scheduler and its workers, each a process of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._environment = {**os.environ, "PYTHONPATH": str(CHECKOUT)}
        self.processes: list[subprocess.Popen[bytes]] = []
        file = folder / "scheduler.json"
        self._start("scheduler", "--port", "0", "--scheduler-file", str(file), "--no-dashboard")
        deadline = time.monotonic() + 60
        while not file.exists() or not file.read_text():
            assert time.monotonic() < deadline
            time.sleep(0.1)
        self.address: str = json.loads(file.read_text())["address"]

    def _start(self, *words: str) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [sys.executable, "-m", "dask", *words],
            cwd=self._folder,
            env=self._environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.processes.append(process)
        return process

    def worker(self, *words: str) -> subprocess.Popen[bytes]:
        return self._start(
            "worker", self.address, "--no-nanny", "--nthreads", "1", "--no-dashboard", *words
        )

    def wait_for(self, count: int) -> None:
        with distributed.Client(self.address, timeout=60, set_as_default=False) as client:
            client.wait_for_workers(count, timeout=90)

    def wait_for_work(self, name: str) -> None:
        """Until that worker has cells to answer."""
        with distributed.Client(self.address, timeout=60, set_as_default=False) as client:
            deadline = time.monotonic() + 90
            while time.monotonic() < deadline:
                # On a busy machine the scheduler may not list the worker at first.
                workers = client.scheduler_info(n_workers=-1)["workers"]
                named = [address for address, info in workers.items() if info["name"] == name]
                if named and any(client.processing(named).values()):
                    return
                time.sleep(0.01)
            raise AssertionError(f"the worker {name} had nothing to do")

    def end(self) -> None:
        for process in self.processes:
            process.kill()
            process.wait()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    (tmp_path / "dask").mkdir()
    made = Cluster(tmp_path / "dask")
    yield made
    made.end()


@pytest.fixture
def opened(tmp_path: Path) -> Workspace:
    write_files(tmp_path / "w", {"WORKSPACE": "", "BUILD": BUILD, ".bazelrc": RC})
    return Workspace.open(tmp_path / "w", bazel_version="4.2.3", cache_dir=tmp_path / "cache")


def test_one_of_three_workers_is_killed(
    cluster: Cluster, opened: Workspace, tmp_path: Path
) -> None:
    (tmp_path / "blind.py").write_text(BLIND)
    here = opened.matrix("size", "a", over=OVER)
    workers = [cluster.worker("--name", name) for name in ("first", "second", "third")]
    cluster.worker("--preload", str(tmp_path / "blind.py"))
    cluster.wait_for(4)
    killed: list[bool] = []

    def kill() -> None:
        cluster.wait_for_work("first")
        killed.append(workers[0].poll() is None)
        workers[0].kill()

    killer = threading.Thread(target=kill)
    killer.start()
    found = opened.matrix("size", "a", over=OVER, scheduler=cluster.address)
    killer.join()
    assert killed == [True]
    assert len(found.cells) == 120
    assert (found.cells, found.groups) == (here.cells, here.groups)
    assert sum("does not see this tree" in note for note in found.notes) == 1
    assert sum("was lost on the way" in note for note in found.notes) == 1


def test_a_cluster_where_nobody_sees_the_tree(
    cluster: Cluster, opened: Workspace, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match="has no workers"):
        opened.matrix("size", "a", over=OVER, scheduler=cluster.address)
    (tmp_path / "blind.py").write_text(BLIND)
    cluster.worker("--preload", str(tmp_path / "blind.py"))
    cluster.wait_for(1)
    with pytest.raises(UsageError, match=r"no worker of .* sees this tree"):
        opened.matrix("size", "a", over=OVER, scheduler=cluster.address)


def test_what_takes_a_connection_and_says_nothing_is_no_scheduler(
    opened: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dask_cells, "_PATIENCE", 1)
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(UsageError, match="does not answer"):
            opened.matrix("size", "a", over=["configs=c1"], scheduler=address)
