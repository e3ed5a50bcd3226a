"""Measures loading whole trees: cold and from the cache, peak memory, and how flat the cost is.

    python scripts/bench_loading.py TREE[=BAZEL_VERSION] ...

Every figure comes from a process of its own. "limit" is how long CPython takes to run the
same BUILD and .bzl files as if they were Python, with natives that do nothing but count:
no interpreter written in Python can be faster than that.
"""

from __future__ import annotations

import argparse
import builtins
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

DEFAULT_VERSION = "4.2.3"
QUARTERS = 4


@dataclass(frozen=True)
class Figures:
    """One load of a whole tree."""

    packages: int
    targets: int
    errors: int
    seconds: float
    save: float
    peak: float
    """Megabytes."""
    per_package: tuple[float, ...]
    """Milliseconds per package in each quarter of the packages."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("trees", nargs="+", metavar="TREE[=VERSION]")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one is not None:
        tree, version = options.trees
        answer = _limit(Path(tree)) if options.one == "limit" else _load(tree, version, options.one)
        print(json.dumps(answer))
        return
    for text in options.trees:
        tree, _, version = text.partition("=")
        _report(Path(tree), version or DEFAULT_VERSION)


def _report(tree: Path, version: str) -> None:
    with tempfile.TemporaryDirectory() as cache:
        cold = _measured(tree, version, cache)
        warm = _measured(tree, version, cache)
    limit = _ask(tree, version, "limit")
    print(f"{tree.name} (Bazel {version}): {cold.packages} packages, {cold.targets} targets")
    for name, found in (("cold", cold), ("cached", warm)):
        quarters = " ".join(f"{value:.2f}" for value in found.per_package)
        print(
            f"  {name:7}{found.seconds:6.2f} s, {found.peak:4.0f} MB, {found.errors} errors,"
            f" ms per package by quarter: {quarters}, saved in {found.save:.2f} s"
        )
    seconds, files, failed = limit
    print(
        f"  limit  {seconds:6.2f} s for {files} files ({failed} not run): cold is"
        f" {cold.seconds / seconds:.1f} times that, cached {warm.seconds / seconds:.2f}"
    )


def _measured(tree: Path, version: str, cache: str) -> Figures:
    found = _ask(tree, version, cache)
    return Figures(**{**found, "per_package": tuple(found["per_package"])})


def _ask(tree: Path, version: str, what: str) -> Any:
    line = [sys.executable, __file__, "--one", what, str(tree), version]
    return json.loads(subprocess.run(line, check=True, stdout=subprocess.PIPE).stdout)


# ---- bazelscope


def _load(tree: str, version: str, cache: str) -> dict[str, object]:
    import gc

    gc.set_threshold(10_000, 100, 100)  # as the command line does
    start = time.perf_counter()
    from bazelscope.loading.loader import Loader
    from bazelscope.loading.packages.package import Package
    from bazelscope.loading.tree.loading_options import LoadingOptions
    from bazelscope.loading.tree.workspace_files import Workspace

    loader = Loader(Workspace.open(tree), LoadingOptions(version), Path(cache))
    packages = loader.trees.packages()
    targets = errors = 0
    marks = [time.perf_counter()]
    for number, package in enumerate(packages, 1):
        result = loader.package(package)
        if isinstance(result, Package):
            targets += len(result.targets)
            errors += len(result.diagnostics)
        if number * QUARTERS // len(packages) > len(marks) - 1:
            marks.append(time.perf_counter())
    end = time.perf_counter()
    loader.save()
    saved = time.perf_counter()
    size = max(1, len(packages) // QUARTERS)
    return {
        "packages": len(packages),
        "targets": targets,
        "errors": errors,
        "seconds": end - start,
        "save": saved - end,
        "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "per_package": [(after - before) * 1000 / size for before, after in pairwise(marks)],
    }


# ---- CPython alone


class _Value:
    """Stands for whatever a native gives: any use of it gives it again."""

    def __getattr__(self, name: str) -> _Value:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __call__(self, *_: object, **__: object) -> _Value:
        return self

    def __add__(self, _: object) -> _Value:
        return self

    __radd__ = __or__ = __ror__ = __getitem__ = __add__

    def __iter__(self) -> Any:
        return iter(())

    def __bool__(self) -> bool:
        return False

    def __len__(self) -> int:
        return 0

    __index__ = __len__


class _Names(dict[str, object]):
    """The globals of a file: what it lacks is a native."""

    def __missing__(self, name: str) -> object:
        builtin = _PYTHON.get(name)
        return _VALUE if builtin is None else builtin


_VALUE = _Value()
_PYTHON = {
    name: getattr(builtins, name)
    for name in (
        *("len", "range", "sorted", "str", "int", "bool", "list", "dict", "tuple", "zip"),
        *("enumerate", "any", "all", "min", "max", "hasattr", "getattr", "repr", "reversed"),
        *("type", "print", "dir", "hash", "abs"),
    )
}


class _Python:
    """Runs files as Python, each `.bzl` once."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.modules: dict[str, _Names] = {}
        self.failed = 0

    def run(self, path: str) -> _Names:
        names = _Names()
        names["load"] = lambda label, *symbols, **renamed: self._load(
            path, names, label, symbols, renamed
        )
        try:
            code = compile((self.root / path).read_text("utf-8"), path, "exec")
            exec(code, names)
        except Exception:  # Python is not Starlark: counted
            self.failed += 1
        return names

    def _load(
        self,
        path: str,
        names: _Names,
        label: str,
        symbols: tuple[str, ...],
        renamed: dict[str, str],
    ) -> None:
        module: dict[str, object] = {}
        if not label.startswith("@"):
            package, _, name = label.rpartition(":")
            folder = package.removeprefix("//") if package else path.rpartition("/")[0]
            module = self._module(f"{folder}/{name}" if folder else name)
        for local, name in (*((symbol, symbol) for symbol in symbols), *renamed.items()):
            names[local] = module.get(name, _VALUE)

    def _module(self, path: str) -> dict[str, object]:
        if path not in self.modules:
            self.modules[path] = _Names()
            if (self.root / path).is_file():
                self.modules[path] = self.run(path)
        return self.modules[path]


def _limit(tree: Path) -> tuple[float, int, int]:
    """Seconds, files, and how many of them Python could not run to their end."""
    from bazelscope.loading.loader import Loader
    from bazelscope.loading.tree.loading_options import LoadingOptions
    from bazelscope.loading.tree.workspace_files import Workspace

    loader = Loader(Workspace.open(tree), LoadingOptions(DEFAULT_VERSION))
    paths = []
    for package in loader.trees.packages():
        file = loader.workspace.listing(package.package).build_file
        paths.append(f"{package.package}/{file}" if package.package else str(file))
    sys.setrecursionlimit(5_000)
    python = _Python(tree)
    with Path(os.devnull).open("w") as nothing:
        sys.stdout, kept = nothing, sys.stdout
        start = time.perf_counter()
        for path in paths:
            python.run(path)
        seconds = time.perf_counter() - start
        sys.stdout = kept
    return seconds, len(paths) + len(python.modules), python.failed


if __name__ == "__main__":
    main()
