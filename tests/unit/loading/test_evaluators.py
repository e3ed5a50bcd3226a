"""Packages that other processes evaluated: the answers are those of one process."""

from __future__ import annotations

import marshal
import os
import signal
import time
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from bazelscope.api import Workspace
from bazelscope.base import looks
from bazelscope.base.label import PackageId
from bazelscope.loading import evaluators, packages_on_cores
from bazelscope.loading.evaluation.build_files.package_evaluation import (
    BuildFile,
    Evaluation,
    PackageEvaluator,
)
from bazelscope.loading.evaluators import Evaluators
from tests.support.files import write_files

COUNT = 30
MACRO = """
def _impl(ctx):
    return []

made = rule(implementation = _impl, attrs = {"deps": attr.label_list()})

def many(name, deps):
    for number in range(3):
        made(name = "%s_%d" % (name, number), deps = deps)
"""


def _write(root: Path) -> None:
    """A ring of packages, of which some are in error, some lack what they need, and all use what
    a repository rule made."""
    files = {
        "WORKSPACE": 'load("//:repo.bzl", "repo")\nrepo(name = "r")\n',
        "repo.bzl": "def _impl(ctx):\n"
        '    ctx.file("BUILD", "filegroup(name = \'g\')")\n'
        "    ctx.file(\"v.bzl\", \"VALUES = ['a.cc', 'b.cc']\")\n"
        "repo = repository_rule(implementation = _impl)\n",
        "BUILD": "",
        "many.bzl": MACRO,
    }
    for number in range(COUNT):
        deps = [f"//p{(number * step + 1) % COUNT}:x_{step % 3}" for step in (1, 2, 3, 5)]
        build = (
            'load("//:many.bzl", "many")\nload("@r//:v.bzl", "VALUES")\n'
            f'many(name = "x", deps = {deps} + ["@r//:g"])\n'
            'filegroup(name = "f", srcs = glob(["*.cc"]) + VALUES)\n'
        )
        if number % 7 == 3:
            build += f'fail("of {number}")\n'
        if number % 11 == 5:
            build += 'filegroup(name = "lost", srcs = ["//nowhere:x"])\n'
        files[f"p{number}/BUILD"] = build
        files[f"p{number}/c.cc"] = ""
    write_files(root, files)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    _write(tmp_path / "w")
    # What was written just now might change once more without a trace: it would not be kept.
    time.sleep(0.1)
    return tmp_path / "w"


def _answers(root: Path, cache: Path) -> list[object]:
    """What a cold run and a second one say of everything."""
    answers: list[object] = []
    for _ in range(2):
        workspace = Workspace.open(root, cache_dir=cache, bazel_version="4.2.3")
        line = workspace.configure(["--keep_going"])
        answers.append(repr(line.query("deps(//p1:x_1) + //p2:all")))
        answers.append(repr(workspace.configure([]).deps("//p1:x_1")))
        answers.append(repr(line.settings()))
        line.save()
    return answers


