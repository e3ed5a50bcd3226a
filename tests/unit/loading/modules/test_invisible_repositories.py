"""What would bring a repository that a file names and that its module does not see."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.base.label import Label, PackageId
from bazelscope.cli import main
from bazelscope.loading.loader import Loader
from bazelscope.loading.packages.targets import NoSuchPackage, Rule
from bazelscope.loading.tree.loading_options import LoadingOptions
from bazelscope.loading.tree.workspace_files import Workspace
from tests.support.files import write_files

_EXTENSION = """
def _made_impl(repository_ctx):
    repository_ctx.file("BUILD", "")
made = repository_rule(_made_impl)
def _ext(module_ctx):
    made(name = "made")
    made(name = "other")
ext = module_extension(_ext)
"""
_ROOT = """
bazel_dep(name = "lib", repo_name = "mylib")
local_path_override(module_name = "lib", path = "lib")
ext = use_extension("//:ext.bzl", "ext")
use_repo(ext, mine = "made")
"""
_LIB = """
module(name = "lib")
bazel_dep(name = "below", version = "1.2", repo_name = "beneath")
"""
_FILES = {
    "MODULE.bazel": _ROOT,
    "WORKSPACE": 'new_local_repository(\n    name = "older",\n)\n',
    "ext.bzl": _EXTENSION,
    "lib/MODULE.bazel": _LIB,
    "lib/BUILD": 'filegroup(name = "x", srcs = ["@nothing//:x"])\n',
}


def _loader(root: Path, files: dict[str, str], version: str) -> Loader:
    write_files(root, {**_FILES, **files})
    return Loader(Workspace.open(root), LoadingOptions(version))


def _missing(loader: Loader, package: PackageId) -> NoSuchPackage:
    target = loader.target(Label(*package, "x"))
    assert isinstance(target, Rule)
    attribute = target.attribute("srcs")
    assert attribute is not None and isinstance(attribute.value, tuple)
    missing = loader.package(attribute.value[0].package_id)
    assert isinstance(missing, NoSuchPackage)
    return missing


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("lib", "MODULE.bazel calls the module lib `@mylib`"),
        ("made", "MODULE.bazel calls that repository of ext `@mine`"),
        ("other", 'add "other" to the use_repo() of ext (MODULE.bazel:4)'),
        ("below", 'add `bazel_dep(name = "below", version = "1.2")` to MODULE.bazel'),
        ("beneath", 'add `bazel_dep(name = "below", version = "1.2", repo_name = "beneath")`'),
        ("mylob", "did you mean `@mylib`, which MODULE.bazel names?"),
        ("older", "this Bazel does not read WORKSPACE:2, which has `older`: define it in"),
        ("com_google_protobuf", 'add `bazel_dep(name = "protobuf", version = "'),
        ("bazel_skylib", 'add `bazel_dep(name = "bazel_skylib", version = "'),
    ],
)
@pytest.mark.parametrize("loads", [False, True])
def test_what_would_bring_it(name: str, remedy: str, loads: bool, tmp_path: Path) -> None:
    build = f'filegroup(name = "x", srcs = ["@{name}//:x"])\n'
    if loads:
        files = {"BUILD": "", "a/BUILD": f'load("@{name}//:x.bzl", "x")\n'}
        package = _loader(tmp_path, files, "9.1.0").package(PackageId("", "a"))
        assert isinstance(package, NoSuchPackage)
        assert (package.diagnostics[0].hint or "").startswith(remedy)
    else:
        package = _missing(_loader(tmp_path, {"BUILD": build}, "9.1.0"), PackageId("", ""))
    assert package.remedy.startswith(remedy)


def test_of_a_name_that_nobody_knows_nothing_is_said(tmp_path: Path) -> None:
    build = 'filegroup(name = "x", srcs = ["@qqqqqq//:x"])\n'
    assert _missing(_loader(tmp_path, {"BUILD": build}, "9.1.0"), PackageId("", "")).remedy == ""


def test_a_name_that_bazel_gives_every_module_is_not_suggested(tmp_path: Path) -> None:
    build = 'filegroup(name = "x", srcs = ["@local_config_tf//:x"])\n'
    loader = _loader(tmp_path, {"p/BUILD": build}, "7.4.0")
    assert "local_config_platform" not in _missing(loader, PackageId("", "p")).remedy


def test_files_of_another_module_are_not_the_users_to_mend(tmp_path: Path) -> None:
    missing = _missing(_loader(tmp_path, {"BUILD": ""}, "9.1.0"), PackageId("mylib", ""))
    assert missing.message.endswith("No repository visible as '@nothing' from repository '@@lib+'")
    assert missing.remedy == ""


def test_a_name_in_error_of_workspace_is_compared_with_those_there(tmp_path: Path) -> None:
    files = {
        "WORKSPACE": 'local_repository(name = "com_github_one", path = "lib")\n',
        "BUILD": 'filegroup(name = "x", srcs = ["@com_github_on//:x"])\n',
    }
    missing = _missing(_loader(tmp_path, files, "4.2.3"), PackageId("", ""))
    assert missing.remedy == "did you mean `@com_github_one`?"


_UNCALLED = """
def _deps():
    http_archive(
        name = "thing",
        urls = [],
    )
    maybe(git_repository, name = "other_thing")

