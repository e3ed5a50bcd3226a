"""No word of Python's shows in an error of a program."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.base.label import PackageId
from bazelscope.loading.loader import Loader
from bazelscope.loading.packages.package import NoSuchPackage, Package
from bazelscope.loading.tree.loading_options import LoadingOptions
from bazelscope.loading.tree.workspace_files import Workspace


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        (
            "Label(None)",
            "in call to Label(), parameter 'input' got value of type 'NoneType', want 'string'",
        ),
        ('select({"//c:d": [1]})()', "'select' object is not callable"),
        ('"a".upper(1)', "upper() got unexpected positional argument"),
        ("struct(a = 1) + 1", "unsupported binary operation: struct + int"),
    ],
)
def test_words(tmp_path: Path, expression: str, words: str) -> None:
    (tmp_path / "WORKSPACE").touch()
    (tmp_path / "BUILD").write_text('load(":a.bzl", "x")\n')
    (tmp_path / "a.bzl").write_text(f"x = {expression}\n")
    package = Loader(Workspace.open(tmp_path), LoadingOptions("8.7.0")).package(PackageId("", ""))
    assert isinstance(package, NoSuchPackage)
    assert words in [problem.message for problem in package.diagnostics]


def test_a_large_tuple_is_a_key(tmp_path: Path) -> None:
    (tmp_path / "WORKSPACE").touch()
    (tmp_path / "BUILD").write_text("x = {tuple(range(200000)): 1}\n")
    package = Loader(Workspace.open(tmp_path), LoadingOptions("8.7.0")).package(PackageId("", ""))
    assert isinstance(package, Package)
    assert package.diagnostics == ()
