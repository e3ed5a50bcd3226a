"""`.bzl` files that are of no package, or of another than their label says: as Bazel words it
(measured: 0.24.1, 2.1.0, 4.2.3)."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from bazelscope.analysis.refusals.refusal import Refusal
from bazelscope.api import Workspace
from bazelscope.base.label import PackageId
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import UnknownPackage
from tests.support.files import write_files

_LOCAL = 'local_repository(name = "ext", path = "ext")\n'
_NEW = 'new_local_repository(name = "n", path = "n", build_file_content = "")\n'
_NONE = "Every .bzl file must have a corresponding package, but '{}' does not have one."
_OLD = "Unable to load package for '{}': BUILD file not found on package path"
_OF_PARENT = (
    "Label '{}' is invalid because 'x' is not a package; perhaps you meant to put the colon"
    " here: '{}'?"
)
_OF_BELOW = (
    "Label '{}' is invalid because '{}' is a subpackage; perhaps you meant to put the colon"
    " here: '{}'?"
)


def _load(label: str) -> str:
    return f'load("{label}", "X")\nfilegroup(name = "t%d" % X)\n'


def _tree(label: str, *paths: str, workspace: str = "") -> dict[str, str]:
    texts = {path: "X = 1\n" if path.endswith(".bzl") else "" for path in paths}
    return {"WORKSPACE": workspace, "p/BUILD": _load(label), **texts}


_CASES = {
    "nowhere": (
        _tree("//x:y.bzl", "x/y.bzl"),
        _NONE.format("//x:y.bzl"),
        _OLD.format("//x:y.bzl"),
    ),
    "in the root": (_tree("//:y.bzl", "y.bzl"), _NONE.format("//:y.bzl"), _OLD.format("//:y.bzl")),
    "nowhere, nor a file": (
        _tree("//x:y.bzl"),
        _NONE.format("//x:y.bzl"),
        _OLD.format("//x:y.bzl"),
    ),
    "above": (
        _tree("//x:y.bzl", "BUILD", "x/y.bzl"),
        _OF_PARENT.format("//x:y.bzl", "//:x/y.bzl"),
        _OLD.format("//x:y.bzl"),
    ),
    "an ignored one": (
        {**_tree("//x:y.bzl", "BUILD", "x/BUILD", "x/y.bzl"), ".bazelignore": "x\n"},
        _OF_PARENT.format("//x:y.bzl", "//:x/y.bzl"),
        "Unable to load package for '//x:y.bzl'",
    ),
    "below nothing": (
        _tree("//x:s/y.bzl", "x/s/y.bzl"),
        _NONE.format("//x:s/y.bzl"),
        _OLD.format("//x:s/y.bzl"),
    ),
    "below the root": (
        _tree("//x:s/y.bzl", "BUILD", "x/s/y.bzl"),
        _OF_PARENT.format("//x:s/y.bzl", "//:x/s/y.bzl"),
        _OLD.format("//x:s/y.bzl"),
    ),
    "a package below": (
        _tree("//x:s/y.bzl", "x/s/BUILD", "x/s/y.bzl"),
        _OF_BELOW.format("//x:s/y.bzl", "x/s", "//x/s:y.bzl"),
        _OLD.format("//x:s/y.bzl"),
    ),
    "a folder of a package": (_tree("//x:s/y.bzl", "x/BUILD", "x/s/y.bzl"), "", ""),
    "a repository's": (
        _tree("@ext//x:y.bzl", "ext/WORKSPACE", "ext/x/y.bzl", workspace=_LOCAL),
        _NONE.format("@ext//x:y.bzl"),
        _OLD.format("@ext//x:y.bzl"),
    ),
    "above, in a repository": (
        _tree("@ext//x:y.bzl", "ext/WORKSPACE", "ext/BUILD", "ext/x/y.bzl", workspace=_LOCAL),
        _OF_PARENT.format("@ext//x:y.bzl", "@ext//:x/y.bzl"),
        _OLD.format("@ext//x:y.bzl"),
    ),
    "below, in a repository": (
        _tree(
            "@ext//:x/y.bzl",
            *("ext/WORKSPACE", "ext/BUILD", "ext/x/BUILD", "ext/x/y.bzl"),
            workspace=_LOCAL,
        ),
        _OF_BELOW.format("@ext//:x/y.bzl", "@ext//x", "@ext//x:y.bzl"),
        "",
    ),
    "of a BUILD file that is laid over": (_tree("@n//:y.bzl", "n/y.bzl", workspace=_NEW), "", ""),
    "below one that is laid over": (
        _tree("@n//x:y.bzl", "n/x/y.bzl", workspace=_NEW),
        _OF_PARENT.format("@n//x:y.bzl", "@n//:x/y.bzl"),
        _OLD.format("@n//x:y.bzl"),
    ),
    "of a model": (_tree("@bazel_tools//tools/build_defs/repo:utils.bzl"), "", ""),
}
_CASES["of a model"][0]["p/BUILD"] = (
    'load("@bazel_tools//tools/build_defs/repo:utils.bzl", "maybe")\nfilegroup(name = "t1")\n'
)


_WRITES = """
def _rule(ctx):
    ctx.file("x/BUILD")
    ctx.file("x/y/z.bzl", "X = 1")
    %s
