"""REPO.bazel, and what packages can ask of their repository's module (Bazel 7 and newer)."""

from __future__ import annotations

import pytest

from bazelscope.base.label import PackageId
from tests.unit.loading.loading_world import Load

_REPO = """
repo(
    default_visibility = [":__subpackages__"],
    default_deprecation = "old",
    features = ["f", "-g"],
)
"""


def test_repo_speaks_for_all_packages(load: Load) -> None:
    files = {"REPO.bazel": _REPO, "a/BUILD": 'filegroup(name = "x")\n'}
    world = load(files, version="7.4.0")
    assert world.errors("a") == []
    assert [str(label) for label in world.package("a").default_visibility] == ["//:__subpackages__"]
    assert world.value("//a:x", "deprecation") == "old"


def test_a_packages_own_word_wins_and_features_are_added(load: Load) -> None:
    build = """
package(default_deprecation = "older", features = ["g", "h"])
filegroup(name = "x")
filegroup(name = "y", tags = [str(existing_rule("x")["features"])])
"""
    world = load({"REPO.bazel": _REPO, "a/BUILD": build}, version="7.4.0")
    assert world.value("//a:x", "deprecation") == "older"
    assert world.value("//a:y", "tags") == ['("f", "g", "h")']


def test_bazel_6_reads_none(load: Load) -> None:
    files = {"REPO.bazel": _REPO, "a/BUILD": 'filegroup(name = "x")\n'}
    assert load(files, version="6.5.0").package("a").default_visibility == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            'repo(features = ["a"])\nrepo()\n',
            "'repo' can only be called once in the REPO.bazel file",
        ),
        (
            'ignore_directories(["x"])\nrepo()\n',
            "if repo() is called, it must be called before any other functions",
        ),
        ("repo(nonsense = 1)\n", "unexpected keyword argument: nonsense"),
        ("repo()\n", "at least one argument must be given to the 'repo' function"),
        (
            'if 3 > 1: repo(features = ["a"])\n',
            "`if` statements are not allowed in REPO.bazel files. You may use an `if` expression",
        ),
        ("def f(): pass\n", "functions may not be defined in REPO.bazel files."),
        ("a = {}\nrepo(**a)\n", "arguments must be a literal dict in REPO.bazel files."),
        ('ignore_directories("x")\n', "got value of type 'string', want 'sequence'"),
        ("ignore_directories([1])\n", "at index 0 of dirs, got element of type int, want string"),
        (
            "ignore_directories([])\nignore_directories([])\n",
            "'ignored_directories()' can only be called once",
        ),
    ],
)
def test_mistakes(load: Load, text: str, message: str) -> None:
    files = {"REPO.bazel": text, "a/BUILD": 'filegroup(name = "x")\n'}
    world = load(files, version="8.1.0")
    (error,) = world.errors("a")
    assert message in error
    assert "x" in world.kinds("a")


def test_module_name_and_version(load: Load) -> None:
    build = 'filegroup(name = "x", tags = [module_name() + " " + module_version()])\n'
    files = {"MODULE.bazel": 'module(name = "mine", version = "1.2")\n', "a/BUILD": build}
    assert load(files, version="7.4.0").value("//a:x", "tags") == ["mine 1.2"]


def test_without_modules_there_is_no_module_name(load: Load) -> None:
    build = 'filegroup(name = "x", tags = [str((module_name(), module_version()))])\n'
    world = load({"a/BUILD": build}, version="7.4.0", enable_bzlmod=False)
    assert world.value("//a:x", "tags") == ["(None, None)"]


def test_ignored_directories_hold_no_packages_and_are_out_of_globs(load: Load) -> None:
    files = {
        "REPO.bazel": 'ignore_directories(["out", "**/node_modules", "gen-*"])\n',
        "BUILD": 'filegroup(name = "x", srcs = glob(["**/*.txt"]))\n',
        "out/BUILD": "",
        "a/b/node_modules/c/BUILD": "",
        "a/b/node_modules/f.txt": "",
        "gen-1/BUILD": "",
        "kept/gen-1/BUILD": "",
        "data/f.txt": "",
    }
    world = load(files, version="8.1.0")
    found = world.loader.trees.packages_below(PackageId("", ""))
    assert [package.package for package in found] == ["", "kept/gen-1"]
    assert world.value("//:x", "srcs") == ["//:data/f.txt"]
    older = load({}, version="7.4.0").loader.trees.packages_below(PackageId("", ""))
    assert len(older) == 5