def test_who_evaluates_makes_no_difference(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    returned: list[object] = []
    take_in = packages_on_cores.PackagesOnCores._take_in

    def counted(self: packages_on_cores.PackagesOnCores, made: tuple[object, ...]) -> None:
        returned.append(made)
        take_in(self, made)

    monkeypatch.setattr(packages_on_cores.PackagesOnCores, "_take_in", counted)
    monkeypatch.setattr(evaluators, "cores", lambda: 1)
    alone = _answers(root, tmp_path / "alone")
    assert not returned
    monkeypatch.setattr(evaluators, "cores", lambda: 3)
    together = _answers(root, tmp_path / "together")
    assert returned
    assert together == alone
    # What the others made was kept: a third run evaluates what it would after one process.
    evaluated: list[object] = []
    evaluate = PackageEvaluator.evaluate

    def noted(self: PackageEvaluator, file: BuildFile) -> Evaluation:
        evaluated.append(file.id)
        return evaluate(self, file)

    monkeypatch.setattr(PackageEvaluator, "evaluate", noted)
    assert _answers(root, tmp_path / "together") == alone
    after_others = evaluated[:]
    evaluated.clear()
    assert _answers(root, tmp_path / "alone") == alone
    assert after_others == evaluated
    assert len(set(evaluated)) < 3


@pytest.mark.parametrize("function", ["query", "cquery"])
def test_packages_that_others_lead_to_are_loaded_with_them(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, function: str
) -> None:
    """A cold walk does not wait for the last package of each distance, and nobody can tell: what
    was asked for is told in the order of the walk."""
    began: list[int] = []
    begin = Evaluators.run

    def noted(self: Evaluators, packages: Sequence[PackageId], *others: Any) -> None:
        began.append(len(packages))
        begin(self, packages, *others)

    asked: list[list[PackageId]] = []
    monkeypatch.setattr(looks, "current", looks.Looks())
    monkeypatch.setattr(Evaluators, "run", noted)
    monkeypatch.setattr(packages_on_cores, "_WORTH_A_PROCESS", 2)
    for count in (1, 3):
        monkeypatch.setattr(evaluators, "cores", lambda count=count: count)
        workspace = Workspace.open(root, cache_dir=tmp_path / str(count), bazel_version="4.2.3")
        line = workspace.configure([])
        getattr(line, function)("deps(//p1:x_1)")
        asked.append(list(line.world.loader.loaded_packages()))
    assert len(began) == 1
    # No process of the others began one that compiles ahead, which is none of theirs.
    assert not looks.current.doubt
    assert asked[0] == asked[1]
    assert len(asked[0]) > COUNT / 2


def _nothing() -> object:
    return None


def test_a_process_that_dies_leaves_its_packages_to_this_one() -> None:
    packages = [PackageId("", f"p{number}") for number in range(20)]
    here = os.getpid()

    def evaluate(package: PackageId) -> None:
        if os.getpid() != here:
            os.kill(os.getpid(), signal.SIGKILL)
        done.append(package)

    done: list[PackageId] = []
    others = Evaluators(2, evaluate, _nothing)
    try:
        others.run(packages, evaluate, lambda made: None)
        # A few are given to each at once; all others were left.
        assert len(done) >= len(packages) - 2 * 5
        done.clear()
        others.run(packages, evaluate, lambda made: None)
        assert done == packages
    finally:
        others.close()


def test_who_is_faster_evaluates_more() -> None:
    packages = [PackageId("", f"p{number}") for number in range(40)]
    here = os.getpid()

    def evaluate(package: PackageId) -> None:
        if os.getpid() == here:
            done.append(package)
            time.sleep(0.05)

    done: list[PackageId] = []
    others = Evaluators(1, evaluate, _nothing)
    try:
        others.run(packages, evaluate, lambda made: None)
        assert len(done) < len(packages) * 0.4
    finally:
        others.close()


def test_one_core_begins_no_process(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evaluators, "cores", lambda: 1)
    monkeypatch.setattr(evaluators, "Evaluators", None)
    assert _answers(root, tmp_path / "cache")


def test_no_process_begins_for_packages_that_are_out_of_reach(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[object] = []
    monkeypatch.setattr(evaluators, "cores", lambda: 2)
    monkeypatch.setattr(Evaluators, "__init__", lambda self, *_: begun.append(self))
    (root / "WORKSPACE").write_text(
        'load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")\n'
        + "".join(f'http_archive(name = "far{n}", urls = ["https://e.org/"])\n' for n in range(20))
    )
    workspace = Workspace.open(root, cache_dir=root.parent / "cache", bazel_version="4.2.3")
    loader = workspace.configure([]).world.loader
    wanted = [PackageId(f"far{number}", "p") for number in range(20)]
    assert not loader.prepare(wanted)
    assert begun == []
    kinds = {type(loader.package(id)).__name__ for id in wanted}
    assert kinds == {"UnknownPackage"}


def test_behind_something_long_waits_one_short_package() -> None:
    class Pipe:
        def send_bytes(self, content: bytes) -> None:
            given.append(marshal.loads(content)[1])

    given: list[str] = []
    others = Evaluators(0, lambda package: None, _nothing)
    others._connections = {Pipe(): deque()}  # type: ignore[dict-item]
    sizes = {"a": 1 << 13, "b": 1 << 14, "c": 1 << 16, "d": 1 << 17}
    left = [(size, PackageId("", name)) for name, size in sizes.items()]
    others._hand_out(left)
    assert given == ["d", "b"]
    others._hand_out(left)
    assert [package.package for _, package in left] == ["a", "c"]
