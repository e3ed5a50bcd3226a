"""Who may load a `.bzl` file, as the documentation of Bazel 6 and newer has it, and its
`BzlLoadFunctionTest`."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.api import Workspace
from bazelscope.base.label import PackageId
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import NoSuchPackage
from tests.support.files import write_files
from tests.support.package_entries import MEASURED

NEW = "7.4.1"


@pytest.mark.parametrize(
    ("said", "version", "flags", "is_let_in"),
    [
        ('visibility("public")', NEW, [], True),
        ('visibility("private")', NEW, [], False),
        ('visibility("private")', "5.4.0", [], True),
        ('visibility("private")', NEW, ["--nocheck_bzl_visibility"], True),
        ('visibility("//user")', NEW, [], True),
        ('visibility(["//other", "//user/..."])', NEW, [], True),
        ('visibility(["//use"])', NEW, [], False),
        # By the source of PackageSpecification, and probes of 9.2.0 that others have published.
        ('visibility("//user:__subpackages__")', "8.7.0", [], True),
        ('visibility("//user:__pkg__")', "9.2.0", [], True),
        ('visibility("//use:__subpackages__")', "9.2.0", [], False),
        ('visibility(["//..."])', NEW, [], True),
        ('visibility(["//"])', NEW, [], False),
        ('visibility(["@//user"])', "9.2.0", [], True),
        ('visibility(["@@//user/..."])', "9.2.0", [], True),
        ('visibility(["@me//user"])', "9.2.0", [], True),
        ('visibility(["@other//user"])', "9.2.0", [], False),
        ('visibility(["@other//user", "//user"])', "9.2.0", [], True),
        ("visibility([])", NEW, [], False),
        ("", NEW, [], True),
    ],
)
@pytest.mark.parametrize("is_through", [False, True])
def test_who_may_load(
    tmp_path: Path, said: str, version: str, flags: list[str], is_let_in: bool, is_through: bool
) -> None:
    build = 'load("//user:u.bzl", "a")\n' if is_through else 'load("//lib:a.bzl", "a")\n'
    files = {
        "WORKSPACE": "",
        "MODULE.bazel": 'module(name = "me")',
        "lib/BUILD": 'load(":a.bzl", "a")\nfilegroup(name = "own")\n',
        "lib/a.bzl": f"{said}\na = 1\n",
        "user/BUILD": f'{build}filegroup(name = "x")\n',
        "user/u.bzl": 'load("//lib:a.bzl", _a = "a")\na = _a\n',
    }
    write_files(tmp_path, files)
    loader = Workspace.open(tmp_path, bazel_version=version, host="linux").configure(flags).loader
    own = loader.package(PackageId("", "lib"))
    assert isinstance(own, Package)
    assert not own.diagnostics
    package = loader.package(PackageId("", "user"))
    assert (isinstance(package, Package) and not package.diagnostics) == is_let_in, package


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (
            'visibility("public")\nvisibility("public")',
            "load visibility may not be set more than once",
        ),
        ("visibility(123)", "Invalid visibility: got 'int', want string or list of strings"),
        (
            'visibility(("//user",))',
            "Invalid visibility: got 'tuple', want string or list of strings",
        ),
        (
            'visibility(["//a", 1])',
            "at index 1 of visibility list, got element of type int, want string",
        ),
        ('visibility(["-//user"])', "Cannot use negative package patterns here"),
        ('visibility("user")', "invalid package name 'user': must start with '//'"),
        (
            'def f():\n    visibility("public")\nf()',
            "load visibility may only be set at the top level",
        ),
    ],
)
@pytest.mark.parametrize("version", ["6.5.0", "9.1.0"])
def test_what_of_it_is_refused(tmp_path: Path, said: str, told: str, version: str) -> None:
    files = {
        "WORKSPACE": "",
        "MODULE.bazel": "",
        "lib/BUILD": 'load(":a.bzl", "a")\n',
        "lib/a.bzl": f"{said}\na = 1\n",
    }
    write_files(tmp_path, files)
    loader = Workspace.open(tmp_path, bazel_version=version, host="linux").configure([]).loader
    package = loader.package(PackageId("", "lib"))
    assert isinstance(package, Package | NoSuchPackage)
    messages = [problem.message for problem in package.diagnostics]
    assert len(messages) == bool(told)
    assert all(message.startswith(told) for message in messages)


@pytest.mark.parametrize(
    ("entry", "version", "told"),
    [
        # By the source of PackageSpecification; of 9.2.0 by probes that others have published.
        ("@other//a", "7.4.1", "must start with '//' or be 'public' or 'private'"),
        ("@other//a", "9.0.0", "must start with '//' or be 'public' or 'private'"),
        ("@other//a", "9.0.1", ""),
        ("@other//a", "8.6.0", "must start with '//' or be 'public' or 'private'"),
        ("@other//a", "8.7.0", ""),
        ("x", "9.2.0", "must start with '//', '@', or be 'public' or 'private'"),
        ("//a:b", "7.4.1", "invalid package identifier '//a:b': contains ':'"),
        ("//a:__pkg__", "7.4.1", "invalid package identifier '//a:__pkg__': contains ':'"),
        (
            "//a:b",
            "9.2.0",
            "invalid target name 'b:__pkg__': target names may not contain ':'",
        ),
        ("//a/", "9.2.0", "invalid package name 'a/': package names may not end with '/'"),
        (
            "//a/..",
            "9.2.0",
            "invalid package name 'a/..': package name component contains only '.' characters",
        ),
        ("//", "9.2.0", ""),
        ("@//", "9.2.0", ""),
    ],
)
@pytest.mark.parametrize("function", ["visibility", "package_group"])
def test_what_an_entry_may_be(
    tmp_path: Path, function: str, entry: str, version: str, told: str
) -> None:
    files = {"MODULE.bazel": "", "WORKSPACE": "", "a.bzl": "a = 1\n", "BUILD": ""}
    if function == "visibility":
        files["a.bzl"] += f"visibility([{entry!r}])\n"
        files["BUILD"] = 'load(":a.bzl", "a")\n'
    else:
        files["BUILD"] = f"package_group(name = 'g', packages = [{entry!r}])\n"
    write_files(tmp_path, files)
    loader = Workspace.open(tmp_path, bazel_version=version, host="linux").configure([]).loader
    package = loader.package(PackageId("", ""))
    assert isinstance(package, Package | NoSuchPackage)
    expected = [f"invalid package name '{entry}': {told}"] if told else []
    assert [problem.message for problem in package.diagnostics] == expected


@pytest.mark.parametrize(("entry", "told"), MEASURED.items())
@pytest.mark.parametrize("version", ["2.1.0", "4.2.3"])
def test_groups_as_measured(tmp_path: Path, version: str, entry: str, told: str) -> None:
    text = f"package_group(name = 'g', packages = [{entry!r}])\n"
    write_files(tmp_path, {"WORKSPACE": "", "BUILD": text})
    loader = Workspace.open(tmp_path, bazel_version=version, host="linux").configure([]).loader
    package = loader.package(PackageId("", ""))
    assert isinstance(package, Package)
    expected = [f"invalid package name {told}"] if told else []
    assert [problem.message for problem in package.diagnostics] == expected