def macro(name):
    cc_library(name = "target")
"""


@pytest.mark.parametrize(
    ("name", "version", "remedy"),
    [
        ("thing", "4.2.3", "call what defines it: _deps(), at tools/deps.bzl:3"),
        ("thing", "7.5.0", "call what defines it: _deps(), at tools/deps.bzl:3"),
        ("other_thing", "4.2.3", "call what defines it: _deps(), at tools/deps.bzl:7"),
        ("thing", "9.1.0", "define it in MODULE.bazel, as _deps() does at tools/deps.bzl:3"),
        ("target", "4.2.3", ""),
        ("ignored", "4.2.3", ""),
    ],
)
def test_a_function_that_nobody_calls_would_define_it(
    name: str, version: str, remedy: str, tmp_path: Path
) -> None:
    ignored = _UNCALLED.replace("thing", "ignored")
    files = {
        "WORKSPACE": "",
        "BUILD": f'filegroup(name = "x", srcs = ["@{name}//:x"])\n',
        "tools/deps.bzl": _UNCALLED,
        ".bazelignore": "away\n",
        "away/deps.bzl": ignored,
    }
    missing = _missing(_loader(tmp_path, files, version), PackageId("", ""))
    assert missing.remedy == remedy


def test_the_place_of_an_uncalled_definition_is_never_an_older_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {
        "WORKSPACE": "",
        "BUILD": 'filegroup(name = "x", srcs = ["@thing//:x"])\n',
        "deps.bzl": _UNCALLED,
    }
    write_files(tmp_path, files)
    asked = ["explain", "//:x", "-w", str(tmp_path), "--bazel-version", "4.2.3"]
    asked += ["--cache-dir", str(tmp_path / "kept")]
    for text, line in ((_UNCALLED, 3), (_UNCALLED, 3), (f"\n{_UNCALLED}", 4)):
        (tmp_path / "deps.bzl").write_text(text)
        main(asked)
        assert f"_deps(), at deps.bzl:{line}\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("version", "why"), [("4.2.3", ""), ("5.0.0", ": Repository '@nobody' is not defined")]
)
def test_since_5_bazel_says_that_the_repository_is_not_defined(
    version: str, why: str, tmp_path: Path
) -> None:
    files = {"WORKSPACE": "", "BUILD": 'filegroup(name = "x", srcs = ["@nobody//:x"])\n'}
    missing = _missing(_loader(tmp_path, files, version), PackageId("", ""))
    assert missing.message == (
        f"no such package '@nobody//': The repository '@nobody' could not be resolved{why}"
    )


_CALLS = """
def _made_impl(repository_ctx):
    repository_ctx.file("BUILD", "")
made = repository_rule(
    _made_impl,
    attrs = {{"one": attr.label(), "list": attr.label_list(), "text": attr.string()}},
)
def _ext(module_ctx):
    made(name = "other")
    made(name = "made", {given})
ext = module_extension(_ext)
"""
_TOLD = (
    "error evaluating module extension {}: no repository visible as '@nope' to the main"
    " repository, but referenced by label '@nope//:x' in attribute '{}' of made 'made'. Is the root"
    ' module missing a bazel_dep or use_repo(..., "nope")?'
)


@pytest.mark.parametrize(
    ("given", "version", "told"),
    [
        ('one = "@nope//:x"', "7.4.1", _TOLD.format("ext in //:ext.bzl", "one")),
        ('list = ["@mylib//:x", "@nope//:x"]', "9.1.0", _TOLD.format("@@//:ext.bzl%ext", "list")),
        ('one = "@nope//:x"', "7.1.0", ""),
        ('one = "@mylib//:x"', "9.1.0", ""),
        ('one = "@mine//:x"', "9.1.0", ""),
        ('one = "@bazel_tools//:x"', "9.1.0", ""),
        # Some releases take what the extension itself makes.
        ('one = "@other//:x"', "9.1.0", ""),
        ('text = "@nope//:x"', "9.1.0", ""),
        ('one = "//:x"', "9.1.0", ""),
    ],
)
def test_a_label_that_an_extension_gives_a_rule(
    tmp_path: Path, given: str, version: str, told: str
) -> None:
    loader = _loader(tmp_path, {"ext.bzl": _CALLS.format(given=given), "BUILD": ""}, version)
    failure = loader.table.failure_of("mine")
    assert (failure.message if failure is not None else "") == told
