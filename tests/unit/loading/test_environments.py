"""A loader under other values of variables that repository rules read: it makes anew what hangs on
them, and takes the rest from the loader it was made from."""

from __future__ import annotations

import gc
import itertools
import time
import weakref
from pathlib import Path

import pytest

from bazelscope.base.label import PackageId
from bazelscope.loading.evaluation.build_files.build_file import BuildFile
from bazelscope.loading.evaluation.build_files.package_evaluation import (
    Evaluation,
    PackageEvaluator,
)
from bazelscope.loading.loader import Loader
from bazelscope.loading.packages.package import Package
from bazelscope.loading.shared_packages import files_of, rests_on, would_make
from bazelscope.loading.tree.loading_options import LoadingOptions
from bazelscope.loading.tree.workspace_files import Workspace
from tests.support.files import write_files

SETTLING = 0.06

_RULES = """
def _first(ctx):
    name = ctx.os.environ.get("A", "none")
    ctx.template("defs.bzl", Label("//:defs.tpl"), {"%{a}": name})
    ctx.file("BUILD", "")

first = repository_rule(_first, environ = ["A"])

def _second(ctx):
    ctx.symlink(Label("@first//:defs.bzl"), "defs.bzl")
    ctx.file("BUILD", 'load(":defs.bzl", "A")\\nfilegroup(name = "of_" + A)')

second = repository_rule(_second)

def _third(ctx):
    ctx.file("BUILD", "filegroup(name = 'x%s')" % ctx.os.environ.get("B", ""))

third = repository_rule(_third, environ = ["B"])
"""
_FILES = {
    "WORKSPACE": (
        'load("//:rules.bzl", "first", "second", "third")\n'
        'first(name = "first")\nsecond(name = "second")\nthird(name = "third")\n'
    ),
    "rules.bzl": _RULES,
    "defs.tpl": 'A = "%{a}"\n',
    "BUILD": "",
    "reads/BUILD": 'load("@first//:defs.bzl", "A")\nfilegroup(name = A)',
    "not/BUILD": 'filegroup(name = "x")',
}
PACKAGES = [
    PackageId("", "reads"),
    PackageId("", "not"),
    PackageId("second", ""),
    PackageId("third", ""),
]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write_files(tmp_path / "w", _FILES)
    time.sleep(SETTLING)  # Nothing is kept of files that changed only just now.
    return tmp_path / "w"


def loader(root: Path, **environment: str) -> Loader:
    options = LoadingOptions("4.2.3", repo_env=environment)
    return Loader(Workspace(root), options, root.parent / "cache")


def targets(loader: Loader) -> dict[PackageId, list[str]]:
    found = {}
    for id in PACKAGES:
        package = loader.package(id)
        assert isinstance(package, Package), package
        found[id] = sorted(package.targets)
    return found


def under(base: Loader, **environment: str) -> Loader:
    made = base.under(LoadingOptions("4.2.3", repo_env=environment))
    assert made is not None
    return made


@pytest.mark.parametrize("is_kept", [False, True])
def test_it_makes_what_a_loader_of_its_own_makes(root: Path, is_kept: bool) -> None:
    if is_kept:
        first = loader(root)
        targets(first)
        first.save()
    base = loader(root)
    before = targets(base)
    for a, b in itertools.product((None, "one", "two"), repeat=2):
        environment = {name: value for name, value in (("A", a), ("B", b)) if value is not None}
        other = under(base, **environment)
        assert targets(other) == targets(loader(root, **environment))
        for id in PACKAGES:
            is_same = before[id] == targets(other)[id]
            assert (other.package(id) is base.package(id)) == is_same, id
    assert targets(base) == before


def test_what_comes_out_the_same_is_told(root: Path) -> None:
    base = loader(root)
    targets(base)
    rests = rests_on(base)
    assert rests is not None
    assert would_make(under(base, A="none"), rests)
    assert would_make(under(base, C="any"), rests)
    assert not would_make(under(base, A="one"), rests)
    assert not would_make(under(base, B="one"), rests)


