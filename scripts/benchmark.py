"""Measures questions beside a real Bazel, cold and again, and how they grow with the tree.

    scripts/benchmark.py real TREE START END [--flags=--config=mkl] [--both=FLAGS] [--bazel=PATH]
    scripts/benchmark.py made 5000 20000 [--bazel=PATH] [--runs=5]

Cold is wall time; again is CPU time of all processes where the answer is kept, anew where it is
not, but all else is, as for another question (of Bazel: wall time beside its warm server); memory
is the PSS of all processes together, anew for the second one. Medians of so many runs, by turns
bazelscope first and Bazel first. The last columns are ratios to Bazel. `made` writes workspaces of
so many packages and prints the exponent of each figure's growth. Trees are copied, since some rows
edit them. A Bazel that fails has its exit code in the table: what it did not load took it no time.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import math
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from scripts.made_tree import path_of, write

_DEBIAN_INSTALL_BASE = Path("/usr/share/bazel")
_LOOK_SECONDS = 0.02


@dataclass(frozen=True)
class Figures:
    """What one run took: seconds, seconds of CPU, megabytes, and how it ended."""

    wall: float
    cpu: float
    memory: float
    code: int


@dataclass(frozen=True)
class Row:
    """One question: words for bazelscope, an expression for Bazel where that has the question."""

    name: str
    words: tuple[str, ...]
    command: str = ""
    expression: str = ""
    before: Callable[[], None] | None = None
    """What is done to the workspace before each run of a second one."""
    has_cold: bool = True


@dataclass
class Measured:
    """All runs of one question."""

    cold: list[Figures] = field(default_factory=list)
    again: list[Figures] = field(default_factory=list)
    anew: list[Figures] = field(default_factory=list)
    bazel_cold: list[Figures] = field(default_factory=list)
    bazel_again: list[Figures] = field(default_factory=list)


def _pss(group: int) -> float:
    """Megabytes of all processes of a group, shared pages in parts."""
    total = 0
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            with contextlib.suppress(OSError, ValueError, IndexError):
                stat = Path(entry.path, "stat").read_text().rpartition(")")[2].split()
                if int(stat[2]) == group:
                    total += _pss_of(int(entry.name))
    return total / 1024


def _pss_of(process: int) -> int:
    for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1])
    return 0


def run(line: Sequence[str], folder: Path, environment: dict[str, str], looks: bool) -> Figures:
    """Runs one command; `looks` at its memory meanwhile, which takes some time itself."""
    began = time.perf_counter()
    process = subprocess.Popen(
        line, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    peak = 0.0
    done = threading.Event()

    def look() -> None:
        nonlocal peak
        while not done.wait(_LOOK_SECONDS):
            peak = max(peak, _pss(process.pid))

    watcher = threading.Thread(target=look)
    if looks:
        watcher.start()
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - began
    done.set()
    if looks:
        watcher.join()
    process.returncode = os.waitstatus_to_exitcode(status)
    return Figures(wall, usage.ru_utime + usage.ru_stime, peak, process.returncode)


class Ours:
    """bazelscope with a cache of its own."""

    def __init__(self, root: Path, scratch: Path, both: Sequence[str]) -> None:
        self._root = root
        self._cache = scratch / "cache"
        self._both = tuple(both)
        self._environment = {**os.environ, "HOME": str(scratch)}
        # An installed bazelscope has its bytecode.
        self._environment.pop("PYTHONDONTWRITEBYTECODE", None)
        self._asked = 0

    def cold(self, row: Row, looks: bool) -> Figures:
        shutil.rmtree(self._cache, ignore_errors=True)
        return self.again(row, looks)

    def anew(self, row: Row, looks: bool) -> Figures:
        self._asked += 1  # Another environment is another question.
        self._environment["BENCHMARK_QUESTION"] = str(self._asked)
        return self.again(row, looks)

    def again(self, row: Row, looks: bool) -> Figures:
        own = (
            () if row.words[0].startswith("--") else ("--cache-dir", str(self._cache), *self._both)
        )
        line = [sys.executable, "-m", "bazelscope", *row.words, *own]
        return run(line, self._root, self._environment, looks)


class Bazel:
    """A real Bazel with an output root of its own."""

    def __init__(
        self, binary: Path, root: Path, scratch: Path, flags: Sequence[str], both: Sequence[str]
    ) -> None:
        self._root = root
        self._line = [str(binary), f"--output_user_root={scratch / 'bazel'}"]
        self._line += ["--nosystem_rc", "--nohome_rc"]
        if binary.resolve().name.startswith("bazel") and _DEBIAN_INSTALL_BASE.is_dir():
            self._line += [f"--install_base={_DEBIAN_INSTALL_BASE}", "--trust_install_base"]
        self._flags = tuple(flags)
        self._both = tuple(both)
        (scratch / "home").mkdir(parents=True, exist_ok=True)
        self._environment = {**os.environ, "HOME": str(scratch / "home"), "USER": "tester"}

    def _asked(self, row: Row) -> list[str]:
        options = ["--noshow_progress", "--keep_going"]
        flags = self._flags if row.command == "cquery" else ()
        return [*self._line, row.command, *options, *self._both, *flags, row.expression]

    def cold(self, row: Row) -> Figures:
        self.shutdown()
        return run(self._asked(row), self._root, self._environment, looks=False)

    def again(self, row: Row) -> Figures:
        found = run(self._asked(row), self._root, self._environment, looks=False)
        return Figures(found.wall, found.cpu, self._memory(), found.code)

    def _memory(self) -> float:
        words = [*self._line, "info", "server_pid"]
        told = subprocess.run(
            words, cwd=self._root, env=self._environment, capture_output=True, check=False
        )
        try:
            return _pss_of(int(told.stdout)) / 1024
        except (OSError, ValueError):
            return 0.0

    def shutdown(self) -> None:
        """Ends the server."""
        words = [*self._line, "shutdown"]
        subprocess.run(
            words, cwd=self._root, env=self._environment, capture_output=True, check=False
        )


def measure(rows: Sequence[Row], ours: Ours, bazel: Bazel | None, runs: int) -> dict[str, Measured]:
    """Asks every question `runs` times. By turns one side is first."""
    found = {row.name: Measured() for row in rows}
    for row in rows:
        measured = found[row.name]
        for number in range(runs):
            looks = number == runs - 1

            def of_ours(row: Row = row, into: Measured = measured, looks: bool = looks) -> None:
                if row.has_cold:
                    into.cold.append(ours.cold(row, looks))
                else:
                    ours.again(row, looks=False)
                if row.before is not None:
                    row.before()
                    time.sleep(0.1)
                into.again.append(ours.again(row, looks=False))
                if row.before is not None:
                    row.before()
                    time.sleep(0.1)
                into.anew.append(ours.anew(row, looks))

            def of_bazel(row: Row = row, into: Measured = measured) -> None:
                if bazel is not None and row.expression:
                    into.bazel_cold.append(bazel.cold(row))
                    into.bazel_again.append(bazel.again(row))

            for side in (of_ours, of_bazel) if number % 2 == 0 else (of_bazel, of_ours):
                side()
        print(f"  measured: {row.name}", file=sys.stderr, flush=True)
    if bazel is not None:
        bazel.shutdown()
    return found


def _median(figures: Sequence[Figures], what: str) -> float | None:
    return statistics.median(getattr(one, what) for one in figures) if figures else None


def _peak(figures: Sequence[Figures]) -> float | None:
    return max((one.memory for one in figures), default=0.0) or None


def table(found: dict[str, Measured]) -> dict[str, tuple[float | None, ...]]:
    """Of each question: cold, again, anew, memory of the first and the last; then Bazel's."""
    return {
        name: (
            _median(one.cold, "wall"),
            _median(one.again, "cpu"),
            _median(one.anew, "cpu"),
            _peak(one.cold),
            _peak(one.anew),
            _median(one.bazel_cold, "wall"),
            _median(one.bazel_again, "wall"),
            _peak(one.bazel_again),
        )
        for name, one in found.items()
    }


