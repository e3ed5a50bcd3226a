"""After an edit of WORKSPACE, or of a file that it loads, only those packages are evaluated again
that see another repository, or the workspace, otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from bazelscope.base.label import PackageId
from bazelscope.cli.entry import cli
from bazelscope.loading.loader import Loader
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import Rule
from bazelscope.loading.tree.loading_options import LoadingOptions
from bazelscope.loading.tree.workspace_files import Workspace
from tests.support.files import write_files
from tests.unit.loading.cache.test_cache import Runs, evaluated_once

_R = 'local_repository(name = "r", path = "one")\n'
_DEFINED = 'workspace(name = "w")\nload("//d:repos.bzl", "repos")\nrepos()\n'
_FILES = {
    "WORKSPACE": _DEFINED,
    "d/BUILD": "",
    "d/repos.bzl": f"def repos():\n    native.{_R}",
    "d/values.bzl": 'load("@r//:x.bzl", "X")\nVALUES = [X]\n',
    "p/BUILD": 'load("//d:values.bzl", "VALUES")\nfilegroup(name = "f", tags = VALUES)\n',
    "one/WORKSPACE": "",
    "one/BUILD": "",
    "one/x.bzl": 'X = "one"\n',
    "two/WORKSPACE": "",
    "two/BUILD": "",
    "two/x.bzl": 'X = "two"\n',
}


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Runs:
    return evaluated_once(tmp_path, monkeypatch, _FILES)


_EARLY = 'load("//d:values.bzl", "VALUES")\n'


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("WORKSPACE", f"# A word.\n{_DEFINED}"),
        ("WORKSPACE", f'{_DEFINED}new_local_repository(name = "s", path = "/s")\n'),
        ("d/repos.bzl", f"{_FILES['d/repos.bzl']}# The end.\n"),
        ("d/repos.bzl", f'{_FILES["d/repos.bzl"]}    native.bind(name = "b", actual = "//p:f")\n'),
    ],
)
def test_who_sees_the_same_is_not_evaluated_again(runs: Runs, path: str, text: str) -> None:
    (runs.root / path).write_text(text)
    for _ in range(2):
        runs.run()
        assert runs.evaluated == []


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("WORKSPACE", _DEFINED.replace('"w"', '"v"')),
        ("WORKSPACE", 'workspace(name = "w")\nlocal_repository(name = "r", path = "two")\n'),
        ("WORKSPACE", 'workspace(name = "w")\n'),
        # The file is loaded before there is the repository that it needs, or by another's text.
        ("WORKSPACE", _DEFINED.replace("load", f"{_EARLY}load", 1)),
        ("WORKSPACE", f'{_R}{_EARLY}local_repository(name = "r", path = "two")\n'),
        ("d/repos.bzl", _FILES["d/repos.bzl"].replace("one", "two")),
    ],
)
def test_who_sees_something_else_is(runs: Runs, path: str, text: str) -> None:
    (runs.root / path).write_text(text)
    loader = Loader(Workspace.open(runs.root), LoadingOptions("4.2.3"), runs.cache)
    runs.evaluated.clear()
    package = loader.package(PackageId("", "p"))
    loader.save()
    assert runs.evaluated == ["p"]
    fresh = Loader(Workspace.open(runs.root), LoadingOptions("4.2.3"), None)
    expected = fresh.package(PackageId("", "p"))
    if not isinstance(expected, Package):
        assert package == expected
        return
    assert isinstance(package, Package)
    assert package.diagnostics == expected.diagnostics
    assert package.unknowns == expected.unknowns
    rules = package.targets["f"], expected.targets["f"]
    assert isinstance(rules[0], Rule)
    assert isinstance(rules[1], Rule)
    assert dict(rules[0].attributes) == dict(rules[1].attributes)


def test_targets_of_repositories_are_those_of_the_edited_file(tmp_path: Path) -> None:
    """What is kept of //external is known by all that it is made from."""
    root, cache = tmp_path / "w", ["--cache-dir", str(tmp_path)]
    rule = "rr = repository_rule(implementation = len, attrs = {'v': attr.string()})\n"
    before, loads = 'workspace(name = "w")\n', 'load("//:r.bzl", "rr")\n'
    wrong, unparsed = "rr(name = 'a', v = 3)\n", "for x in [1]: pass\n"
    for text in (before + loads + wrong, before + loads + _R + unparsed, loads + _R):
        write_files(root, {"WORKSPACE": text, "BUILD": "", "r.bzl": rule})
        for question in ("//external:all", "deps(//external:all)"):
            kept, new = (_asked(root, question, *words) for words in (cache, ["--no-cache"]))
            assert kept == new


def _asked(root: Path, question: str, *words: str) -> tuple[int, str]:
    line = ["query", question, "--output=xml", "-w", str(root), "--bazel-version=4.2.3", *words]
    answer = CliRunner().invoke(cli, line)
    return answer.exit_code, answer.stdout