def test_what_one_has_kept_the_next_takes(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    base = loader(root)
    targets(base)
    base.save()
    first = under(base, A="one")
    wanted = targets(first)
    first.save()
    first.maker.leave()
    second = under(base, A="one", B="two")
    monkeypatch.setattr(
        type(second.parts.evaluator), "evaluate", lambda *_: pytest.fail("evaluated")
    )
    assert second.package(PackageId("", "reads")) is not base.package(PackageId("", "reads"))
    again = second.package(PackageId("", "reads"))
    assert isinstance(again, Package)
    assert sorted(again.targets) == wanted[PackageId("", "reads")]
    assert second.package_digest(PackageId("", "reads")) == first.package_digest(
        PackageId("", "reads")
    )


def test_the_files_of_rules_that_were_run_dry_are_told(root: Path) -> None:
    base = loader(root)
    targets(base)
    base.save()
    other = under(base, A="one")
    targets(other)
    other.save()
    rests = rests_on(other)
    assert rests is not None
    paths = {item[1] for item in files_of(other, rests) or ()}
    assert {f"{root}/defs.tpl", f"{root}/rules.bzl", f"{root}/reads/BUILD"} <= paths


def test_workspace_that_hangs_on_a_variable_is_evaluated_anew(root: Path) -> None:
    more = 'load("@first//:defs.bzl", "A")\nthird(name = "made_of_" + A)\n'
    (root / "WORKSPACE").write_text(_FILES["WORKSPACE"] + more)
    base = loader(root)
    assert "made_of_none" in base.table.every()
    assert base.under(LoadingOptions("4.2.3", repo_env={"A": "one"})) is None
    assert base.under(LoadingOptions("4.2.3", repo_env={"B": "one"})) is not None


def test_nothing_is_shared_with_another_host_or_version(root: Path) -> None:
    base = loader(root)
    assert base.under(LoadingOptions("4.2.3", "windows")) is None
    assert base.under(LoadingOptions("2.1.0")) is None


def test_a_loader_that_was_left_is_let_go(root: Path) -> None:
    base = loader(root)
    targets(base)
    other = base.under(LoadingOptions("4.2.3", repo_env={"A": "a"}))
    assert other is not None
    targets(other)
    other.save()
    other.maker.leave()
    left = weakref.ref(other)
    del other
    gc.collect()
    assert left() is None


def test_on_another_host_only_what_sees_it_is_made_anew(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = _RULES.replace('ctx.os.environ.get("B", "")', "ctx.os.name.partition(' ')[0]")
    write_files(root, {"rules.bzl": rules})
    time.sleep(SETTLING)

    def on(host: str) -> dict[PackageId, list[str]]:
        options = LoadingOptions("4.2.3", host=host)
        made = Loader(Workspace(root), options, root.parent / "cache")
        found = targets(made)
        made.save()
        return found

    first = on("linux")
    evaluated: list[PackageId] = []
    actual = PackageEvaluator.evaluate

    def noted(self: PackageEvaluator, file: BuildFile) -> Evaluation:
        evaluated.append(file.id)
        return actual(self, file)

    monkeypatch.setattr(PackageEvaluator, "evaluate", noted)
    second = on("windows")
    assert evaluated == [PackageId("third", "")]
    assert {id for id in PACKAGES if first[id] != second[id]} == set(evaluated)
    assert on("windows") == second
    assert len(evaluated) == 1


def test_what_runs_under_other_variables_kept_is_taken(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evaluated: list[PackageId] = []
    actual = PackageEvaluator.evaluate

    def noted(self: PackageEvaluator, file: BuildFile) -> Evaluation:
        evaluated.append(file.id)
        return actual(self, file)

    def evaluates(**environment: str) -> set[PackageId]:
        fresh = Loader(Workspace(root), LoadingOptions("4.2.3", repo_env=environment))
        wanted = targets(fresh)
        evaluated.clear()
        made = loader(root, **environment)
        assert targets(made) == wanted
        made.save()
        return set(evaluated)

    monkeypatch.setattr(PackageEvaluator, "evaluate", noted)
    assert evaluates() == set(PACKAGES)
    assert evaluates(C="read by no rule") == set()
    assert evaluates(B="two") == {PackageId("third", "")}
    assert evaluates(A="one", B="two") == {PackageId("", "reads"), PackageId("second", "")}
    write_files(root, {"not/BUILD": 'filegroup(name = "y")'})
    time.sleep(SETTLING)
    assert evaluates(C="read by no rule") == {PackageId("", "not")}
    assert evaluates() == set()