rule = repository_rule(_rule)
"""


@pytest.mark.parametrize("body", ["ctx.execute(['cp', 'a', 'b'])", "ctx.file('x/y/BUILD')"])
def test_a_package_below_is_refused_where_it_is_sure(tmp_path: Path, body: str) -> None:
    """A program may write any file; that it writes a BUILD file between is not sure."""
    files = {
        "WORKSPACE": 'load("//:rule.bzl", "rule")\nrule(name = "r")\n',
        "BUILD": "",
        "rule.bzl": _WRITES % body,
        "p/BUILD": _load("@r//x:y/z.bzl"),
    }
    problems = _problems(tmp_path, files, "4.2.3")
    assert (_OF_BELOW.format("@r//x:y/z.bzl", "@r//x/y", "@r//x/y:z.bzl") in problems) == (
        "BUILD" in body
    )
    assert bool(problems) == ("BUILD" in body)


@pytest.mark.parametrize("name", _CASES)
def test_a_file_is_of_the_package_of_its_label(name: str, tmp_path: Path) -> None:
    files, since_1, before = _CASES[name]
    for version, words in (("4.2.3", since_1), ("2.1.0", since_1), ("0.24.1", before)):
        assert words in _problems(tmp_path, files, version), version
        assert bool(words) == bool(_problems(tmp_path, files, version))


@pytest.mark.parametrize("text", ['load("//x:y.bzl", "X")\n', 'load("//z:z.bzl", "X")\n'])
def test_workspace_files_load_from_packages_only(text: str, tmp_path: Path) -> None:
    deep = 'load("//x:y.bzl", _X = "X")\nX = _X\n'
    files = {
        "WORKSPACE": text,
        "x/y.bzl": "X = 1\n",
        "z/z.bzl": deep,
        "z/BUILD": "",
        "BUILD": 'filegroup(name = "a")',
    }
    write_files(tmp_path, files)
    refusals = _refusals(tmp_path, "4.2.3", "//:a")
    assert [one.kind.value for one in refusals] == ["workspace"]
    write_files(tmp_path, {"x/BUILD": ""})
    refusals = _refusals(tmp_path, "4.2.3", "//:a")
    assert not refusals


@pytest.mark.parametrize(
    ("build_file", "is_refused"),
    [("//x:n.BUILD", True), ("x/n.BUILD", False), ("//z:n.BUILD", False), ("//:x/n.BUILD", True)],
)
@pytest.mark.parametrize("version", ["4.2.3", "2.1.0", "0.24.1"])
def test_a_build_file_that_is_laid_over_is_of_a_package(
    version: str, build_file: str, is_refused: bool, tmp_path: Path
) -> None:
    laid = 'filegroup(name = "x", visibility = ["//visibility:public"])\n'
    rule = f'new_local_repository(name = "n", path = "n", build_file = "{build_file}")\n'
    files = {"WORKSPACE": rule, "n/a": "", "x/n.BUILD": laid, "z/n.BUILD": laid, "z/BUILD": ""}
    files["p/BUILD"] = 'filegroup(name = "t", srcs = ["@n//:x"])\n'
    write_files(tmp_path, files)
    refusals = _refusals(tmp_path, version, "//p:t")
    words = f"Unable to load package for {build_file}: not found."
    assert [words in one.message for one in refusals] == [True] * is_refused


@pytest.mark.parametrize("ignores", [".bazelignore", "--deleted_packages=x"])
@pytest.mark.parametrize("version", ["4.2.3", "2.1.0", "0.24.1"])
def test_a_package_that_is_ignored_holds_no_build_file_to_lay_over(
    version: str, ignores: str, tmp_path: Path
) -> None:
    rule = 'new_local_repository(name = "n", path = "n", build_file = "//x:n.BUILD")\n'
    files = {"WORKSPACE": rule, "n/a": "", "x/n.BUILD": 'filegroup(name = "x")\n', "x/BUILD": ""}
    files["p/BUILD"] = 'filegroup(name = "t", srcs = ["@n//:x"])\n'
    flags = [ignores] if ignores.startswith("--") else []
    write_files(tmp_path, files if flags else {**files, ignores: "x\n"})
    (refusal,) = _refusals(tmp_path, version, "//p:t", *flags)
    assert "Unable to load package for //x:n.BUILD: not found." in refusal.message


def test_a_file_in_a_linked_folder_out_of_the_workspace_is_unknown(tmp_path: Path) -> None:
    write_files(tmp_path, {"far/y.bzl": "X = 1\n", "far/BUILD": ""})
    write_files(tmp_path / "w", {"WORKSPACE": "", "p/BUILD": _load("//x:y.bzl")})
    (tmp_path / "w/x").symlink_to(tmp_path / "far")
    loader = Workspace.open(tmp_path / "w", bazel_version="4.2.3").configure([]).loader
    package = loader.package(PackageId("", "p"))
    assert isinstance(package, Package | UnknownPackage)
    assert not isinstance(package, Package) or not package.diagnostics


@pytest.mark.parametrize("repository", ["", "ext"])
def test_what_is_kept_rests_on_the_packages_of_files(repository: str, tmp_path: Path) -> None:
    at, folder = (f"@{repository}", f"{repository}/") if repository else ("", "")
    root = tmp_path / "w"
    label = f"{at}//x:y.bzl"
    paths = (f"{folder}WORKSPACE", f"{folder}x/BUILD", f"{folder}x/y.bzl", f"{folder}BUILD")
    write_files(root, _tree(label, *paths, workspace=_LOCAL if repository else ""))
    if not repository:
        write_files(root, {"WORKSPACE": ""})

    def problems() -> str:
        workspace = Workspace.open(root, bazel_version="4.2.3", cache_dir=tmp_path / "cache")
        answer = workspace.configure([]).loader
        found = answer.package(PackageId("", "p"))
        answer.save()
        return "\n".join(one.message for one in getattr(found, "diagnostics", ()))

    assert problems() == problems() == ""
    (root / folder / "x/BUILD").unlink()
    assert _OF_PARENT.format(label, f"{at}//:x/y.bzl") in problems()
    write_files(root, {f"{folder}x/BUILD": ""})
    assert problems() == ""


@pytest.mark.parametrize("version", ["7.4.0", "9.1.0"])
def test_a_file_that_module_bazel_includes_is_of_a_package(version: str, tmp_path: Path) -> None:
    files = {
        "MODULE.bazel": 'module(name = "m")\ninclude("//x:y.MODULE.bazel")\n',
        "x/y.MODULE.bazel": "",
        "BUILD": 'filegroup(name = "a")',
    }
    write_files(tmp_path, files)
    refusals = _refusals(tmp_path, version, "//:a")
    words = "unable to load package for '//x:y.MODULE.bazel' included at MODULE.bazel:2:"
    assert any(words in one.message for one in refusals)
    write_files(tmp_path, {"x/BUILD.bazel": ""})
    refusals = _refusals(tmp_path, version, "//:a")
    assert not refusals


def test_an_extension_is_loaded_from_a_package(tmp_path: Path) -> None:
    files = {
        "MODULE.bazel": 'e = use_extension("//x:e.bzl", "e")\nuse_repo(e, "r")\n',
        "x/e.bzl": "e = module_extension(implementation = lambda ctx: None)\n",
        "p/BUILD": 'filegroup(name = "t", srcs = ["@r//:x"])\n',
    }
    write_files(tmp_path, files)
    refusals = _refusals(tmp_path, "8.1.0", "//p:t")
    assert any(_NONE.format("//x:e.bzl") in one.message for one in refusals)


def _refusals(root: Path, version: str, target: str, *flags: str) -> tuple[Refusal, ...]:
    return Workspace.open(root, bazel_version=version).configure(flags).refusals(target)


def _problems(root: Path, files: Mapping[str, str], version: str) -> str:
    shutil.rmtree(root / version, ignore_errors=True)
    write_files(root / version, files)
    loader = Workspace.open(root / version, bazel_version=version).configure([]).loader
    package = loader.package(PackageId("", "p"))
    return "\n".join(one.message for one in getattr(package, "diagnostics", ()))
