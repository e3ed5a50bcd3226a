"""Fixtures for every tier, and the line about what was not tested."""

from __future__ import annotations

import gc
import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bazelscope.base.collector import RARE
from tests.support import parts
from tests.support.bazel import Bazel
from tests.support.files import clear

_LONGEST = frozenset({"test_refused_rules.py", "test_cquery_asked_at_random.py"})
"""Files of minutes that would be among the last by their names."""


_MANY_FILES = 2_000
"""A server that has seen so many should forget them: each question would look at all."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One process more than cores for `-n auto`, unless the environment says how many: what waits
    for a server, a browser or a time limit keeps no core busy."""
    return int(os.environ.get("PYTEST_XDIST_AUTO_NUM_WORKERS") or (os.cpu_count() or 1) + 1)


os.environ.pop("USE_BAZEL_VERSION", None)  # Whoever runs the tests may have a Bazel of his own.


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Puts the longest files first: at the end of a run one process would have a long file still,
    and the others none."""
    items.sort(key=lambda item: item.path.name not in _LONGEST)


def pytest_collection_finish() -> None:
    """Leaves what was collected out of each look for garbage: eleven thousand tests are a million
    values, which live as long as the run does. Looks as rarely as each command does, also where a
    test asks the API: for a large tree that is a quarter of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*RARE)


@pytest.fixture(scope="module", autouse=True)
def looks_for_garbage_of_one_file() -> Iterator[None]:
    """Frees what the tests of a file have left in cycles, and leaves the rest out of later looks:
    else a process has gigabytes of garbage, and each look of a test takes seconds."""
    yield
    gc.collect()
    gc.freeze()


def pytest_sessionfinish() -> None:
    """Leaves what the tests have left to the end of the process: to look for garbage in a gigabyte
    of it takes seconds."""
    gc.freeze()


@pytest.fixture(scope="session")
def running() -> dict[str, Bazel]:
    """The real Bazels of this process."""
    return {}


@pytest.fixture(scope="session")
def bazel(
    run_folder: Path, bazel_room: Path, running: dict[str, Bazel]
) -> Iterator[Callable[[str], Bazel]]:
    """`bazel("4.2.3")`: a real Bazel whose servers live as long as the test run. All processes of
    a run share its installation; servers are a workspace's own."""

    def of_version(version: str) -> Bazel:
        if version not in running:
            running[version] = Bazel(version, run_folder / f"bazel-{version}", bazel_room)
        return running[version]

    yield of_version
    for real in running.values():
        real.shutdown()


@pytest.fixture(scope="session")
def bazel_room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Lies in memory, where the system has a folder for that: on a disk, thousands of files that
    come and go with each test take more of the processor than what the test does with them."""
    memory = Path("/dev/shm")
    above = memory if os.access(memory, os.W_OK) else tmp_path_factory.getbasetemp()
    with tempfile.TemporaryDirectory(prefix="bazel-room", dir=above) as room:
        (Path(room) / "w").mkdir()
        yield Path(room)


@pytest.fixture
def warm_path(clear_room: Callable[[], Path]) -> Path:
    """An empty folder like `tmp_path`, for a test that asks a real Bazel, but the same for all
    tests of a process: a workspace `w` in it has the server of the test before, which is warm. It
    sees what is another file now, as it does when somebody edits one."""
    return clear_room()


@pytest.fixture(scope="session")
def clear_room(bazel_room: Path, running: dict[str, Bazel]) -> Callable[[], Path]:
    """Makes a `warm_path`; also for several tests of a file, none of which asks for its own."""
    seen = 0

    def cleared() -> Path:
        nonlocal seen
        seen += sum(len(names) for _, _, names in os.walk(bazel_room))
        if seen > _MANY_FILES:
            seen = 0
            for real in running.values():
                real.forget()
        clear(bazel_room, keep="w")
        clear(bazel_room / "w")
        return bazel_room

    return cleared


@pytest.fixture
def warm_root(warm_path: Path) -> Path:
    """The workspace `w` of `warm_path`, still empty."""
    return warm_path / "w"


@pytest.fixture(scope="session")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all processes of a run share."""
    base = tmp_path_factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


@pytest.fixture(scope="session")
def trees_cache(run_folder: Path) -> Path:
    """A cache that all processes of a run share, for tests of large trees that are not about what
    a first run finds: the trees are loaded once."""
    return run_folder / "trees-cache"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Says loudly which tiers were not, or not wholly, tested."""
    for tier, absent in sorted(parts.missing.items()):
        terminalreporter.write_line(
            f"!!! NOT TESTED: parts of the tier `{tier}` are missing: {', '.join(sorted(absent))}",
            red=True,
            bold=True,
        )