def print_table(found: dict[str, Measured]) -> None:
    """Prints the figures with their ratios to Bazel's."""
    print("| question | cold s | again s | anew s | MB cold | MB anew | Bazel cold s | again s |"
          " MB | cold | again | anew | MB |")  # fmt: skip
    print("| --- " * 13 + "|")
    for name, row in table(found).items():
        cold, again, anew, memory, _, theirs, theirs_again, theirs_memory = row
        ratios = (
            _ratio(cold, theirs),
            _ratio(again, theirs_again),
            _ratio(anew, theirs_again),
            _ratio(memory, theirs_memory),
        )
        digits = ("{:.2f}", "{:.3f}", "{:.3f}", "{:.0f}", "{:.0f}", "{:.2f}", "{:.2f}", "{:.0f}")
        shown = [
            "-" if value is None else text.format(value)
            for value, text in zip(row, digits, strict=True)
        ]
        codes = sorted({one.code for one in (*found[name].bazel_cold, *found[name].bazel_again)})
        ended = f" (Bazel exits {', '.join(map(str, codes))})" if codes not in ([], [0]) else ""
        print(f"| {name}{ended} | {' | '.join(shown)} | {' | '.join(ratios)} |")


def _ratio(value: float | None, other: float | None) -> str:
    return "-" if value is None or not other else f"{value / other:.2f}"


