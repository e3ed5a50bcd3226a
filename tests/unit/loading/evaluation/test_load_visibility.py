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
        # As XLA says it.
        ('visibility("//user:__subpackages__")', NEW, [], True),
        ('visibility("//user:__pkg__")', NEW, [], True),
        ('visibility("//use:__subpackages__")', NEW, [], False),
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
        "MODULE.bazel": "",
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
        ('visibility(["@other//user"])', ""),
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