def print_growth(
    small: int, few: dict[str, Measured], large: int, many: dict[str, Measured]
) -> None:
    """Prints of each figure the exponent of its growth."""
    print(f"\nexponents of growth, {small:,} to {large:,} packages (1.1 at most)")
    print("| question | cold | again | anew | MB cold | MB anew |")
    print("| --- " * 6 + "|")
    before, after = table(few), table(many)
    for name in before:
        exponents = [
            "-" if not one or not two else f"{math.log(two / one) / math.log(large / small):.2f}"
            for one, two in zip(before[name][:5], after[name][:5], strict=True)
        ]
        print(f"| {name} | {' | '.join(exponents)} |")


def _rows(root: Path, start: str, end: str, flags: Sequence[str]) -> list[Row]:
    builds = sorted({*root.rglob("BUILD"), *root.rglob("BUILD.bazel")})
    package = start.removeprefix("//").partition(":")[0]
    edited = next(path for path in builds if path.parent == root / package)
    edits = iter(range(1 << 30))

    def touch() -> None:
        for path in builds:
            path.touch()

    def edit() -> None:
        with edited.open("a") as file:
            file.write(f'\nfilegroup(name = "edited_{next(edits)}")\n')

    path = ("path", start, end)
    deps = f"deps({start})"
    return [
        Row("path", path, "query", f"somepath({start}, {end})"),
        Row("path, every BUILD file touched", path, before=touch, has_cold=False),
        Row("path, one BUILD file edited", path, before=edit, has_cold=False),
        Row("query deps", ("query", deps), "query", deps),
        Row("cquery deps", ("cquery", deps, *flags), "cquery", deps),
        Row("explain", ("explain", start, *flags), has_cold=False),
        Row("deps", ("deps", start), has_cold=False),
        Row("rdeps", ("rdeps", end), has_cold=False),
        Row("select", ("select", start), has_cold=False),
        Row("flag", ("flag", *(flags or ("--config=wide",))), has_cold=False),
        Row("repos", ("repos",), has_cold=False),
        Row("query //...", ("query", "//..."), "query", "//..."),
        Row("--help", ("--help",), has_cold=False),
        Row("--version", ("--version",), has_cold=False),
    ]


@contextlib.contextmanager
def _scratch() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="benchmark-") as folder:
        yield Path(folder)


def _measured(root: Path, start: str, end: str, options: argparse.Namespace) -> dict[str, Measured]:
    flags = tuple(options.flags.split()) if options.flags else ()
    rows = _rows(root, start, end, flags)
    if options.only:
        rows = [row for row in rows if row.name in options.only.split(",")]
    with _scratch() as scratch:
        both = tuple(options.both.split())
        bazel = Bazel(Path(options.bazel), root, scratch, flags, both) if options.bazel else None
        try:
            return measure(rows, Ours(root, scratch, both), bazel, options.runs)
        finally:
            if bazel is not None:
                bazel.shutdown()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("what", choices=("real", "made"))
    parser.add_argument("words", nargs="+", help="TREE START END, or numbers of packages")
    parser.add_argument("--flags", default="", help="for cquery and explain: `--config=mkl`")
    parser.add_argument("--both", default="", help="for both sides: `--override_repository=A=B`")
    parser.add_argument("--bazel", default="", help="a real Bazel to run beside")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--only", default="", help="some rows, by name, with commas")
    options = parser.parse_args()
    if options.what == "real":
        tree, start, end = options.words
        with _scratch() as scratch:
            root = shutil.copytree(tree, scratch / "tree", symlinks=True)
            print_table(_measured(root, start, end, options))
        return
    found: list[tuple[int, dict[str, Measured]]] = []
    for packages in map(int, options.words):
        with _scratch() as scratch:
            write(scratch / "tree", packages)
            made = _measured(scratch / "tree", "//top:whole", f"//{path_of(0)}:c", options)
        print(f"\n{packages:,} packages")
        print_table(made)
        found.append((packages, made))
    for (small, few), (large, many) in itertools.pairwise(found):
        print_growth(small, few, large, many)


if __name__ == "__main__":
    main()
